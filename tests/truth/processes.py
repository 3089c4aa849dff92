"""Runs the oracle and graphcap for a case, each in a fresh fork of a process that has only imported torch.

Importing torch and its compilers takes three seconds; a hundred cases twice over would take most of an hour without this.
"""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from graphcap.graph.document import Failure, Stage
from graphcap.graph.stream import Ended, Message, Nothing, Request, Unframer, decode
from tests.truth.sources import ROOT, Case

SERVERS = 2
MEMORY_BYTES = 8 << 30
ROUTE_SECONDS = 180  # the slowest takes 7 on a quiet machine


@dataclass(frozen=True)
class Captured:
    """What came back from one capture process: the stages of its first target by id, and every message."""

    stages: dict[str, Stage]
    messages: tuple[Message, ...]

    @property
    def failures(self) -> list[Failure]:
        """Why nothing could be captured."""
        return [failure for m in self.messages if isinstance(m, Nothing) for failure in m.failures]


class Runs:
    """Oracle and product results, computed ahead in the order they are asked for."""

    def __init__(self, servers: int = SERVERS) -> None:
        self._servers: queue.Queue[subprocess.Popen[str]] = queue.Queue()
        self._pool = ThreadPoolExecutor(servers)
        self._futures: dict[tuple[str, str], Future[bytes]] = {}
        for _ in range(servers):
            self._servers.put(_start())

    def ask(self, case: Case, sides: tuple[str, ...] = ("torch", "graphcap")) -> None:
        """Starts both sides of a case, unless that was done."""
        for side in sides:
            if (side, case.id) not in self._futures:
                self._futures[side, case.id] = self._pool.submit(self._run, side, case)

    def torch(self, case: Case) -> dict[str, Any]:
        """The oracle's outcome by stage."""
        self.ask(case)
        return json.loads(self._futures["torch", case.id].result())  # type: ignore[no-any-return]

    def evidence(self, case: Case) -> dict[str, dict[str, dict[str, Any]]]:
        """What torch wrote down about every node, by graph and name."""
        self.ask(case, ("evidence",))
        return json.loads(self._futures["evidence", case.id].result())  # type: ignore[no-any-return]

    def graphcap(self, case: Case) -> Captured:
        """What graphcap captured."""
        self.ask(case, ("graphcap",))
        return captured(self._futures["graphcap", case.id].result())

    def close(self) -> None:
        """Drops what was not begun, and ends the servers."""
        self._pool.shutdown(cancel_futures=True)
        while not self._servers.empty():
            server = self._servers.get()
            server.communicate()

    def _run(self, side: str, case: Case) -> bytes:
        folder = Path(tempfile.mkdtemp(prefix="truth-"))
        server = self._servers.get()
        try:
            shutil.copy(case.path, folder)
            (folder / ".request.json").write_bytes(request(case))
            assert server.stdin is not None and server.stdout is not None
            server.stdin.write(f"{side}\t{folder}\t{case.path.name}\n")
            server.stdin.flush()
            ending = server.stdout.readline().strip()
            assert ending == "exit 0", f"the {side} side of {case.id} ended with {ending or 'its server'}"
            return (folder / ".result").read_bytes()
        finally:
            self._servers.put(server)
            shutil.rmtree(folder, ignore_errors=True)


def _start() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.truth.server"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def request(case: Case) -> bytes:
    """The request that both sides read."""
    kind: Any = case.path.suffix.removeprefix(".")
    return msgspec.json.encode(Request(case.path.name, kind, case.options, MEMORY_BYTES, ROUTE_SECONDS))


def captured(data: bytes) -> Captured:
    """The stages of the first target out of everything that was sent."""
    messages = tuple(decode(body) for body in Unframer(1 << 30).feed(data))
    stages = {str(m.stage.id): m.stage for m in messages if isinstance(m, Ended) and m.target == "t1"}
    return Captured(stages, messages)
