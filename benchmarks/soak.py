"""What is left behind by many captures: `python -m benchmarks.soak`. 200 in a row, then 8 at once, five times.

Prints processes, descriptors and resident memory of the server (this process) and of its zygote as it goes; the exit code
is 1 where processes or descriptors grew, memory grew beyond a bound, or a capture did not end as it should.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import os
import sys
import tempfile
import time
from pathlib import Path

from graphcap.intake.accept import accept_code
from graphcap.jobs.jailstate import kept
from graphcap.jobs.runner import Runner, submit
from graphcap.settings import Settings
from graphcap.store.captures import Store

MIB = 1 << 20
BOUND_MIB = 32.0  # of growth, of server and zygote each
AT_ONCE = 8
BURSTS = 5
POLL_SECONDS = 0.005
SPARE_SECONDS = 2.0  # after a capture the zygote makes ready what the next one needs

SIN = """import torch


class Sin{number}(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()


torch.export.export(Sin{number}(), (torch.randn(4),))
"""


@dataclasses.dataclass(frozen=True)
class Held:
    """Processes below the server, its descriptors and its zygote's, resident memory in MiB."""

    processes: int
    server_fds: int
    zygote_fds: int
    server_mib: float
    zygote_mib: float

    def __str__(self) -> str:
        """One line's end."""
        return (
            f"processes {self.processes}   descriptors {self.server_fds} + {self.zygote_fds}   "
            f"memory {self.server_mib:.1f} + {self.zygote_mib:.1f} MiB"
        )


def held(settings: Settings) -> Held:
    """With nothing running, and the process made ready that waits for the next capture."""
    time.sleep(SPARE_SECONDS)
    gc.collect()
    (zygote,) = [each.pid for each in kept(settings).zygotes if each.status == "ready"]
    return Held(len(below(os.getpid())), fds(os.getpid()), fds(zygote), resident_mib(os.getpid()), resident_mib(zygote))


def fds(pid: int) -> int:
    """Open descriptors."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident_mib(pid: int) -> float:
    """Resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


def below(top: int) -> list[int]:
    """Processes below one, zombies too."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)] = int(Path("/proc", name, "stat").read_text("latin-1").rpartition(")")[2].split()[1])
        except OSError:  # it ended while we looked
            continue
    found = [top]
    for one in found:
        found += [pid for pid, parent in parents.items() if parent == one]
    return found[1:]


class Soak:
    """Captures, numbered so that none was seen before."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._number = 0

    def run(self, count: int) -> float:
        """So many at once; the seconds it took. Raises if one did not give its graph."""
        began = time.monotonic()
        ids = []
        for _ in range(count):
            self._number += 1
            submission = accept_code(SIN.format(number=self._number), None, {"stages": ["export"]}, self._settings)
            ids.append(submit(self._store, self._settings, submission).id)
        for id in ids:
            while (summary := self._store.summary(id)) is not None and not summary.ended:
                time.sleep(POLL_SECONDS)
            if summary is None or summary.status != "done" or not summary.targets[0].stages[0].graphs:
                raise SystemExit(f"a capture ended as {summary}")
        return time.monotonic() - began


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, default=200)
    captures = parser.parse_args().captures
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        settings = Settings(data_dir=Path(name, "data"), slots=AT_ONCE, queue=4 * AT_ONCE, zygote_captures=100_000)
        store = Store(settings.sqlalchemy_url)
        store.migrate()
        runner = Runner(settings, store)
        runner.start()
        try:
            return soak(Soak(settings, store), settings, captures)
        finally:
            runner.stop()
            store.close()


def soak(many: Soak, settings: Settings, captures: int) -> int:
    """1 where something is left behind."""
    many.run(2 * AT_ONCE)  # every thread and connection there will be
    before = held(settings)
    print(f"at the start          {before}", flush=True)
    step = max(1, captures // 4)
    for done in range(step, captures + 1, step):
        seconds = sum(many.run(1) for _ in range(step)) / step
        print(f"{done:4} in a row         {held(settings)}   {1000 * seconds:.0f} ms each", flush=True)
    for burst in range(1, BURSTS + 1):
        seconds = many.run(AT_ONCE)
        print(f"{burst} x {AT_ONCE} at once         {held(settings)}   {seconds:.1f} s", flush=True)
    after = held(settings)
    grown = max(after.server_mib - before.server_mib, after.zygote_mib - before.zygote_mib)
    files = 3 * settings.slots  # a slot that runs for the first time opens SQLite: database, log, shared memory
    leak = (
        after.processes > before.processes
        or after.server_fds > before.server_fds + files
        or after.zygote_fds > before.zygote_fds
    )
    verdict = "LEAK" if leak or grown > BOUND_MIB else "no leak"
    print(f"\n{verdict}: memory grew by {grown:.1f} MiB at most (bound {BOUND_MIB:.0f})")
    return int(verdict == "LEAK")


if __name__ == "__main__":
    sys.exit(main())
