"""Forks a child, relays its messages, stops it at its limit, and says how it ended."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal

import msgspec

from graphcap.capture.process import leftovers, limits, post_mortem
from graphcap.capture.process.channel import MAX_MESSAGE_BYTES, Sender, out_of_reach
from graphcap.graph.codec import DocumentError
from graphcap.graph.stream import Unframer

CHUNK = 1 << 20
MAX_ALIVE = 8  # a child that rests keeps its memory
HEAD_START_SECONDS = 0.02
"""From a child's first word to the next fork, which holds up what the child says: a small first stage takes 10 ms."""
FAILED = 70  # exit code when the child's own work raised: a fault of the capture process


@dataclasses.dataclass(frozen=True)
class Ending:
    """How a child ended. `code` is the exit code, or the signal's number; `stack` is what faulthandler wrote."""

    how: Literal["exit", "signal", "timeout"]
    code: int = 0
    stack: str = ""


@dataclasses.dataclass(frozen=True)
class Task:
    """What a child is to do, and who hears of it.

    `passed_on` gets the body of every whole message; it returns True to lift the time limit from there on. `ended` hears
    how it ended, once it and all it started are gone. `rests` says whether all that others wait for is out: from there on it
    goes on when it is given leave.
    """

    work: Callable[[Sender], None]
    passed_on: Callable[[bytes], bool]
    ended: Callable[[Ending], None]
    rests: Callable[[], bool] = lambda: False


def run_child(
    work: Callable[[Sender], None], *, seconds: float, passed_on: Callable[[bytes], bool], close: tuple[int, ...] = ()
) -> Ending:
    """Runs one piece of work in a fork of this process; see `run_children`."""
    endings: list[Ending] = []
    run_children([Task(work, passed_on, endings.append)], seconds=seconds, close=close)
    return endings[0]


def run_children(tasks: Iterable[Task], *, seconds: float, at_once: int = 1, close: tuple[int, ...] = ()) -> None:
    """Runs each in a fork of this process, which must have one thread; `at_once` of them side by side, `seconds` each.

    They start in order: the next one only when the one before has said something, and had a head start, or ended. Those that
    rest are given leave when no other works any more, or too many are alive. `close` are descriptors that the children must
    not have.
    """
    spared = leftovers.descendants()
    waiting = list(tasks)
    alive: list[_Child] = []
    while waiting or alive:
        working = [child for child in alive if not child.rests]
        free = bool(waiting) and len(working) < at_once and len(alive) < MAX_ALIVE
        if free and (not alive or alive[-1].ahead == 0):
            siblings = (fd for each in alive for fd in (each.pipe, each.process, each.leave))
            alive.append(_Child(waiting.pop(0), seconds, (*close, *siblings)))
            continue
        if len(alive) >= MAX_ALIVE or not (working or waiting):
            _give_leave(alive, at_once, seconds)
        _wait(alive, alive[-1].ahead if free else None)
        for child in [child for child in alive if child.how]:
            alive.remove(child)
            leftovers.end_descendants(spared | {other.pid for other in alive})
            child.task.ended(child.ending())


def _give_leave(alive: list[_Child], at_once: int, seconds: float) -> None:
    """To those that rest longest, so that `at_once` of them work again; each has `seconds`."""
    resting = [child for child in alive if child.rests]
    on_leave = [child for child in resting if child.on_leave]
    for child in [child for child in resting if not child.on_leave][: max(0, at_once - len(on_leave))]:
        child.give_leave(seconds)


class _Child:
    """A fork that works. `how`: set when it has ended; `rests`: nobody waits for it; `on_leave`: it goes on then."""

    def __init__(self, task: Task, seconds: float, close: tuple[int, ...]) -> None:
        self.task = task
        self.rests = self.on_leave = False
        self._spoken_at: float | None = None
        self.how: Literal["", "exit", "timeout"] = ""
        self.pipe, theirs = (out_of_reach(fd) for fd in os.pipe())
        awaited, self.leave = (out_of_reach(fd) for fd in os.pipe())
        self._slate = post_mortem.make_slate()
        flush()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _child(task.work, Sender(theirs, awaited), self._slate, parent, (*close, self.pipe, self.leave))
        os.close(theirs)
        os.close(awaited)
        os.set_blocking(self.pipe, False)
        self.process = os.pidfd_open(self.pid)
        self.open = True
        self.deadline: float | None = time.monotonic() + seconds
        self._unframer = Unframer(MAX_MESSAGE_BYTES)
        self._status = 0

    @property
    def ahead(self) -> float | None:
        """Seconds until the next one may start; None while it has said nothing."""
        if self._spoken_at is None:
            return None
        return max(0.0, self._spoken_at + HEAD_START_SECONDS - time.monotonic())

    def drain(self) -> None:
        """Relays what is there."""
        self._relay()
        if not self.rests and self.task.rests():
            self.rests, self.deadline = True, None

    def _relay(self) -> None:
        while self.open:
            try:
                data = os.read(self.pipe, CHUNK)
            except BlockingIOError:
                return
            self.open = bool(data)
            try:
                for body in self._unframer.feed(data):
                    self._spoken_at = self._spoken_at or time.monotonic()
                    if self.task.passed_on(body):
                        self.deadline = None
            except (DocumentError, msgspec.MsgspecError):  # the person's code wrote into our pipe
                self.open = False

    def give_leave(self, seconds: float) -> None:
        """It may do what nobody waits for."""
        self.on_leave, self.deadline = True, time.monotonic() + seconds
        with suppress(BrokenPipeError):  # it has ended meanwhile
            os.write(self.leave, b"!")

    def collect(self) -> None:
        """It has ended by itself."""
        self.drain()
        self.how, self._status = "exit", os.waitpid(self.pid, 0)[1]

    def stop(self) -> None:
        """Its time is up."""
        _kill(self.pid, self.process)
        self.drain()
        self.how = "timeout"

    def ending(self) -> Ending:
        """How it ended. Once, at the end: nothing of it is open any more."""
        for fd in (self.pipe, self.process, self.leave):
            os.close(fd)
        stack = post_mortem.read_slate(self._slate)
        if self.how == "timeout":
            return Ending("timeout", 0, stack)
        if os.WIFSIGNALED(self._status):
            return Ending("signal", os.WTERMSIG(self._status), stack)
        return Ending("exit", os.waitstatus_to_exitcode(self._status), stack)


def _wait(alive: list[_Child], at_most: float | None) -> None:
    """Until one of them says something, ends, or is out of time; and deals with it. `at_most` is in seconds."""
    poll = select.poll()
    for child in alive:
        poll.register(child.process, select.POLLIN)
        if child.open:
            poll.register(child.pipe, select.POLLIN)
    now = time.monotonic()
    ends = [child.deadline - now for child in alive if child.deadline is not None]
    if at_most is not None:
        ends.append(at_most)
    left = max(0.0, min(ends)) if ends else None
    ready = dict(poll.poll(None if left is None else left * 1000 + 1))
    for child in alive:
        if child.pipe in ready:
            child.drain()
        if child.process in ready:
            child.collect()
        elif child.deadline is not None and time.monotonic() >= child.deadline:
            child.stop()


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


def _kill(pid: int, process: int) -> None:
    """Asks for the stack, then kills and reaps."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, post_mortem.ASK)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.poll(post_mortem.ASK_SECONDS * 1000)
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:  # a jail on an old kernel: no signals; it is ended with the whole capture
        return
    os.waitpid(pid, 0)
