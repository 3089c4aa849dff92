"""A limit on the processor time of work that nobody waits for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from graphcap.capture.alarms import AGAIN_SECONDS, importing

SECONDS = 20.0  # of one route: a forward and a backward of a model that is captured in a minute take a second


class OutOfTime(BaseException):
    """The time is used up. Not an Exception: the person's code must not catch it."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raises OutOfTime in the block once this process has worked so long. A single long call of torch ends first."""

    def over(number: int, frame: FrameType | None) -> None:
        if not importing(frame):
            raise OutOfTime

    with suppress(ValueError):  # not the main thread: a warming zygote, whose models are tiny
        signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
