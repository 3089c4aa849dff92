"""Runs the capture process, as the server does or in a fork, and reads what it says."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec

from graphcap.capture.worker import capture
from graphcap.graph.added import Told, check_added, told_by, with_added
from graphcap.graph.check import check_stage
from graphcap.graph.document import Failure, Graph, Options, Stage
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Message, Nothing, Request, Unframer, decode

ROOT = Path(__file__).parents[2]
MEMORY = 4 << 30
SECONDS = 120.0


FRESH = """
import os, sys
from pathlib import Path
from graphcap.capture.warm import run
os._exit(run(Path(sys.argv[1]).read_bytes(), Path(sys.argv[1]).parent, int(sys.argv[2]), lambda: None))
"""


@dataclasses.dataclass(frozen=True)
class Run:
    """A finished capture process."""

    messages: tuple[Message, ...]
    log: str
    code: int

    @property
    def found(self) -> Found:
        return next(m for m in self.messages if isinstance(m, Found))

    @property
    def failure(self) -> Failure:
        """Why nothing was captured."""
        assert isinstance(self.messages[0], Hello) and isinstance(self.messages[-1], Bye)
        return next(m for m in self.messages if isinstance(m, Nothing)).failures[0]

    def stage(self, id_: str, target: str = "t1") -> Stage:
        """With all that was added to it."""
        found = [m.stage for m in self.messages if isinstance(m, Ended) and (m.target, m.stage.id) == (target, id_)]
        assert len(found) == 1, f"{id_} ended {len(found)} times"
        stage = found[0]
        for message in self.messages:
            if isinstance(message, Added) and (message.target, message.stage) == (target, id_):
                stage = with_added(stage, message)
        return stage

    def statuses(self, target: str = "t1") -> dict[str, str]:
        return {m.stage.id: m.stage.status for m in self.messages if isinstance(m, Ended) and m.target == target}


def run_capture(
    source: str | bytes,
    name: str = "model.py",
    *,
    seconds: float = SECONDS,
    message_bytes: int = 64 << 20,
    fresh: bool = False,
    **options: Any,
) -> Run:
    """Captures one file; every stage sent is checked.

    `fresh`: in a new interpreter. Otherwise in a fork of this one, which saves importing torch, as the server does.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        code = Path(folder, "code")
        code.mkdir()
        (code / name).write_bytes(source.encode() if isinstance(source, str) else source)
        kind: Any = "pt2" if name.endswith(".pt2") else "py"
        request = Request(name, kind, Options(**options), MEMORY, seconds, message_bytes)
        reading, writing = os.pipe()
        start = _start if fresh else _fork
        wait = start(request, code, writing, log)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            messages = tuple(decode(body) for body in Unframer(1 << 30).feed(pipe.read()))
        status = wait()
        log.seek(0)
        run = Run(messages, log.read().decode("utf-8", "replace"), status)
    told: dict[tuple[str, str], Told] = {}
    for message in messages:
        if isinstance(message, Ended):
            check_stage(message.stage, message.target)
            told[message.target, message.stage.id] = told_by(message.stage)
        elif isinstance(message, Added):
            place = (message.target, message.stage)
            told[place] = check_added(message, told[place])
    return run


def _start(request: Request, code: Path, result: int, log: IO[bytes]) -> Callable[[], int]:
    path = code.parent / "request.json"
    path.write_bytes(msgspec.json.encode(request))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", FRESH, str(path), str(result)],
        cwd=code,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        pass_fds=(result,),
    )
    return process.wait


def _fork(request: Request, code: Path, result: int, log: IO[bytes]) -> Callable[[], int]:
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(code)
        for fd in (1, 2):
            os.dup2(log.fileno(), fd)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
        status = 99
        try:
            status = capture(request, code, result)
        finally:
            sys.stdout.flush()
            os._exit(status)
    return lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def only(stage: Stage) -> Graph:
    """The one graph of a stage that is not a body, nor of the partitioner that was not chosen."""
    (graph,) = [graph for graph in stage.graphs if not graph.parent and graph.variant not in ("min_cut", "default")]
    return graph
