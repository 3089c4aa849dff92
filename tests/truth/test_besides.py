"""The graphs a fragment has besides its own, and what its graphs gave when they were run, against raw torch."""

from __future__ import annotations

import json
import subprocess
import sys

import msgspec
import pytest

from graphcap.graph.added import with_added
from graphcap.graph.document import Options, Stage
from graphcap.graph.stream import Added
from tests.truth.compared import graph_differs
from tests.truth.processes import Captured, Runs
from tests.truth.product import graph_facts
from tests.truth.sources import FOLDERS, ROOT, STAGES, Case, cases

pytestmark = pytest.mark.torch

MODELS = [
    "examples/02_mlp",
    "examples/03_cnn",
    "examples/04_gpt",
    "examples/07_cond",
    "examples/08_graph_breaks",
    "examples/10_decompositions",
    "examples/11_checkpointing",
    "cases/deep_recompute",
    "cases/tied",
    "hard/break_in_submodule",
    "hard/inputs_mutated",
]
OTHER = {"min_cut": "default", "default": "min_cut"}


def case_of(model: str, partitioner: str) -> Case:
    folder, stem = model.split("/")
    options = msgspec.convert({"partitioner": partitioner}, Options)
    return Case(f"{model}:{partitioner}", FOLDERS[folder] / f"{stem}.py", options)


def whole(captured: Captured, stage: str) -> Stage:
    """With what was added once it had ended."""
    found = captured.stages[stage]
    for message in captured.messages:
        if isinstance(message, Added) and (message.target, message.stage) == ("t1", stage):
            found = with_added(found, message)
    return found


CASES = [case_of(model, partitioner) for model in MODELS for partitioner in OTHER]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_other_halves_are_those_of_torchs_other_partitioner(case: Case, runs: Runs) -> None:
    model, partitioner = case.id.split(":")
    other = OTHER[partitioner]
    asked_for_it = runs.torch(case_of(model, other))
    for stage in ("forward", "backward"):
        plain = {
            gid: facts
            for gid, facts in asked_for_it[stage]["graphs"].items()
            if gid.split("/")[0] in with_backward(case, runs)
        }
        ours = {g.id.replace(f".{other}", ""): g for g in whole(runs.graphcap(case), stage).graphs if g.variant == other}
        assert sorted(ours) == sorted(plain)
        differences = [text for gid, facts in plain.items() for text in graph_differs(gid, facts, graph_facts(ours[gid]))]
        assert not differences, "\n\n".join(differences)


def with_backward(case: Case, runs: Runs) -> set[str]:
    """GIDs of the fragments' graphs that have two halves."""
    found = runs.graphcap(case).stages["joint"].graphs
    return {f"{stage}.{graph.fragment}" for stage in ("forward", "backward") for graph in found}


RUN = """import json, sys, torch
from torch.utils._pytree import tree_leaves
from tests.truth.loading import load
found = {}
for path in sys.argv[1:]:
    one = load(path, {"meta": False, "mode": "as_written"})
    eager = tree_leaves(one.model(*one.args, **one.kwargs))
    core = torch.export.export(one.model, one.args, one.kwargs, dynamic_shapes=one.dynamic_shapes).run_decompositions()
    ours = tree_leaves(core.module()(*one.args, **one.kwargs))
    found[path] = max((a.double() - b.double()).abs().max().item() for a, b in zip(eager, ours, strict=True))
print(json.dumps(found))
"""
STATELESS = [
    "examples/01_sin",
    "examples/02_mlp",
    "examples/04_gpt",
    "examples/06_mixture_of_experts",
    "cases/tied",
    "cases/einsum",
]


@pytest.fixture(scope="module")
def differences() -> dict[str, float]:
    """By path: how far the outputs of torch's own run of the decomposed program are from eager's."""
    paths = [str(case_of(model, "min_cut").path) for model in STATELESS]
    result = subprocess.run([sys.executable, "-W", "ignore", "-c", RUN, *paths], check=True, cwd=ROOT, capture_output=True)
    return json.loads(result.stdout.splitlines()[-1])  # type: ignore[no-any-return]


@pytest.mark.parametrize("model", STATELESS)
def test_the_difference_is_that_of_torchs_own_run(model: str, differences: dict[str, float], runs: Runs) -> None:
    case = case_of(model, "min_cut")
    (graph,) = [graph for graph in whole(runs.graphcap(case), "core_aten").graphs if not graph.parent]
    assert graph.replay is not None and graph.replay.status == "compared"
    assert graph.replay.max_abs == differences[str(case.path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_graph_of_these_gives_what_eager_gives(case: Case, runs: Runs) -> None:
    for stage in STAGES:
        for graph in whole(runs.graphcap(case), stage).graphs:
            if not graph.parent:
                assert graph.replay is not None, graph.id
                assert (graph.replay.status, graph.replay.close) == ("compared", True), f"{graph.id}: {graph.replay}"
                assert (graph.replay.gradients > 0) == (stage not in ("export", "core_aten", "forward")), graph.id


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_no_graph_gives_something_else_than_eager(case: Case, runs: Runs) -> None:
    for stage in STAGES:
        found = whole(runs.graphcap(case), stage)
        for graph in found.graphs:
            if graph.parent:
                continue
            if graph.replay is None:
                assert found.status == "failed", f"{graph.id} was not run"
            else:
                assert graph.replay.close or (graph.replay.status, graph.replay.reason != "") == ("not-compared", True), (
                    graph.id
                )
