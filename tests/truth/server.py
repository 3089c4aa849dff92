"""`python -m tests.truth.server`: forks a process for every line on stdin, `SIDE FOLDER NAME`, and answers how it ended.

Torch is imported once, here; nothing is traced and no random number is drawn, so that every fork is as a new process is.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path

import msgspec

from graphcap.capture.shortcuts import look_up_once
from graphcap.capture.worker import capture
from graphcap.graph.stream import Request
from tests.forking import prepare
from tests.truth.links.raw import evidence
from tests.truth.oracle import run

SECONDS = 600  # for one case on one side; the slowest takes 10 on a quiet machine


def serve() -> None:
    """Until stdin ends."""
    prepare()
    for line in sys.stdin:
        side, folder, name = line.rstrip("\n").split("\t")
        sys.stdout.write(forked(side, folder, name) + "\n")
        sys.stdout.flush()


def forked(side: str, folder: str, name: str) -> str:
    """`exit N`, `signal N` or `timeout`."""
    child = os.fork()
    if child == 0:
        work(side, folder, name)
    process = os.pidfd_open(child)
    late = not select.select([process], [], [], SECONDS)[0]
    os.close(process)
    if late:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if late:
        return "timeout"
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.waitstatus_to_exitcode(status)}"


def work(side: str, folder: str, name: str) -> None:
    """In the fork, which ends here: the result goes into the case's folder, what is printed goes nowhere."""
    status = 1
    try:
        os.chdir(folder)
        silence = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(silence, fd)
        status = SIDES[side](folder, name)
    finally:
        os._exit(status)


def torch_side(folder: str, name: str) -> int:
    options = msgspec.json.decode(Path(".request.json").read_bytes(), type=Request).options
    found = run(str(Path(folder, name)), msgspec.structs.asdict(options))
    Path(".result").write_text(json.dumps(found), encoding="utf-8")
    return 0


def evidence_side(folder: str, name: str) -> int:
    """What torch wrote down about where nodes came from."""
    options = msgspec.json.decode(Path(".request.json").read_bytes(), type=Request).options
    found = evidence(str(Path(folder, name)), msgspec.structs.asdict(options))
    Path(".result").write_text(json.dumps(found), encoding="utf-8")
    return 0


def graphcap_side(folder: str, name: str) -> int:
    """What a job of a zygote does, torch being imported and nothing warmed but what it looks up."""
    look_up_once()
    result = os.open(".result", os.O_WRONLY | os.O_CREAT, 0o600)
    request = msgspec.json.decode(Path(".request.json").read_bytes(), type=Request)
    return capture(request, Path.cwd(), result)


SIDES = {"torch": torch_side, "evidence": evidence_side, "graphcap": graphcap_side}


if __name__ == "__main__":
    serve()
