"""How many event streams one address may hold open: each keeps a thread of the server busy."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

from graphcap.errors import UserError
from graphcap.store.records import Sender


class Streams:
    """The open streams of this process, by address. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most  # 0: no limit
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def hold(self, sender: Sender, events: Iterator[str]) -> Held:
        """The same events, counted until it is closed. Raises UserError("too-many-streams")."""
        if sender.local or not self._most:
            return Held(events)
        with self._lock:
            if self._open[sender.address] >= self._most:
                raise UserError(
                    "too-many-streams",
                    "Too many captures are followed at once",
                    f"{self._most} event streams of your address are open.",
                    "Close pages of captures that run, or ask for /api/captures/ID now and then.",
                )
            self._open[sender.address] += 1
        return Held(events, self, sender.address)

    def release(self, address: str) -> None:
        """One less."""
        with self._lock:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


class Held:
    """A stream that is counted. The server closes it, also where it never asked for its first event."""

    def __init__(self, events: Iterator[str], counted: Streams | None = None, address: str = "") -> None:
        self._events = events
        self._counted, self._address = counted, address

    def __iter__(self) -> Iterator[str]:
        """Itself."""
        return self

    def __next__(self) -> str:
        """The next event."""
        return next(self._events)

    def close(self) -> None:
        """Once or more."""
        counted, self._counted = self._counted, None
        if counted is not None:
            counted.release(self._address)
