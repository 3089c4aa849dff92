"""Runs the oracle and graphcap for a case, each in a fresh fork of a process that has imported torch and done nothing else.

Importing torch takes two seconds; a hundred cases twice over would take most of an hour without this.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from graphcap.graph.document import Options, Stage
from graphcap.graph.stream import Ended, Found, Message, Nothing, Request, Unframer, decode
from tests.truth.sources import Case

SECONDS = 120  # for one case on one side; the slowest takes 7
MEMORY = 8 << 30

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.truth.preloaded"])


@dataclass(frozen=True)
class Captured:
    """What came back from one capture process."""

    stages: dict[str, Stage]  # of the target asked for, by id
    messages: tuple[Message, ...]


class Runs:
    """Oracle and product results, computed ahead by two workers in the order they are asked for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2)
        self._futures: dict[tuple[str, str], Future[Any]] = {}

    def ask(self, case: Case) -> None:
        """Starts both sides of a case, unless that was done."""
        for side, work in (("torch", torch_says), ("graphcap", graphcap_says)):
            if (side, case.id) not in self._futures:
                self._futures[side, case.id] = self._pool.submit(work, case)

    def torch(self, case: Case) -> dict[str, Any]:
        """The oracle's outcome by stage."""
        self.ask(case)
        return self._futures["torch", case.id].result()  # type: ignore[no-any-return]

    def graphcap(self, case: Case) -> Captured:
        """What graphcap captured."""
        self.ask(case)
        return self._futures["graphcap", case.id].result()  # type: ignore[no-any-return]

    def close(self) -> None:
        """Drops what was not begun."""
        self._pool.shutdown(cancel_futures=True)


def torch_says(case: Case) -> dict[str, Any]:
    """Raw torch's outcome."""
    return json.loads(_in_fork(case, _oracle_child))  # type: ignore[no-any-return]


def graphcap_says(case: Case, options: Options | None = None) -> Captured:
    """What `python -m graphcap.capture` sends for the case, run in a fork instead of a new process."""
    return captured(_in_fork(case, _product_child, options), case.target)


def captured(data: bytes, target: str = "t1") -> Captured:
    """The stages of one target out of everything that was sent."""
    messages = tuple(decode(body) for body in Unframer(1 << 30).feed(data))
    stages = {m.stage.id: m.stage for m in messages if isinstance(m, Ended) and m.target == target}
    return Captured(dict(stages), messages)


def targets(messages: tuple[Message, ...]) -> list[str]:
    """Ids of the targets found."""
    return [target.id for m in messages if isinstance(m, Found) for target in m.targets]


def failures(messages: tuple[Message, ...]) -> list[str]:
    """Why nothing could be captured."""
    return [failure.message for m in messages if isinstance(m, Nothing) for failure in m.failures]


def _in_fork(case: Case, work: Callable[[str, str], None], options: Options | None = None) -> bytes:
    folder = Path(tempfile.mkdtemp(prefix="truth-"))
    try:
        shutil.copy(case.path, folder)
        (folder / ".request.json").write_bytes(request(case.path.name, options))
        child = _context.Process(target=work, args=(str(folder), case.path.name))
        child.start()
        child.join(SECONDS)
        if child.is_alive():
            child.kill()
            child.join()
        result = folder / ".result"
        assert result.exists(), f"{case.id}: the process ended with {child.exitcode} and left no result"
        return result.read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def request(entry: str, options: Options | None = None, memory_bytes: int = MEMORY, seconds: float = SECONDS) -> bytes:
    """The request that the capture process reads."""
    return msgspec.json.encode(Request(entry, "py", options or Options(), memory_bytes, seconds))


def _oracle_child(folder: str, name: str) -> None:
    from tests.truth.oracle import run  # imports torch, which only the fork server may

    _detach(folder)
    Path(".result").write_text(json.dumps(run(str(Path(folder, name)))), encoding="utf-8")


def _product_child(folder: str, name: str) -> None:
    _detach(folder)
    result = os.open(".result", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    sys.argv = ["graphcap.capture", ".request.json", "--result-fd", str(result)]
    runpy.run_module("graphcap.capture", run_name="__main__", alter_sys=True)


def _detach(folder: str) -> None:
    """The case's folder is the working directory, and what it prints goes nowhere."""
    os.chdir(folder)
    silence = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(silence, fd)
