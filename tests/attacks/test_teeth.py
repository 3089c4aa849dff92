"""The list is not blind: with one wall missing, the attacks that only this wall stops get through, and are seen to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphcap.sandbox.jail.policy import JOB_ID
from tests.attacks.canaries import Planted, planted
from tests.attacks.listed import ATTACKS
from tests.attacks.served import Server, serving

pytestmark = pytest.mark.torch

TEETH = {layer: [name for name, attack in ATTACKS.items() if attack.without == layer] for layer in ("seccomp", "landlock")}


@pytest.fixture(scope="module")
def layer(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def weak(layer: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Tier landlock, which has fewer walls in a row."""
    with serving("landlock", tmp_path_factory.mktemp("weak"), without=layer) as server:
        yield server


@pytest.fixture
def prey() -> Iterator[Planted]:
    """Canaries of its own: these are harmed."""
    with planted() as found:
        yield found


def test_the_list_is_long_enough() -> None:
    assert len(ATTACKS) >= 60
    assert all(len(names) >= 5 for names in TEETH.values())


@pytest.mark.parametrize(
    ("layer", "name"),
    [(layer, name) for layer, names in TEETH.items() for name in names],
    indirect=["layer"],
    scope="module",
)
def test_it_gets_through(layer: str, name: str, weak: Server, prey: Planted, tmp_path: Path) -> None:
    known = {**prey.for_attacks, "server": 1, "zygote": 1, "data": str(tmp_path), "user": JOB_ID}
    ended = weak.ended(weak.paste(ATTACKS[name].source(known)))
    assert "[OUT]" in ended.log or prey.harm() or prey.secret in ended.log, ended.log
