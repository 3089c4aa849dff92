"""Nothing is printed by code that runs a second time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from graphcap.capture.process.child import flush


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """stdout and stderr to nowhere, Python's and the process's own: what code prints when it runs again was shown before."""
    kept = [(fd, os.dup(fd)) for fd in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    flush()
    try:
        for fd, _ in kept:
            os.dup2(nowhere, fd)
        with os.fdopen(nowhere, "w") as text, contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            yield
    finally:
        flush()
        for fd, copy in kept:
            os.dup2(copy, fd)
            os.close(copy)
