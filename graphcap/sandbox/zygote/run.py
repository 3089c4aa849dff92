"""The door: `run` one job in a zygote of the pool. What the job does is data in the `Outcome`, no exception."""

from __future__ import annotations

import itertools
import os
import selectors
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from graphcap.sandbox.channels import Channels
from graphcap.sandbox.outcome import Limits, Outcome
from graphcap.sandbox.procfs import out_of_memory_kills
from graphcap.sandbox.verdict import Facts, verdict
from graphcap.sandbox.workfolder import work_folder
from graphcap.sandbox.zygote import protocol
from graphcap.sandbox.zygote.job import pack
from graphcap.sandbox.zygote.pool import NoZygote, Pool
from graphcap.sandbox.zygote.process import Process

POLL_SECONDS = 0.2  # how often `cancelled` is asked
START_SECONDS = 10.0  # a job that does not run by then waits for a zygote that hangs; forking takes 0.02 s
BACKSTOP_SECONDS = 10.0  # the supervisor keeps the clock; if it does not, it is told to stop this long after
STOP_SECONDS = 10.0  # how long it may take to kill everything before it is killed itself
HAND_OVERS = 3  # to zygotes, or supervisors, that die before the job has begun
LOST_SECONDS = 1.0  # how long after a job its zygote's death is heard of

_numbers = itertools.count(1)


def run(
    pool: Pool,
    request: bytes,
    files: Sequence[tuple[str, bytes]],
    *,
    limits: Limits,
    on_result: Callable[[bytes], bool],
    on_log: Callable[[bytes], None],
    cancelled: Callable[[], bool],
) -> Outcome:
    """Hands `request` and `files` to the loaded module's `run`, and returns when nothing of the job is left.

    Standard output and error go to `on_log`, together and capped; what is written to the result descriptor goes to
    `on_result`, which returns False to refuse it and stop the run. `cancelled` is asked several times a second, from this
    thread like the others. An exception that one of them raises ends the run and is then passed on.
    """

    def once() -> tuple[Outcome, bool]:
        """And whether the job had begun."""
        with pool.lease(cancelled) as zygote:
            if zygote is None:
                return Outcome("cancelled"), False
            with work_folder(zygote.folder, zygote.tier) as folder:
                one = _Run(pool, zygote, folder, limits, on_result, on_log, cancelled)
                return one.run(request, files), one.begun

    try:
        for _ in range(HAND_OVERS):
            outcome, begun = once()
            if begun or not outcome.rerun:
                break
        return outcome
    except NoZygote as error:
        return Outcome("sandbox-error", detail=str(error))


class _Run:
    """One job from its start to its outcome."""

    def __init__(
        self,
        pool: Pool,
        zygote: Process,
        folder: Path,
        limits: Limits,
        on_result: Callable[[bytes], bool],
        on_log: Callable[[bytes], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self._pool = pool
        self._zygote = zygote
        self._limits = limits
        self._cancelled = cancelled
        self._start = protocol.Start(next(_numbers), str(folder), limits)
        self._channels = Channels(limits, on_log, on_result)
        self._leash = -1

    @property
    def begun(self) -> bool:
        """Whether any of it was run."""
        return self._channels.status_sink.said.pid is not None

    def run(self, request: bytes, files: Sequence[tuple[str, bytes]]) -> Outcome:
        started, kills = time.monotonic(), out_of_memory_kills()
        with closing(self._channels) as channels:
            try:
                self._hand_over(request, files)
            except OSError as error:
                self._pool.suspect(self._zygote, f"it takes no jobs: {error}")
                return Outcome("supervisor-lost", detail=str(error), rerun=True)
            stopped = self._supervise()
        said = channels.status_sink.said
        lost = said.status is None and not said.error and not stopped
        facts = Facts(
            said=said,
            stopped=stopped,
            refusal=channels.result_sink.refusal,
            seconds=time.monotonic() - started,
            log_cut=channels.log_sink.cut,
            result_bytes=channels.result_sink.size,
            out_of_memory=said.out_of_memory or out_of_memory_kills() > kills,
            zygote_lost=lost and (not self.begun or self._pool.wait_for_end(self._zygote, LOST_SECONDS)),
        )
        return verdict(facts, self._limits)

    def _hand_over(self, request: bytes, files: Sequence[tuple[str, bytes]]) -> None:
        """The zygote has the job's descriptors, and we have the leash."""
        channels = self._channels
        given = pack(request, files)
        leash, self._leash = os.pipe2(os.O_CLOEXEC)
        try:
            ends = (given, channels.result.write_end, channels.log.write_end, channels.status.write_end, leash)
            self._zygote.send(self._start, ends)
        except BaseException:
            self._let_go()
            raise
        finally:
            os.close(given)
            os.close(leash)
            channels.close_write_ends()

    def _let_go(self) -> None:
        """The supervisor then ends the job."""
        if self._leash >= 0:
            os.close(self._leash)
            self._leash = -1

    def _supervise(self) -> str:
        """Reads until the supervisor is gone, and its charges with it; why the run was stopped from here, or ""."""
        try:
            stopped = self._attend()
            self._channels.drain()
            return stopped
        finally:
            self._let_go()
            self._wait_for_the_end()

    def _attend(self) -> str:
        stopped, stop_by, ask_at, heard = "", 0.0, 0.0, False
        began = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for pipe in self._channels.pipes:
                selector.register(pipe.read_end, selectors.EVENT_READ, pipe)
            while self._channels.status.read_end in selector.get_map():
                for key, _ in selector.select(POLL_SECONDS):
                    if key.data.read() is None:
                        selector.unregister(key.fd)
                now = time.monotonic()
                if self.begun and not heard:
                    heard = True
                    self._zygote.heard = now  # many jobs that wait keep it from its pings: to begin one says as much
                if stopped:
                    if now > stop_by:
                        self._kill_supervisor()
                        return stopped
                    continue
                if now >= ask_at:
                    ask_at = now + POLL_SECONDS
                    stopped = "cancelled" if self._cancelled() else ""
                stopped = self._reason_to_stop(now - began) or stopped
                if stopped == "not started":
                    return stopped  # and never will be: it finds its leash cut
                if stopped:
                    stop_by = now + STOP_SECONDS
                    self._let_go()
        return stopped

    def _reason_to_stop(self, seconds: float) -> str:
        if self._channels.result_sink.refusal:
            return "refused"
        if seconds > self._limits.wall_seconds + BACKSTOP_SECONDS:
            return "timeout"
        if seconds > START_SECONDS and self._channels.status_sink.said.pid is None:
            self._pool.suspect(self._zygote, f"it did not start a job within {START_SECONDS:g} s")
            return "not started"
        return ""

    def _wait_for_the_end(self) -> None:
        """An exception of ours came in between: the job is being ended, and must have before we return."""
        channels, deadline = self._channels, time.monotonic() + STOP_SECONDS
        if channels.status_sink.said.pid is None:
            return
        with selectors.DefaultSelector() as selector:
            selector.register(channels.status.read_end, selectors.EVENT_READ)
            while channels.status_sink.said.status is None and time.monotonic() < deadline:
                if selector.select(POLL_SECONDS) and channels.status.read() is None:
                    return

    def _kill_supervisor(self) -> None:
        with suppress(OSError):
            self._zygote.send(protocol.Kill(self._start.job))
