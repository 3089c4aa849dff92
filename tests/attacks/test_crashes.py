"""kill -9 of whatever takes part, at random moments: what was finished stays, and all else ends in a clear state."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphcap.jobs.jailstate import kept
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary
from tests.attacks.served import SETTLE_SECONDS, TIERS, Starting, below, limits

CAPTURES = 50
KILLS = 40
SEED = 20260
SECONDS = 570.0  # only so that a failure does not hang
CLEAR = {"killed", "supervisor-lost", "interrupted"}
"""What a person reads where it was killed from outside: never a fault of their own."""


class Storm:
    """A server that is started again whenever it is killed, and the captures seen to end."""

    def __init__(self, starting: Starting, store: Store) -> None:
        self.random = random.Random(SEED)
        self.starting = starting
        self.store = store
        self.process = starting.start()
        self.kills: list[str] = []
        self.seen: dict[str, CaptureSummary] = {}

    def strike(self) -> None:
        """Kills one process: the server, its zygote, or one below that (a supervisor, a job, the first of a namespace)."""
        kind = self.random.choices(("server", "zygote", "job"), (1, 2, 4))[0]
        zygotes = [zygote.pid for zygote in kept(self.starting.settings).zygotes if zygote.status == "ready"]
        zygotes = [pid for pid in zygotes if pid in below(self.process.pid)]
        if kind != "server" and not zygotes:
            return
        jobs = below(zygotes[0]) if kind == "job" else []
        if kind == "job" and not jobs:
            return
        pid = {"server": lambda: self.process.pid, "zygote": lambda: zygotes[0], "job": lambda: self.random.choice(jobs)}[
            kind
        ]()
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self.kills.append(kind)
        if kind == "server":
            self.process.wait()
            self.process = self.starting.start()

    def look(self, ids: list[str]) -> None:
        """Notes what has ended, and that what had is as it was."""
        for id in ids:
            summary = self.store.summary(id)
            assert summary is not None
            if id in self.seen:
                assert summary == self.seen[id], "a capture changed after it had ended"
            elif summary.ended:
                self.seen[id] = summary


@pytest.fixture(params=TIERS)
def storm(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storm]:
    settings = limits(tmp_path / "data")
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    found = Storm(Starting(request.param, tmp_path, settings, preload="tests.attacks.quick"), store)
    yield found
    found.starting.stop(found.process)
    store.close()


def test_kill_9_of_anything_at_any_moment(storm: Storm) -> None:
    left = list(range(CAPTURES))
    ids: list[str] = []
    deadline = time.monotonic() + SECONDS
    while left or len(storm.seen) < CAPTURES:
        assert time.monotonic() < deadline, [
            summary for id in ids if id not in storm.seen and (summary := storm.store.summary(id))
        ]
        if left and len(ids) - len(storm.seen) < 2 * storm.starting.settings.slots:
            ids.append(storm.starting.paste(storm.store, f"number = {left.pop()}"))
        time.sleep(storm.random.uniform(0, 0.2))
        if len(storm.kills) < KILLS:
            storm.strike()
        storm.look(ids)
    assert {"server", "zygote", "job"} <= set(storm.kills)
    ends = [_end_of(storm.seen[id], storm.store) for id in ids]
    unclear = [storm.seen[id] for id, end in zip(ids, ends, strict=True) if end not in ("done", *CLEAR)]
    assert not unclear, str([summary.failures for summary in unclear])
    assert ends.count("done") >= CAPTURES // 4, ends
    assert str(_left_below(storm)) == "[]", "a process was left behind"


def _end_of(summary: CaptureSummary, store: Store) -> str:
    """`done` if every stage is there and can be read; else how it failed."""
    failures = list(summary.failures)
    for target in summary.targets:
        for stage in target.stages:
            failures += stage.failures
            assert stage.status in ("done", "failed"), stage
            for graph in stage.graphs:
                assert store.graph(summary.id, graph.id) is not None
    if failures:
        assert all(failure.message for failure in failures)
        return failures[0].type
    assert summary.status == "done" and summary.targets
    return "done"


def _left_below(storm: Storm) -> list[int]:
    """Jobs of the zygote, and processes of this server's kind that nobody looks after any more."""
    mark = str(storm.starting.settings.data_dir).encode()
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        ours = {storm.process.pid, *below(storm.process.pid)}
        lost = [pid for pid in _all() if pid not in ours and mark in _words(pid)]
        if not lost or time.monotonic() > deadline:
            return lost
        time.sleep(0.05)


def _all() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _words(pid: int) -> bytes:
    """Its command and environment: the server has the data folder in the one, what it starts in the other."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
    return b""
