"""Whether this process was told to stop. A server waits for its open streams then, so these have to end by themselves."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


def watch() -> Callable[[], bool]:
    """A function that says whether the server got one of `SIGNALS`. What it does about them itself stays as it is.

    Where no server has handlers for them (the process ends at once, or they are not its own) there is nothing to watch.
    """
    told: list[int] = []

    def after(before: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
        def tell(number: int, frame: FrameType | None) -> None:
            told.append(number)
            before(number, frame)

        return tell

    if threading.current_thread() is threading.main_thread():  # nobody else may set handlers
        for number in SIGNALS:
            before = signal.getsignal(number)
            if callable(before) and before is not signal.default_int_handler:
                signal.signal(number, after(before))
    return lambda: bool(told)
