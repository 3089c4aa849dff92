"""The shortcuts past torch find what torch finds, also operators that the person's code defines in between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
import torch._dynamo.guards as dynamo_guards
import torch._export.utils as export_utils

from graphcap.capture.shortcuts import guards_untimed, look_up_once

pytestmark = pytest.mark.torch


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often torch's own walk was made since the shortcut is there."""
    made: list[int] = []
    own = export_utils._materialize_cpp_cia_ops

    def counted() -> None:
        made.append(1)
        own()

    monkeypatch.setattr(export_utils, "_materialize_cpp_cia_ops", counted)
    look_up_once()
    yield made


def test_the_same_operators_in_one_walk(walks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    found = export_utils._collect_all_valid_cia_ops()
    assert len(walks) == 1
    assert export_utils._collect_all_valid_cia_ops() == found and len(walks) == 1
    monkeypatch.undo()
    assert export_utils._collect_all_valid_cia_ops() == found


def test_an_operator_that_is_defined_in_between_is_found(walks: list[int]) -> None:
    before = export_utils._collect_all_valid_cia_ops()
    library = torch.library.Library("graphcap_lookups", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x + x, "CompositeImplicitAutograd")
    try:
        assert export_utils._collect_all_valid_cia_ops() - before == {torch.ops.graphcap_lookups.twice.default}
        assert len(walks) == 2
    finally:
        library._destroy()


def test_guards_are_made_and_fail_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamo_guards, "profile_guard_manager", dynamo_guards.profile_guard_manager)  # put back afterwards
    guards_untimed()
    compiled: list[torch.fx.GraphModule] = []

    def backend(module: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> object:
        compiled.append(module)
        return module.forward

    torch._dynamo.reset()
    function = torch.compile(lambda x, n: x * n, backend=backend, dynamic=False)
    for n in (2, 2, 3):
        assert torch.equal(function(torch.ones(2), n), torch.full((2,), float(n)))
    assert len(compiled) == 2
    torch._dynamo.reset()
