"""Runs submissions through the pipeline with the fake capture in place of torch.

Its zygotes are unconfined, since the tests and what they submit tell each other things through files; tests/zygote and
tests/attacks have the jail.
"""

from __future__ import annotations

import atexit
import dataclasses
import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

from graphcap.graph.document import StageId
from graphcap.intake.accept import accept_code
from graphcap.intake.submission import Submission
from graphcap.jobs import pipeline
from graphcap.sandbox.zygote.pool import Plan, Pool
from graphcap.sandbox.zygote.process import Preload
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary, Claimed, Sender, StageSummary

FAKE = Preload("fake_capture", path=(str(Path(__file__).parent), str(Path(__file__).parents[2])))
HERE = Sender("127.0.0.1", local=True)
"""Who may run something without a jail."""


def alive(pid: int) -> bool:
    """Whether a process runs: one that is dead may wait for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("latin-1").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def plan(settings: Settings) -> Plan:
    """Zygotes with the fake capture, for a `Runner`."""
    return dataclasses.replace(pipeline.plan(settings, FAKE), tier="none", unconfined=True)


@functools.cache
def shared_pool() -> Pool:
    """One for every test that needs none of its own."""
    folder = tempfile.TemporaryDirectory()
    pool = Pool(plan(Settings(data_dir=Path(folder.name))))
    pool.start()
    atexit.register(folder.cleanup)
    atexit.register(pool.close)  # before the folder goes
    return pool


def carry(
    claimed: Claimed,
    store: Store,
    settings: Settings,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    pipeline.carry(claimed, store, settings, shared_pool(), stopping)


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
