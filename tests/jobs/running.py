"""Runs submissions through the pipeline with the fake capture in place of torch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from graphcap.graph.document import StageId
from graphcap.intake.accept import accept_code
from graphcap.intake.submission import Submission
from graphcap.jobs import pipeline
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary, StageSummary

FAKE = (sys.executable, str(Path(__file__).with_name("fake_capture.py")))

carry = partial(pipeline.carry, command=FAKE)


def submission(code: str, *stages: StageId, settings: Settings | None = None) -> Submission:
    options = {"stages": list(stages)} if stages else None
    return accept_code(code, None, options, settings or Settings())


def run(
    store: Store,
    settings: Settings,
    code: str,
    *stages: StageId,
    stopping: Callable[[], bool] = lambda: False,
) -> CaptureSummary:
    """Submits and runs to the end."""
    id = store.create(submission(code, *stages)).id
    claimed = store.claim()
    assert claimed is not None and claimed.id == id
    carry(claimed, store, settings, stopping)
    summary = store.summary(id)
    assert summary is not None
    return summary


def stages(summary: CaptureSummary, target: int = 0) -> dict[str, StageSummary]:
    return {stage.id: stage for stage in summary.targets[target].stages}


def statuses(summary: CaptureSummary, target: int = 0) -> dict[str, str]:
    return {id: stage.status for id, stage in stages(summary, target).items()}
