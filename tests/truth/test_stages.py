"""Every stage of every case is, node for node, what raw torch gives in the same environment, or fails with its words."""

from __future__ import annotations

import pytest

from tests.truth.compared import compare_stage
from tests.truth.processes import Runs
from tests.truth.sources import STAGES, Case, cases

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_stage_is_what_torch_gives(case: Case, stage: str, runs: Runs) -> None:
    comparison = compare_stage(stage, runs.torch(case), runs.graphcap(case))
    assert comparison.verdict != "different", "\n\n" + "\n\n".join(comparison.differences)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_what_stopped_the_compiled_run_is_told(case: Case, runs: Runs) -> None:
    """A graph may be captured and then not compile or not run: its error stands with the stages of that run."""
    error = runs.torch(case)["aot"]["error"]
    if error is None:
        return
    stages = [runs.graphcap(case).stages[stage] for stage in ("joint", "forward", "backward")]
    told = [failure.message for stage in stages for failure in stage.failures]
    told += [text for stage in stages for text in (*stage.notes, stage.reason)]
    assert any(error[1][:80] in text for text in told), f"torch: {error}\ngraphcap: {told}"
