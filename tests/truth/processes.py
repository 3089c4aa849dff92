"""Runs the oracle and graphcap for a case, each in a fresh fork of a process that has only imported torch.

Importing torch and its compilers takes three seconds; a hundred cases twice over would take most of an hour without this.
"""

from __future__ import annotations

import itertools
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from graphcap.graph.document import Failure, Stage
from graphcap.graph.stream import Ended, Message, Nothing, Request, Unframer, decode
from tests.truth.sources import ROOT, Case, Key

SERVERS = 2
LAST, AT_ONCE, AHEAD = range(3)
"""What a server does first: it ends when it is told to, and has what a test waits for before what a later one will."""

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
    """Oracle and product results, computed ahead in the order they are asked for.

    The same file with the same options is run once, and what is given is shared: not to be changed.
    """

    def __init__(self, servers: int = SERVERS) -> None:
        self._waiting: Waiting = queue.PriorityQueue()
        self._servers = [Server(self._waiting) for _ in range(servers)]
        self._count = itertools.count()
        self._futures: dict[tuple[str, Key], Future[bytes]] = {}
        self._read: dict[str, tuple[Key, Any]] = {}  # by side, the last: the tests of a case follow each other

    def ask(self, case: Case, sides: tuple[str, ...] = ("torch", "graphcap"), now: bool = False) -> None:
        """Starts sides of a case, unless that was done. `now`: before all that is only asked ahead."""
        for side in sides:
            if (side, case.key) not in self._futures:
                self._futures[side, case.key] = self._submit(side, case, AT_ONCE if now else AHEAD)

    def torch(self, case: Case) -> dict[str, Any]:
        """The oracle's outcome by stage."""
        return self._result("torch", case, json.loads)  # type: ignore[no-any-return]

    def evidence(self, case: Case) -> dict[str, dict[str, dict[str, Any]]]:
        """What torch wrote down about every node, by graph and name."""
        return self._result("evidence", case, json.loads)  # type: ignore[no-any-return]

    def graphcap(self, case: Case) -> Captured:
        """What graphcap captured."""
        return self._result("graphcap", case, captured)  # type: ignore[no-any-return]

    def close(self) -> None:
        """Drops what was not begun, and ends the servers."""
        for _ in self._servers:
            self._waiting.put((LAST, next(self._count), None))
        for server in self._servers:
            server.join()

    def _submit(self, side: str, case: Case, urgency: int) -> Future[bytes]:
        future: Future[bytes] = Future()

        def work(server: Server) -> None:
            try:
                future.set_result(server.result(side, case))
            except BaseException as error:
                future.set_exception(error)

        self._waiting.put((urgency, next(self._count), work))
        return future

    def _result(self, side: str, case: Case, read: Callable[[bytes], Any]) -> Any:
        self.ask(case, (side,), now=True)
        if side not in self._read or self._read[side][0] != case.key:
            self._read[side] = case.key, read(self._futures[side, case.key].result())
        return self._read[side][1]


class Server(threading.Thread):
    """One server process, and the thread that hands it one piece of work after the other."""

    def __init__(self, waiting: Waiting) -> None:
        super().__init__(daemon=True)
        self._waiting = waiting
        command = [sys.executable, "-m", "tests.truth.server"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.start()

    def run(self) -> None:
        """Until there is None to do."""
        while (work := self._waiting.get()[2]) is not None:
            work(self)
        self._process.communicate()

    def result(self, side: str, case: Case) -> bytes:
        """What the side of the case gives."""
        folder = Path(tempfile.mkdtemp(prefix="truth-"))
        try:
            shutil.copy(case.path, folder)
            (folder / ".request.json").write_bytes(request(case))
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None and stdout is not None
            stdin.write(f"{side}\t{folder}\t{case.path.name}\n")
            stdin.flush()
            ending = stdout.readline().strip()
            assert ending == "exit 0", f"the {side} side of {case.id} ended with {ending or 'its server'}"
            return (folder / ".result").read_bytes()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


Waiting = queue.PriorityQueue[tuple[int, int, Callable[[Server], object] | None]]
"""What is to be done, by urgency, then in the order it was asked for."""


def request(case: Case) -> bytes:
    """The request that both sides read."""
    kind: Any = case.path.suffix.removeprefix(".")
    return msgspec.json.encode(Request(case.path.name, kind, case.options, MEMORY_BYTES, ROUTE_SECONDS))


def captured(data: bytes) -> Captured:
    """The stages of the first target out of everything that was sent."""
    messages = tuple(decode(body) for body in Unframer(1 << 30).feed(data))
    stages = {str(m.stage.id): m.stage for m in messages if isinstance(m, Ended) and m.target == "t1"}
    return Captured(stages, messages)
