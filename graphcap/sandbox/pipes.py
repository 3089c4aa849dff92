"""The server's ends of a run's pipes: read without ever waiting, and capped."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

CHUNK_BYTES = 65536  # what a pipe holds
DRAIN_BYTES = 1 << 20  # what a pipe may still hold when all is over; more can only come from something that got away
STATUS_BYTES = 65536  # the supervisor says three short lines


class Pipe:
    """A pipe read without blocking, whose bytes go to `take`. `write_end` is for the run, and closed here once it has it."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.read_end, False)
        self._take = take

    def read(self) -> int | None:
        """Takes what is there and says how much it was; None at the end."""
        try:
            data = os.read(self.read_end, CHUNK_BYTES)
        except BlockingIOError:
            return 0
        if not data:
            return None
        self._take(data)
        return len(data)

    def drain(self) -> None:
        """Takes what is left, without waiting for the end: something that got away may hold it open for ever."""
        left = DRAIN_BYTES
        while left > 0 and (taken := self.read()):
            left -= taken

    def close_write_end(self) -> None:
        """Must come before waiting for the end."""
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1

    def close(self) -> None:
        """Closes what is still open."""
        self.close_write_end()
        os.close(self.read_end)


class LogSink:
    """Hands on the first `limit` bytes and counts the rest."""

    def __init__(self, limit: int, on_log: Callable[[bytes], None]) -> None:
        self._left = limit
        self._on_log = on_log
        self.cut = 0

    def take(self, data: bytes) -> None:
        """The next bytes printed."""
        kept = data[: self._left]
        self._left -= len(kept)
        self.cut += len(data) - len(kept)
        if kept:
            self._on_log(kept)


class ResultSink:
    """Hands on the result until it is refused or exceeds `limit`; `refusal` then says which."""

    def __init__(self, limit: int, on_result: Callable[[bytes], bool]) -> None:
        self._limit = limit
        self._on_result = on_result
        self.size = 0
        self.refusal = ""

    def take(self, data: bytes) -> None:
        """The next bytes of the result."""
        if self.refusal:
            return
        self.size += len(data)
        if self.size > self._limit:
            self.refusal = f"it sent more than {self._limit} bytes"
        elif not self._on_result(data):
            self.refusal = "what it sent was refused"


class Said(msgspec.Struct, frozen=True):
    """What the supervisor says, in up to three lines; see there."""

    pid: int | None = None
    error: str = ""
    status: int | None = None  # as waitpid gives it
    stopped: str = ""
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    left: int = 0
    out_of_memory: bool = False  # the kernel killed in the job's own group of processes


class StatusSink:
    """Collects what the supervisor says. A line that is cut off or no `Said` is dropped: the command may have written it."""

    def __init__(self) -> None:
        self._text = b""

    def take(self, data: bytes) -> None:
        """The next bytes said."""
        self._text = (self._text + data)[:STATUS_BYTES]

    @property
    def said(self) -> Said:
        """Everything said so far; a pid and an error outlive what is said after them."""
        found = Said()
        for line in self._text.split(b"\n")[:-1]:
            try:
                new = msgspec.json.decode(line, type=Said)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            found = msgspec.structs.replace(new, error=new.error or found.error, pid=new.pid or found.pid)
        return found
