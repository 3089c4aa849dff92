"""The example of a model that fits no machine: on the meta device, with fewer of its blocks, which are all identical."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from capture_forks import in_fork
from capture_runs import Run, only, run_capture

from graphcap.analyses.columns import columns

SOURCE = (Path(__file__).parents[2] / "graphcap/web/examples/19_llama_70b.py").read_text()
BLOCKS = 4
FEWER = re.sub(r"28672, 80,", f"28672, {BLOCKS},", SOURCE)
PARAMETERS = 70_553_706_496  # Llama-3-70B's


@pytest.fixture(scope="module")
def captured() -> Run:
    assert FEWER != SOURCE
    return run_capture(FEWER, meta=True)


def test_the_example_has_the_parameters_of_llama_70b() -> None:
    def count() -> int:
        names: dict[str, object] = {"__name__": "llama"}
        exec(SOURCE, names)
        return sum(parameter.numel() for parameter in names["model"].parameters())  # type: ignore[attr-defined]

    assert in_fork(count) == PARAMETERS


def test_every_stage_is_there_without_memory(captured: Run) -> None:
    assert set(captured.statuses().values()) == {"done"}
    for stage in ("export", "forward"):
        graph = only(captured.stage(stage))
        parameters = [node for node in graph.nodes if node.placeholder and node.placeholder.kind == "parameter"]
        assert len(parameters) == 9 * BLOCKS + 3, stage
    assert {node.value.device for node in only(captured.stage("export")).nodes if hasattr(node.value, "device")} == {"meta"}


def test_it_is_what_raw_torch_exports(captured: Run) -> None:
    def export() -> tuple[str, str]:
        names: dict[str, object] = {"__name__": "llama"}
        exec(FEWER, names)
        program = torch.export.export(names["model"], names["example_args"])  # type: ignore[arg-type]
        return str(program.graph), str(program.run_decompositions().graph)

    found = only(captured.stage("export")).text, only(captured.stage("core_aten")).text
    assert found == in_fork(export)


@pytest.mark.parametrize(("stage", "folded"), [("export", BLOCKS), ("core_aten", BLOCKS), ("forward", BLOCKS - 1)])
def test_its_blocks_fold(captured: Run, stage: str, folded: int) -> None:
    """In the forward one of the blocks at the ends saves other values than those between."""
    repeats = columns(only(captured.stage(stage))).repeats
    assert folded in [len(repeat.copies) for repeat in repeats]
