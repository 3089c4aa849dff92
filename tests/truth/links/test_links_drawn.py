"""Links of small models drawn at random: true to raw torch, inside their graphs, and composed of one another."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from graphcap.analyses.links.linked import linked
from graphcap.analyses.links.places import place
from tests.truth.links.drawn import source
from tests.truth.links.verify import Verified
from tests.truth.processes import Runs
from tests.truth.sources import Case

pytestmark = pytest.mark.torch

WAYS = (
    ("dynamo", "joint", "forward"),
    ("dynamo", "joint", "backward"),
    ("forward", "joint", "backward"),
    ("forward", "joint", "forward"),
    ("backward", "joint", "backward"),
)
"""Ways on which the second step goes by name, so that nothing may be lost."""


@pytest.mark.parametrize("seed", range(10))
def test_links_of_a_model_drawn_at_random(seed: int, tmp_path: Path, runs: Runs) -> None:
    path = tmp_path / f"drawn{seed}.py"
    path.write_text(source(seed), encoding="utf-8")
    model = Case(f"drawn/{seed}", path)
    found = Verified(runs.graphcap(model), runs.evidence(model))
    assert {"eager", "dynamo", "joint", "forward", "backward"} <= {place(gid).stage for gid in found.graphs}
    assert not list(itertools.islice(found.wrong(), 5))
    assert not list(itertools.islice(found.missing(), 5))
    assert found.checked
    points_inside(found)
    composes(found)


def points_inside(found: Verified) -> None:
    for a, b in itertools.product(found.graphs, repeat=2):
        links = linked(a, b, found.shelf)
        sizes = len(found.graphs[a].nodes), len(found.graphs[b].nodes)
        pairs = [*((i, j) for i, j, _ in links.exact), *links.line]
        assert len(pairs) == len(set(pairs)) and links.cut == 0
        assert all(0 <= i < sizes[0] and 0 <= j < sizes[1] for i, j in pairs)


def composes(found: Verified) -> None:
    """Exact links by way of the joint graph are exact links: those of its names, and of what was made by name."""
    for a, b, c in itertools.permutations(found.graphs, 3):
        stages = tuple(place(gid).stage for gid in (a, b, c))
        same = len({(place(gid).fragment, place(gid).body) for gid in (a, b, c)}) == 1
        if stages in WAYS and same:
            first = [(i, j) for i, j, evidence in found.links(a, b).exact if stages[0] == "dynamo" or evidence == "name"]
            second = [(j, k) for j, k, evidence in found.links(b, c).exact if evidence == "name"]
            whole = {(i, k) for i, k, _ in found.links(a, c).exact}
            ends: dict[int, list[int]] = {}
            for j, k in second:
                ends.setdefault(j, []).append(k)
            assert {(i, k) for i, j in first for k in ends.get(j, ())} <= whole, (a, b, c)
