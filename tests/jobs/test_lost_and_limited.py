"""A capture that dies with its zygote is run again, once; and at every limit a person reads which one it was."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from running import HERE, carry, plan, stages, statuses, submission

from graphcap.jobs import pipeline
from graphcap.jobs.runner import Runner
from graphcap.sandbox.zygote.pool import Pool
from graphcap.settings import Settings
from graphcap.store.captures import Store

SECONDS = 300  # only so that a failure does not hang


def test_a_capture_that_is_lost_with_its_zygote_is_run_again_once(settings: Settings, store: Store, tmp_path: Path) -> None:
    """The first attempt kills its zygote; the second finds the mark that it left."""
    mark = str(tmp_path / "tried")
    code = f"""
begin()
if not os.path.exists({mark!r}):
    open({mark!r}, 'w').close()
    supervisor = open(f'/proc/{{os.getppid()}}/stat').read().rpartition(')')[2].split()
    os.kill(int(supervisor[1]), 9); time.sleep(600)
whole(); say(Bye())
"""
    id = store.create(submission(code, "eager"), sender=HERE).id
    unsafe = Settings(data_dir=settings.data_dir, unsafe_no_jail=True)
    runner = Runner(unsafe, store, plan(unsafe))
    runner.start()
    began = time.monotonic()
    while (summary := store.summary(id)) is None or not summary.ended:
        assert time.monotonic() - began < SECONDS
        time.sleep(0.02)
    runner.stop()
    assert summary.status == "done" and statuses(summary) == {"eager": "done"}


def test_one_that_is_lost_twice_is_given_up_with_what_it_had(settings: Settings, store: Store) -> None:
    code = """
begin(); say(Started('t1', 'eager')); say(Ended('t1', stage('eager', graph('eager.0'))))
say(Started('t1', 'export'))
os.kill(int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]), 9); time.sleep(600)
"""
    unsafe = Settings(data_dir=settings.data_dir, unsafe_no_jail=True)
    with_own = Pool(plan(unsafe))
    with_own.plan.root.mkdir(parents=True)
    with_own.start()
    id = store.create(submission(code, "eager", "export"), sender=HERE).id
    for attempt in (1, 2):
        claimed = store.claim()
        assert claimed is not None and claimed.attempt == attempt
        pipeline.carry(claimed, store, unsafe, with_own)
    with_own.close()
    summary = store.summary(id)
    assert summary is not None and summary.status == "done"
    assert statuses(summary) == {"eager": "done", "export": "failed"}
    assert stages(summary)["export"].failures[0].type == "supervisor-lost"


LIMITED = {
    "memory-limit": ("Failure('memory-limit', 'no room')", "4096 MiB of memory (GRAPHCAP_CAPTURE_MEMORY_MIB)"),
    "timeout": ("Failure('timeout', 'stopped after 120 s')", "120 s of wall clock a route (GRAPHCAP_ROUTE_WALL_SECONDS)"),
    "cpu": ("Failure('cpu-limit', 'SIGXCPU')", "300 s of CPU time (GRAPHCAP_CAPTURE_CPU_SECONDS)"),
    "disk": ("Failure('OSError', '[Errno 28] No space left on device')", "64 MiB (GRAPHCAP_CAPTURE_FILES_MIB)"),
    "threads": ("Failure('RuntimeError', \"can't start new thread\")", "(GRAPHCAP_CAPTURE_PROCESSES)"),
    "descriptors": ("Failure('OSError', '[Errno 24] Too many open files')", "256 open files (GRAPHCAP_CAPTURE_OPEN_FILES)"),
    "size": ("Failure('too-large', 'more than may be sent')", "200000 nodes (GRAPHCAP_STAGE_NODES)"),
}


@pytest.mark.parametrize("name", LIMITED)
def test_at_a_limit_a_person_reads_which_one_and_how_it_is_set(store: Store, settings: Settings, name: str) -> None:
    failure, says = LIMITED[name]
    id = store.create(
        submission(f"begin(); say(Ended('t1', stage('eager', status='failed', failures=({failure},)))); say(Bye())", "eager")
    ).id
    claimed = store.claim()
    assert claimed is not None
    carry(claimed, store, settings)
    summary = store.summary(id)
    assert summary is not None
    (told,) = stages(summary)["eager"].failures
    assert says in told.hints[-1]
