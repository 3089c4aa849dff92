"""Forks a child, relays its messages, stops it at its limit, and says how it ended."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import msgspec

from graphcap.capture.process import leftovers, limits, post_mortem
from graphcap.capture.process.channel import MAX_MESSAGE_BYTES, Sender, out_of_reach
from graphcap.graph.codec import DocumentError
from graphcap.graph.stream import Unframer

CHUNK = 1 << 20
FAILED = 70  # exit code when the child's own work raised: a fault of the capture process


@dataclasses.dataclass(frozen=True)
class Ending:
    """How a child ended. `code` is the exit code, or the signal's number; `stack` is what faulthandler wrote."""

    how: Literal["exit", "signal", "timeout"]
    code: int = 0
    stack: str = ""


def run_child(
    work: Callable[[Sender], None],
    *,
    seconds: float,
    passed_on: Callable[[bytes], bool],
    close: tuple[int, ...] = (),
) -> Ending:
    """Runs `work` in a fork of this process, which must have one thread.

    `passed_on` gets the body of every whole message; it returns True to lift the time limit from there on. `close` are
    descriptors that the child must not have.
    """
    spared = leftovers.descendants()
    ours, theirs = (out_of_reach(fd) for fd in os.pipe())
    slate = post_mortem.make_slate()
    flush()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _child(work, Sender(theirs), slate, parent, (*close, ours))
    os.close(theirs)
    try:
        how, status = _watch(pid, ours, seconds, passed_on)
    finally:
        os.close(ours)
        leftovers.end_descendants(spared)
    stack = post_mortem.read_slate(slate)
    if how == "timeout":
        return Ending("timeout", 0, stack)
    if os.WIFSIGNALED(status):
        return Ending("signal", os.WTERMSIG(status), stack)
    return Ending("exit", os.waitstatus_to_exitcode(status), stack)


def flush() -> None:
    """Empties Python's and C's output buffers; a fork would print them twice, an exit lose them."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # the person's code may have closed or replaced it
            stream.flush()
    limits.libc.fflush(None)


def _child(work: Callable[[Sender], None], sender: Sender, slate: int, parent: int, close: tuple[int, ...]) -> None:
    status = FAILED
    try:
        limits.die_with_parent(parent)
        limits.adopt_orphans()
        for fd in close:
            os.close(fd)
        post_mortem.write_stacks_to(slate)
        work(sender)
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else FAILED
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        flush()
        post_mortem.exit_now(status)


def _watch(pid: int, pipe: int, seconds: float, passed_on: Callable[[bytes], bool]) -> tuple[str, int]:
    """Until the child is gone: ("exit", wait status) or ("timeout", 0)."""
    os.set_blocking(pipe, False)
    unframer = Unframer(MAX_MESSAGE_BYTES)
    deadline: float | None = time.monotonic() + seconds
    process = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    poll.register(process, select.POLLIN)
    try:
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = dict(poll.poll(None if left is None else left * 1000 + 1))
            if pipe in ready:
                lifted, open_ = _drain(pipe, unframer, passed_on)
                deadline = None if lifted else deadline
                if not open_:
                    poll.unregister(pipe)
            if process in ready:
                _drain(pipe, unframer, passed_on)
                return "exit", os.waitpid(pid, 0)[1]
            if deadline is not None and time.monotonic() >= deadline:
                _kill(pid, process)
                _drain(pipe, unframer, passed_on)
                return "timeout", 0
    finally:
        os.close(process)


def _drain(pipe: int, unframer: Unframer, passed_on: Callable[[bytes], bool]) -> tuple[bool, bool]:
    """Relays what is there: whether the limit is lifted, and whether the pipe is still open."""
    lifted = False
    while True:
        try:
            data = os.read(pipe, CHUNK)
        except BlockingIOError:
            return lifted, True
        if not data:
            return lifted, False
        try:
            for body in unframer.feed(data):
                lifted |= passed_on(body)
        except (
            DocumentError,
            msgspec.MsgspecError,
        ):  # the person's code wrote into our pipe
            return lifted, False


def _kill(pid: int, process: int) -> None:
    """Asks for the stack, then kills and reaps."""
    with suppress(ProcessLookupError):
        os.kill(pid, post_mortem.ASK)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.poll(post_mortem.ASK_SECONDS * 1000)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
