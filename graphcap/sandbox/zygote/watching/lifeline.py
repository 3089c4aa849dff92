"""How a process learns that the one above it died: a pipe that closes, and a signal from the kernel. prctl(2)."""

from __future__ import annotations

import ctypes
import os
import select
import signal

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent_thread() -> None:
    """SIGKILL when the thread that started this process ends. Forgotten at exec of set-id programs and changes of id."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Descendants whose parent died become children of this process."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def cut(descriptor: int) -> bool:
    """Whether the other end of a pipe or socket is closed. Nothing is ever written to a lifeline."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def pipe() -> tuple[int, int]:
    """(the end to watch, the end to hold)."""
    return os.pipe2(os.O_CLOEXEC)


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")
