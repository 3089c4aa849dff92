"""What alarms that end code by raising in it have in common."""

from __future__ import annotations

from collections.abc import Container
from types import FrameType

from graphcap.capture.fx.frames import OURS

AGAIN_SECONDS = 1.0  # until it is raised once more: in the callback of a weak reference it would be printed and lost


def importing(frame: FrameType | None, users: Container[str] = ()) -> bool:
    """Whether a library is being imported where `frame` runs: cut there, torch keeps half a module for good.

    `users`: the person's files, which may be cut in an import of theirs.
    """
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib"):
            return True
        if file.startswith(OURS) or file in users:
            return False
        frame = frame.f_back
    return False
