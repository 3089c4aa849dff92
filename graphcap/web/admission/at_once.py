"""How many long answers one address may hold open: each keeps a thread of the server busy."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator

from graphcap.errors import UserError
from graphcap.store.records import Sender

FILES = 1
LOOKS = 2  # a person types in one page


def too_many_streams(most: int) -> UserError:
    """Too many captures are followed."""
    return UserError(
        "too-many-streams",
        "Too many captures are followed at once",
        f"{most} event streams of your address are open.",
        "Close pages of captures that run, or ask for /api/captures/ID now and then.",
    )


def too_many_files(most: int) -> UserError:
    """Too many HTML files are written."""
    return UserError(
        "too-many-files",
        "Another HTML file is being written for you",
        f"At most {most} at once is written for one address: that of a large capture takes a minute of work.",
        "Wait until the other one is here, then ask again.",
        retry_after=10,
    )


def too_many_looks(most: int) -> UserError:
    """Too much is looked at."""
    return UserError(
        "rate-limited",
        "Other code is being looked at for you",
        f"At most {most} submissions of one address are looked at at once.",
        "Ask again in a moment.",
        retry_after=1,
    )


class AnswersAtOnce:
    """Long answers of one sort that this process is giving, by address. Safe to share between threads."""

    def __init__(self, most: int, refusal: Callable[[int], UserError]) -> None:
        self._most = most  # 0: no limit
        self._refusal = refusal
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def hold(self, sender: Sender, parts: Iterator[str]) -> Held:
        """The same parts, counted until it is closed. Raises the refusal."""
        if sender.local or not self._most:
            return Held(parts)
        with self._lock:
            if self._open[sender.address] >= self._most:
                raise self._refusal(self._most)
            self._open[sender.address] += 1
        return Held(parts, self, sender.address)

    def release(self, address: str) -> None:
        """One less."""
        with self._lock:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


class Held:
    """An answer that is counted. The server closes it, also where it never asked for its first part."""

    def __init__(self, parts: Iterator[str], counted: AnswersAtOnce | None = None, address: str = "") -> None:
        self._parts = parts
        self._counted, self._address = counted, address

    def __iter__(self) -> Iterator[str]:
        """Itself."""
        return self

    def __next__(self) -> str:
        """The next part."""
        return next(self._parts)

    def close(self) -> None:
        """Once or more."""
        counted, self._counted = self._counted, None
        if counted is not None:
            counted.release(self._address)
