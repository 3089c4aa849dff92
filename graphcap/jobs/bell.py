"""Wakes the runner when something was queued, in whatever process: a pipe with a name in the data folder, fifo(7).

Where the data folder can hold none, or the database is shared with another machine, the runner finds out by itself a
moment later.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat

from graphcap.settings import Settings

NAME = "runner.bell"


def ring(settings: Settings) -> None:
    """Wakes one slot, if a runner listens."""
    with contextlib.suppress(OSError):
        bell = os.open(settings.data_dir / NAME, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.write(bell, b".")
        finally:
            os.close(bell)


class Bell:
    """The runner's end. `wait` from any of its threads."""

    def __init__(self, settings: Settings) -> None:
        self._fd = -1
        path = settings.data_dir / NAME
        with contextlib.suppress(OSError):
            with contextlib.suppress(FileExistsError):
                os.mkfifo(path, 0o600)
            # For writing too: else it would be at its end, and always readable, once the first that rang has gone.
            fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                self._fd = fd
            else:
                os.close(fd)

    def wait(self, seconds: float) -> None:
        """Until it rings, at most this long."""
        poll = select.poll()
        if self._fd >= 0:
            poll.register(self._fd, select.POLLIN)
        if poll.poll(seconds * 1000):
            with contextlib.suppress(OSError):
                os.read(self._fd, 1)  # one ring for one slot: the others find nothing, and wait on

    def ring_all(self, slots: int) -> None:
        """Wakes everybody: the runner stops."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):
                os.write(self._fd, b"." * slots)

    def close(self) -> None:
        """No one waits any more."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
