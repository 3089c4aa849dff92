"""Keeps one warm zygote ready, and replaces it in time: after a number of jobs, when it does not answer, when it died.

The next one is warmed ahead, and the old one ends when its last job has: no running job is lost to a replacement.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from graphcap.sandbox.jail.policy import Tier
from graphcap.sandbox.jail.selftest.choose import Chosen, choose_tier
from graphcap.sandbox.zygote import protocol
from graphcap.sandbox.zygote.process import Preload, Process

log = logging.getLogger(__name__)

PING_SECONDS = 2.0
SILENT_SECONDS = 30.0  # no answer for this long: it hangs. A fork takes 0.02 s, seconds where many processes share the cores
WARM_SECONDS = 180.0  # to load and warm; 10 s on a quiet machine
AHEAD = 0.9  # the next one is warmed when this share of the jobs was taken
RETRY_SECONDS = (0.0, 1.0, 5.0, 30.0)  # pauses between attempts that fail in a row; the last one for ever
GIVE_UP = 2  # attempts that fail in a row, of which a waiting job hears; one may have been killed
ASK_SECONDS = 0.2  # how often a waiting job asks whether it was cancelled

Status = Literal["warming", "ready", "draining", "failed"]


class NoZygote(Exception):
    """None could be started; says why."""


@dataclass(frozen=True)
class Plan:
    """What is loaded; jobs per zygote; where its folder goes. `tier` None: the strongest that holds here.

    `unconfined`: whether tier none will do; without it nothing is started where nothing stronger holds.
    """

    preload: Preload
    root: Path
    captures: int = 200
    tier: Tier | None = None
    unconfined: bool = False


@dataclass(frozen=True)
class ZygoteState:
    """One zygote, for people who look after the server."""

    status: Status
    pid: int
    captures: int
    running: int
    since: float
    detail: str = ""


@dataclass(frozen=True)
class PoolState:
    """The tier in force (None: not chosen yet) and the zygotes, current one first."""

    chosen: Chosen | None
    zygotes: tuple[ZygoteState, ...]


class Pool:
    """`start` it once; `lease` from any thread; `close` at the end. `told` hears of every change, on the pool's thread."""

    def __init__(self, plan: Plan, told: Callable[[PoolState], None] = lambda state: None) -> None:
        self.plan = plan
        self._told = told
        self._changed = threading.Condition()
        self._current: Process | None = None
        self._next: Process | None = None  # warming, or warm and waiting for its turn
        self._draining: list[Process] = []
        self._chosen: Chosen | None = None
        self._failure = ""  # why the last attempt to start one failed
        self._failures = 0
        self._retry_at = 0.0
        self._pinged_at = 0.0
        self._last_told: PoolState | None = None
        self._closing = False
        self._kick_read, self._kick_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        # Zygotes die with the thread that started them, so one thread starts them all and lives as long as the pool.
        self._thread = threading.Thread(target=self._keep, name="graphcap-zygotes", daemon=True)

    def start(self) -> None:
        """Begins to warm the first zygote, and returns at once."""
        self._thread.start()

    def close(self) -> None:
        """Ends every zygote, and every job with it."""
        self._closing = True
        self._kick()
        if self._thread.is_alive():
            self._thread.join()

    @contextlib.contextmanager
    def lease(self, cancelled: Callable[[], bool]) -> Iterator[Process | None]:
        """A warm zygote, for one job; None if `cancelled` came first. Raises NoZygote where none can be had."""
        process = self._take(cancelled)
        try:
            yield process
        finally:
            if process is not None:
                with self._changed:
                    process.running -= 1
                self._kick()

    def suspect(self, process: Process, why: str) -> None:
        """A job says that this zygote does not do its work: no other job gets it."""
        with self._changed:
            process.error = process.error or why
        self._kick()

    def wait_for_end(self, process: Process, seconds: float) -> bool:
        """Whether the zygote is found to be of no use within this time."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(process.error), seconds)

    def wait_for_tier(self, cancelled: Callable[[], bool]) -> Tier | None:
        """The tier in force, once it is chosen; None if `cancelled` came first."""
        with self._changed:
            while self._chosen is None and not self._closing and not cancelled():
                self._changed.wait(ASK_SECONDS)
            return self._chosen.tier if self._chosen else None

    @property
    def state(self) -> PoolState:
        """As it is now."""
        with self._changed:
            return self._state()

    def _take(self, cancelled: Callable[[], bool]) -> Process | None:
        failures = self._failures
        with self._changed:
            while True:
                if self._current is not None and not self._current.error:
                    self._current.captures += 1
                    self._current.running += 1
                    return self._current
                if self._closing or self._failures >= max(GIVE_UP, failures + 1) or self._refused():
                    raise NoZygote(self._failure or "the server stops")
                self._changed.wait(ASK_SECONDS)
                if cancelled():
                    return None

    def _refused(self) -> bool:
        return self._chosen is not None and self._chosen.tier == "none" and not self.plan.unconfined

    # --------------------------------------------------------------------------------------------- the pool's own thread

    def _keep(self) -> None:
        try:
            while not self._closing:
                self._listen()
                with self._changed:
                    before = self._state()
                    ended = self._arrange()
                    if self._state() != before or ended:
                        self._changed.notify_all()
                for process in ended:
                    process.end()
                self._start_one()
                self._ping()
                self._tell()
        finally:
            with self._changed:
                everything = self._all()
                self._current, self._next, self._draining = None, None, []
                self._changed.notify_all()
            for process in everything:
                process.end()

    def _all(self) -> list[Process]:
        return [process for process in (self._current, self._next, *self._draining) if process is not None]

    def _listen(self) -> None:
        poll = select.poll()
        poll.register(self._kick_read, select.POLLIN)
        with self._changed:
            sockets = {process.control.fileno(): process for process in self._all() if not process.gone or not process.error}
        for descriptor in sockets:
            poll.register(descriptor, select.POLLIN)
        wait = PING_SECONDS if self._next or not self._wanted() else max(0.0, self._retry_at - time.monotonic())
        for descriptor, _ in poll.poll(min(wait, PING_SECONDS) * 1000 + 1):
            if descriptor == self._kick_read:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._kick_read, 4096)
            else:
                with self._changed:
                    sockets[descriptor].listen()

    def _arrange(self) -> list[Process]:
        """Moves each zygote to where it belongs now; those that have ended or must."""
        now = time.monotonic()
        for process in self._all():
            if process.ready is None and now - process.began > WARM_SECONDS:
                process.error = process.error or f"it was not warm after {WARM_SECONDS:g} s"
            if process.ready is not None and now - process.heard > SILENT_SECONDS + PING_SECONDS:
                process.error = process.error or f"it has not answered for {SILENT_SECONDS:g} s"
        if self._next is not None and self._next.error:
            self._failed(self._next.error)
            self._draining.append(self._next)
            self._next = None
        if self._current is not None and (self._current.error or self._current.captures >= self.plan.captures):
            if self._current.error:
                log.error("zygote %s is replaced: %s", self._current.pid, self._current.error)
            if self._current.error or (self._next is not None and self._next.ready):
                self._draining.append(self._current)
                self._current = None
        if self._current is None and self._next is not None and self._next.ready:
            self._current, self._next, self._failures, self._failure = self._next, None, 0, ""
            log.info(
                "zygote %s is warm after %.1f s, tier %s", self._current.pid, now - self._current.began, self._current.tier
            )
        ended = [process for process in self._draining if process.running == 0 or process.gone]
        self._draining = [process for process in self._draining if process not in ended]
        return ended

    def _wanted(self) -> bool:
        """Whether another one should be warmed."""
        if self._next is not None or self._refused():
            return False
        return self._current is None or self._current.captures >= AHEAD * self.plan.captures

    def _start_one(self) -> None:
        if not self._wanted() or time.monotonic() < self._retry_at or self._closing:
            return
        try:
            chosen = Chosen(self.plan.tier, (), ()) if self.plan.tier is not None else choose_tier()
            with self._changed:
                self._chosen = chosen
                self._changed.notify_all()
                if self._refused():
                    self._failure = "this machine has no jail to run anything in"
                    return
            started = Process(self.plan.preload, chosen.tier, self.plan.root)
        except Exception as error:  # an OSError of fork, or a self-test that failed in itself
            with self._changed:
                self._failed(f"{type(error).__name__}: {error}")
                self._changed.notify_all()
        else:
            with self._changed:
                self._next = started

    def _failed(self, why: str) -> None:
        log.error("a zygote could not be started: %s", why)
        self._failure = why
        self._retry_at = time.monotonic() + RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)]
        self._failures += 1

    def _ping(self) -> None:
        now = time.monotonic()
        if now - self._pinged_at < PING_SECONDS:
            return
        self._pinged_at = now
        for process in self._all():
            if process.ready and not process.error:
                with contextlib.suppress(OSError):  # its socket is full: it does not listen, and that is found by the clock
                    process.send(protocol.Ping(int(now)))

    def _tell(self) -> None:
        state = self.state
        if state != self._last_told:
            self._last_told = state
            self._told(state)

    def _state(self) -> PoolState:
        found = [_state_of(p, "draining" if p in self._draining else "") for p in self._all()]
        return PoolState(self._chosen, tuple(found))

    def _kick(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._kick_write, b".")


def _state_of(process: Process, status: Status | Literal[""]) -> ZygoteState:
    if process.error:
        status = "failed"
    found: Status = status or ("ready" if process.ready else "warming")
    return ZygoteState(found, process.pid, process.captures, process.running, process.since, process.error)
