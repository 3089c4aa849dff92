"""The three pipes of a run together: what it prints, its result, and what the supervisor says about it."""

from __future__ import annotations

from collections.abc import Callable

from graphcap.sandbox.outcome import Limits
from graphcap.sandbox.pipes import LogSink, Pipe, ResultSink, StatusSink


class Channels:
    """Open from the start; `close` at the end."""

    def __init__(self, limits: Limits, on_log: Callable[[bytes], None], on_result: Callable[[bytes], bool]) -> None:
        self.log_sink = LogSink(limits.log_bytes, on_log)
        self.result_sink = ResultSink(limits.result_bytes, on_result)
        self.status_sink = StatusSink()
        self.log = Pipe(self.log_sink.take)
        self.result = Pipe(self.result_sink.take)
        self.status = Pipe(self.status_sink.take)
        self.pipes = (self.result, self.log, self.status)

    def close_write_ends(self) -> None:
        """Once the run has them."""
        for pipe in self.pipes:
            pipe.close_write_end()

    def drain(self) -> None:
        """What is left in each, without waiting."""
        for pipe in self.pipes:
            pipe.drain()

    def close(self) -> None:
        """Closes what is still open."""
        for pipe in self.pipes:
            pipe.close()
