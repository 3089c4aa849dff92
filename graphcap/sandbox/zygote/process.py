"""One zygote as the server has it: started, spoken to, ended. All but `send` is called by one thread, the pool's."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from graphcap.sandbox.environment import clean_environment
from graphcap.sandbox.jail import cgroups
from graphcap.sandbox.jail.policy import Tier
from graphcap.sandbox.procfs import MARK, kill_marked
from graphcap.sandbox.workfolder import name_start, place, remove
from graphcap.sandbox.zygote import protocol

STOP_SECONDS = 10.0  # how long it may take to end its jobs and itself
TOLD_BYTES = 2000  # of what it printed last, for the log


@dataclass(frozen=True)
class Preload:
    """What a zygote loads. `path`: folders put before Python's own to find the module in; jobs may read `readable`."""

    module: str
    path: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


class Process:
    """Started by its constructor; raises OSError where that fails. `root`: where its folder is made."""

    def __init__(self, preload: Preload, tier: Tier, root: Path) -> None:
        self.tier = tier
        self.began = time.monotonic()
        self.since = time.time()
        self.ready: protocol.Ready | None = None
        self.error = ""  # why it is of no use any more
        self.captures = 0  # taken so far
        self.running = 0
        self.heard = self.began  # when it last said something
        self._mark = secrets.token_hex(16)
        self._cgroup = f"{name_start(root)}{self._mark[:12]}" if tier != "none" else ""
        self.folder = place(root, tier)  # of its jobs, and its own
        self._told = os.memfd_create("zygote", os.MFD_CLOEXEC)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        try:
            self._process = self._start(preload, theirs.fileno())
        except BaseException:
            self._tidy()
            raise
        finally:
            theirs.close()

    def _start(self, preload: Preload, control: int) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(preload.path)
        environment = clean_environment(self.folder / "home", {"PYTHONPATH": path, MARK: self._mark, **preload.environment})
        command = [sys.executable, "-m", "graphcap.sandbox.zygote", "--preload", preload.module, "--tier", self.tier]
        command += ["--control-fd", str(control), "--cgroup", self._cgroup, "--work", str(self.folder)]
        command += ["--readable", *preload.readable]
        # A session of its own: Ctrl+C at a terminal reaches the server alone, which then stops its runs in order.
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._told,
            stderr=self._told,
            pass_fds=[control],
            cwd="/",
            env=environment,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """As the server sees it."""
        return self._process.pid

    def send(self, message: protocol.ToZygote, descriptors: tuple[int, ...] = ()) -> None:
        """From any thread. Raises OSError when it is gone or does not listen."""
        protocol.send(self.control, message, descriptors)

    def listen(self) -> None:
        """Takes one message that is there to be read, or its end."""
        try:
            message = protocol.from_zygote(self.control)
        except (OSError, msgspec.MsgspecError) as error:
            self.error = self.error or f"it said something that can not be read: {error}"
            return
        self.heard = time.monotonic()
        match message:
            case protocol.Ready():
                self.ready = message
            case protocol.Failed(why):
                self.error = self.error or why
            case None:
                self.error = self.error or f"it ended by itself{self._last_words()}"

    def _last_words(self) -> str:
        size = os.fstat(self._told).st_size
        text = os.pread(self._told, TOLD_BYTES, max(0, size - TOLD_BYTES)).decode("utf-8", "replace").strip()
        return f": {text}" if text else ""

    @property
    def gone(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """Ends it and every job of it."""
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(STOP_SECONDS if self.ready and not self.error else 0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        kill_marked(self._mark)
        self._tidy()

    def _tidy(self) -> None:
        self.control.close()
        os.close(self._told)
        remove(self.folder)
        if self._cgroup:
            with contextlib.suppress(OSError):
                cgroups.remove_pool(self._cgroup)
