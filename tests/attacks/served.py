"""The test's side of the server under attack: starts it, submits to it, looks at what it and its zygotes hold."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.jobs.jailstate import kept
from graphcap.jobs.runner import submit
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary
from tests.jail.jailed import AS_ROOT, command

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TIERS = ("namespaces", "landlock")
ROUTE_SECONDS, WALL_SECONDS = 6, 9
WARM_SECONDS = 300.0
PATIENCE = 300.0  # for a capture; far above every limit, so that its own limits must end it
STOP_SECONDS = 300.0  # these only so that a failure does not hang
SETTLE_SECONDS = 5.0  # what was killed is gone by then

STARTER = "open root" if AS_ROOT else "ordinary"
"""With Python where the jobs' user can read it: else tier landlock gets a root of its own, stronger than it may be."""

SOUND = """import torch
class Sin{number}(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()
torch.export.export(Sin{number}(), (torch.randn(4),))
print("sound")
"""


def limits(data: Path) -> Settings:
    """Short ones."""
    return Settings(
        data_dir=data,
        slots=8,
        queue=100,
        route_wall_seconds=ROUTE_SECONDS,
        capture_wall_seconds=WALL_SECONDS,
        capture_cpu_seconds=WALL_SECONDS,
        capture_memory_mib=512,
        capture_files_mib=8,
        capture_files=256,
        capture_open_files=128,
        capture_processes=64,
        log_kib=64,
        message_mib=2,
        stage_nodes=1000,
        result_mib=8,
        zygote_captures=100_000,
    )


@dataclasses.dataclass(frozen=True)
class Ended:
    """A capture that is over, and what it printed."""

    summary: CaptureSummary
    log: str

    @property
    def ending(self) -> str:
        """`done`, or the type of the failure that a person reads first."""
        if self.summary.failures:
            return self.summary.failures[0].type
        for target in self.summary.targets:
            for stage in target.stages:
                if stage.failures:
                    return stage.failures[0].type
        return self.summary.status


class Server:
    """Running, with one warm zygote. `submit` and `ended` may be called from any process: they go through the store."""

    def __init__(self, settings: Settings, store: Store, process: subprocess.Popen[str]) -> None:
        self.settings = settings
        self.store = store
        self.process = process
        self._sound = 0

    def paste(self, code: str, stage: str = "export") -> str:
        """Submits; the capture's id."""
        return self._submit(accept_code(code, None, {"stages": [stage], "rerun": True}, self.settings))

    def upload(self, data: bytes) -> str:
        """The same with a file."""
        options = {"stages": ["export"], "rerun": True}
        return self._submit(accept_files([Upload("attack.pt2", data)], options, self.settings))

    def _submit(self, submission: Submission) -> str:
        return submit(self.store, self.settings, submission).id

    def ended(self, id: str) -> Ended:
        """Waits for the end."""
        deadline = time.monotonic() + PATIENCE
        while True:
            summary = self.store.summary(id)
            assert summary is not None
            if summary.ended:
                log = self.store.log(id)
                return Ended(summary, log.text if log else "")
            assert self.process.poll() is None, "the server has died"
            assert time.monotonic() < deadline, f"a capture is still {summary.status} after {PATIENCE:g} s"
            time.sleep(0.01)

    def sound(self) -> str:
        """Submits a normal capture, never seen before."""
        self._sound += 1
        return self.paste(SOUND.format(number=self._sound))

    def assert_sound(self, id: str) -> None:
        """It ended as if nothing had been."""
        ended = self.ended(id)
        assert ended.ending == "done" and ended.log == "sound\n", ended
        (graph,) = ended.summary.targets[0].stages[0].graphs
        assert graph.nodes == 4

    @property
    def zygote(self) -> int:
        """The pid of the one zygote."""
        (zygote,) = kept(self.settings).zygotes
        assert zygote.status == "ready", zygote
        return zygote.pid

    def below(self) -> list[int]:
        """Every living process below the server."""
        return below(self.process.pid)

    def quiet(self, processes: int) -> list[int]:
        """The same, once there are no more than so many or the time for it is over."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while len(found := self.below()) > processes and time.monotonic() < deadline:
            time.sleep(0.02)
        return found


def below(top: int) -> list[int]:
    """Living descendants of a process, in order."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            state, parent = Path("/proc", name, "stat").read_text("latin-1").rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(name))
    found, pending = [], [top]
    while pending:
        new = children.get(pending.pop(), [])
        found += new
        pending += new
    return sorted(found)


@dataclasses.dataclass(frozen=True)
class Starting:
    """How a server is started, and started again. `preload`: a module for its zygotes in place of the real one."""

    tier: str
    folder: Path
    settings: Settings
    secret: str = ""
    without: str = ""
    preload: str = ""

    def start(self) -> subprocess.Popen[str]:
        """AssertionError where the machine has no such tier: nothing is skipped."""
        plain = {**dataclasses.asdict(self.settings), "data_dir": str(self.settings.data_dir)}
        order = {"settings": plain, "tier": self.tier, "without": self.without, "preload": self.preload}
        environment = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "SECRET_KEY": self.secret}
        with (self.folder / "server.log").open("a") as log:
            process = subprocess.Popen(
                [*command(STARTER), str(HERE / "server.py"), json.dumps(order)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                text=True,
            )
        assert process.stdout is not None
        if not self.preload:
            chosen = json.loads(process.stdout.readline() or "{}")
            assert chosen.get("tier") == self.tier, f"this machine has no tier {self.tier}: {chosen} {self.log}"
        return process

    def await_warmth(self, process: subprocess.Popen[str]) -> None:
        """Until a zygote is ready."""
        deadline = time.monotonic() + WARM_SECONDS
        while not any(zygote.status == "ready" for zygote in kept(self.settings).zygotes):
            assert process.poll() is None, f"the server has died: {self.log}"
            failed = [zygote for zygote in kept(self.settings).zygotes if zygote.status == "failed"]
            assert not failed and time.monotonic() < deadline, f"no zygote could be started: {failed} {self.log}"
            time.sleep(0.05)

    def stop(self, process: subprocess.Popen[str]) -> None:
        """In order; TimeoutExpired where it does not end."""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()

    def paste(self, store: Store, code: str, stage: str = "export") -> str:
        """Submits; the capture's id."""
        submission = accept_code(code, None, {"stages": [stage], "rerun": True}, self.settings)
        return submit(store, self.settings, submission).id

    @property
    def log(self) -> str:
        """What it said last."""
        return (self.folder / "server.log").read_text()[-3000:]


@contextlib.contextmanager
def serving(tier: str, folder: Path, secret: str = "", without: str = "") -> Iterator[Server]:
    """A server with a warm zygote until the end of the block."""
    starting = Starting(tier, folder, limits(folder / "data"), secret, without, "tests.attacks.weakened" if without else "")
    process = starting.start()
    try:
        starting.await_warmth(process)
        with contextlib.closing(Store(starting.settings.sqlalchemy_url)) as store:
            yield Server(starting.settings, store, process)
    finally:
        starting.stop(process)
