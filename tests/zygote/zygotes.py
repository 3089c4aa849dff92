"""Pools of zygotes that execute code, and one way to run something in them."""

from __future__ import annotations

import atexit
import functools
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphcap.sandbox.jail.policy import Tier
from graphcap.sandbox.outcome import Limits, Outcome
from graphcap.sandbox.zygote.pool import Plan, Pool, ZygoteState
from graphcap.sandbox.zygote.process import Preload
from graphcap.sandbox.zygote.run import run

HERE = str(Path(__file__).parent)
ROOT = str(Path(__file__).parents[2])
MIB = 1 << 20
LIMITS = Limits(
    wall_seconds=300,  # so that a failure does not hang; what it is there for is tested with its own
    cpu_seconds=30,
    memory_bytes=512 * MIB,
    file_bytes=MIB,
    files=200,
    open_files=64,
    processes=4096,
    log_bytes=10_000,
    result_bytes=100_000,
)


def changed(**values: float) -> Limits:
    return Limits(**{**LIMITS.__dict__, **values})


class Ran:
    """A finished run with what came out of it."""

    def __init__(self, outcome: Outcome, result: bytes, log: bytes) -> None:
        self.outcome, self.result, self.log = outcome, result, log

    @property
    def pids(self) -> list[int]:
        """What the job said are its processes."""
        return [int(word) for word in self.log.split()]


def run_code(
    pool: Pool,
    code: str,
    limits: Limits = LIMITS,
    take: Callable[[bytes], bool] = lambda data: True,
    cancelled: Callable[[bytes], bool] = lambda log: False,
    files: Sequence[tuple[str, bytes]] = (),
    told: Callable[[bytes], None] = lambda log: None,
) -> Ran:
    """`take` sees the result, `told` the log as they come; `cancelled` is given the log so far."""
    result, log = bytearray(), bytearray()

    def on_result(data: bytes) -> bool:
        result.extend(data)
        return take(data)

    def on_log(data: bytes) -> None:
        log.extend(data)
        told(data)

    outcome = run(
        pool,
        code.encode(),
        files,
        limits=limits,
        on_result=on_result,
        on_log=on_log,
        cancelled=lambda: cancelled(bytes(log)),
    )
    return Ran(outcome, bytes(result), bytes(log))


@contextmanager
def started(tier: Tier = "none", captures: int = 1000, module: str = "runs_code", **environment: str) -> Iterator[Pool]:
    """A pool of its own."""
    preload = Preload(module, path=(HERE, ROOT), readable=(HERE,), environment=environment)
    with tempfile.TemporaryDirectory() as folder:
        pool = Pool(Plan(preload, Path(folder), captures, tier, unconfined=True))
        pool.start()
        try:
            yield pool
        finally:
            pool.close()


@functools.cache
def shared(tier: Tier = "none") -> Pool:
    """One for all tests that need none of their own."""
    held = started(tier)
    pool = held.__enter__()
    atexit.register(held.__exit__, None, None, None)
    return pool


def alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def until(holds: Callable[[], object], seconds: float = 300) -> None:
    """Waits; the time is only there so that a failure does not hang."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_until_dead(*pids: int) -> None:
    """A killed process is gone some moments after the kernel was told."""
    until(lambda: not any(alive(pid) for pid in pids))


def ready(pool: Pool) -> ZygoteState:
    """The zygote in force, once there is one."""
    until(lambda: [zygote for zygote in pool.state.zygotes if zygote.status == "ready"])
    return next(zygote for zygote in pool.state.zygotes if zygote.status == "ready")


def below(pid: int) -> set[int]:
    """Every living process below `pid`."""
    parents: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if alive(int(name)):
            parents.setdefault(parent, []).append(int(name))
    found, pending = set(), [pid]
    while pending:
        new = parents.get(pending.pop(), [])
        found.update(new)
        pending += new
    return found


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
