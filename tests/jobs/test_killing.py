"""SIGKILL to whatever runs, at any moment: no finished capture is lost, and every other one ends in a clear state.

In the strongest jail there is here, with captures that take a moment.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from running import HERE, carry, plan, stages, statuses, submission

from graphcap.jobs import pipeline
from graphcap.jobs.runner import Runner
from graphcap.sandbox.zygote.pool import Pool
from graphcap.settings import Settings
from graphcap.store.captures import Store

ROOT = Path(__file__).parents[2]
CAPTURES = 50
SECONDS = 300  # only so that a failure does not hang

CODE = """
begin(); say(Started('t1', 'eager')); time.sleep(0.1)
say(Ended('t1', stage('eager', graph('eager.0')))); say(Started('t1', 'export')); time.sleep({0})
say(Ended('t1', stage('export', graph('export.0')))); say(Bye())
"""

SERVER = """
import sys, time
sys.path.insert(0, {tests!r})
from pathlib import Path
from graphcap.jobs import pipeline, runner
from graphcap.settings import Settings
from graphcap.store.captures import Store
from running import FAKE
settings = Settings(data_dir=Path({data!r}), slots=2)
store = Store(settings.sqlalchemy_url)
runner.start(settings, store, pipeline.plan(settings, FAKE))
time.sleep(600)
"""


def server(settings: Settings) -> subprocess.Popen[bytes]:
    code = SERVER.format(tests=str(Path(__file__).parent), data=str(settings.data_dir))
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)


def below(pid: int) -> list[int]:
    """Every process below it, parents first."""
    parents: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(name))
    found, pending = [], [pid]
    while pending:
        new = parents.get(pending.pop(0), [])
        found += new
        pending += new
    return found


def test_at_random_moments(settings: Settings, store: Store) -> None:
    chance = random.Random(7)
    codes = [CODE.format(round(chance.random() / 4, 3)) + f"# {i}" for i in range(CAPTURES)]
    ids = [store.create(submission(code, "eager", "export")).id for code in codes]
    done: dict[str, object] = {}
    servers, kills, deadline = [server(settings), server(settings)], {"server": 0, "zygote": 0, "job": 0}, 0.0
    began = time.monotonic()
    try:
        while any(not summary.ended for summary in map(store.summary, ids) if summary is not None):
            assert time.monotonic() - began < SECONDS
            for id in ids:
                summary = store.summary(id)
                assert summary is not None
                if id in done:
                    assert (summary.targets, summary.status) == done[id]
                elif summary.status == "done":
                    done[id] = (summary.targets, summary.status)
            time.sleep(0.05)
            if time.monotonic() > deadline:
                deadline = time.monotonic() + 0.5 + chance.random()
                kill_something(chance, servers, kills)
                servers = [process if process.poll() is None else server(settings) for process in servers]
    finally:
        family = [pid for process in servers for pid in (process.pid, *below(process.pid))]
        for process in servers:
            process.kill()
            process.wait()
    assert all(kills.values()), kills
    for id in ids:
        summary = store.summary(id)
        assert summary is not None and summary.status in ("done", "failed")
        for stage, found in stages(summary).items() if summary.targets else ():
            assert found.status in ("done", "failed")
            assert bool(found.failures) == (found.status == "failed")
            assert found.status == "failed" or store.graph(id, f"{stage}.0") is not None
        if summary.status == "failed":
            assert summary.failures[0].type in ("interrupted", "killed", "supervisor-lost")
    assert len(done) > CAPTURES / 2
    while [pid for pid in family if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() - began < SECONDS
        time.sleep(0.01)


def kill_something(chance: random.Random, servers: list[subprocess.Popen[bytes]], kills: dict[str, int]) -> None:
    """A server, a zygote, or anything below it."""
    family = {process: below(process.pid) for process in servers}
    rules = [process for process, found in family.items() if found]
    what = chance.choice(["server", "zygote", "job", "job"])
    if not rules:
        return
    process = rules[0]
    victim = process.pid if what == "server" else family[process][0] if what == "zygote" else chance.choice(family[process])
    with suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
        kills["zygote" if victim == family[process][0] else what] += 1
    if victim == process.pid:
        process.wait()


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
