"""A second call with other inputs: what is compiled anew, and why, against what plain torch.compile does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compile_forks import dynamo, in_fork, names, own
from compile_models import Choice, TwoBreaks, X, target

from graphcap.capture.stages.second import HELD, SECOND_WORDS
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Graph, Stage

pytestmark = pytest.mark.torch


def scaled(x: torch.Tensor, factor: Any = 2) -> torch.Tensor:
    return (x * factor).sum()


def branching(x: torch.Tensor, how: str) -> torch.Tensor:
    y = x.sin()
    torch._dynamo.graph_break()
    if how == "sum":
        return y.sum()
    z = y.mean()
    torch._dynamo.graph_break()
    return z + 1


def second(model: Any, first: tuple[Any, ...], then: tuple[Any, ...], **more: Any) -> Callable[[], Loaded]:
    return lambda: dataclasses.replace(target(model, *first), second=(then, more))


def anew(stage: Stage) -> list[Graph]:
    """What the second call brought."""
    return [graph for graph in stage.graphs if graph.recompile or graph.variant]


def raw_codes(make: Callable[[], Loaded]) -> list[list[str]]:
    """Names of the nodes of every graph that plain torch.compile makes in both calls."""

    def work() -> list[list[str]]:
        found: list[list[str]] = []

        def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            found.append([node.name for node in module.graph.nodes])
            return module.forward

        loaded = make()
        compiled = torch.compile(loaded.model, backend=backend)
        compiled(*loaded.args, **loaded.kwargs)
        assert loaded.second is not None
        compiled(*loaded.second[0], **loaded.second[1])
        return found

    return in_fork(work)  # type: ignore[no-any-return]


CASES = {
    "a shape": (second(scaled, (X,), (torch.ones(5, 3),)), "tensor 'x' size mismatch at index 0. expected 2, actual 5"),
    "a number": (second(scaled, (X,), (X,), factor=7), "factor == 2"),
    "a dtype": (second(scaled, (X,), (X.double(),)), "tensor 'x' dtype mismatch. expected Float, actual Double"),
    "what requires grad": (
        second(scaled, (X,), (X.clone().requires_grad_(),)),
        "tensor 'x' requires_grad mismatch. expected requires_grad=0",
    ),
    "a type": (second(scaled, (X,), (X, X)), None),
}


@pytest.mark.parametrize("name", CASES)
def test_a_guard_that_fails_is_named_and_the_fragment_compiled_anew(name: str) -> None:
    make, says = CASES[name]
    stage = dynamo(make)
    (graph,) = anew(stage)
    assert (graph.id, graph.fragment, graph.recompile) == ("dynamo.0.r1", 0, 1)
    assert graph.title == "target (compiled anew for the second inputs)"
    assert [names(one) for one in (*own(stage), graph)] == raw_codes(make)
    (recompile,) = stage.recompiles
    assert (recompile.fragment, recompile.recompile) == (0, 1)
    (failed,) = recompile.failed
    assert failed.text in recompile.reason and recompile.reason.startswith("0/0: ")
    if says is not None:
        assert failed.text == says
    guard = stage.guards[failed.guard]
    assert failed.guard >= 0 and guard.recompile == 0
    assert ("x" if "'x'" in failed.text else "factor") in guard.source
    assert graph.replay is not None and graph.replay.close
    assert {guard.recompile for guard in stage.guards} == {0, 1}


def test_what_only_the_second_inputs_reach_is_no_fragment_of_the_first_call() -> None:
    make = second(branching, (X, "sum"), (X, "mean"))
    stage = dynamo(make)
    assert [graph.id for graph in own(stage)] == ["dynamo.0", "dynamo.1"]
    assert [graph.id for graph in anew(stage)] == ["dynamo.1.r1", "dynamo.2.second_inputs"]
    assert [names(graph) for graph in (*own(stage), *anew(stage))] == raw_codes(make)
    assert [(r.fragment, r.failed[0].text) for r in stage.recompiles] == [(1, "how == 'sum'")]


def test_the_same_inputs_compile_nothing_and_it_is_said() -> None:
    stage = dynamo(second(scaled, (X,), (X.clone(),)))
    assert not anew(stage) and not stage.recompiles
    assert f"{SECOND_WORDS}, {HELD}" in stage.notes


def test_breaks_and_bodies_keep_their_places() -> None:
    stage = dynamo(second(TwoBreaks(), (X,), (torch.ones(7, 3),)))
    assert [graph.id for graph in anew(stage)] == ["dynamo.0.r1", "dynamo.1.r1", "dynamo.2.r1"]
    bodies = dynamo(second(Choice(), (X,), (torch.ones(7, 3),))).graphs
    assert {graph.parent for graph in bodies if graph.recompile} == {"", "dynamo.0.r1"}


def test_a_second_call_that_fails_is_a_note() -> None:
    stage = dynamo(second(scaled, (X,), (X, "not a number")))
    assert stage.status == "done" and len(own(stage)) == 1
    assert any(note.startswith("called with the second inputs: ") for note in stage.notes)


def test_without_second_inputs_nothing_is_said() -> None:
    stage = dynamo(lambda: target(scaled, X))
    assert not anew(stage) and not any(HELD in note for note in stage.notes)
