"""Where a process was when it died: Python's faulthandler writes its stack into a file shared with the parent.

It does so on a fatal signal (SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL), when the parent asks (the time is up), and when the
code calls os._exit. None of these gives an exception that could be caught.
"""

from __future__ import annotations

import faulthandler
import linecache
import os
import re
import signal
import tempfile
from collections.abc import Mapping

from graphcap.capture.fx.frames import OURS, make_frame
from graphcap.capture.process.channel import out_of_reach
from graphcap.graph.document import Frame

ASK = signal.SIGRTMIN + 7  # a signal that libraries leave alone
ASK_SECONDS = 2.0  # faulthandler answers in a millisecond once the process has a core, and never where it is stopped

MAX_TEXT = 100_000
_FRAME = re.compile(r'^\s*File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
_PLUMBING = re.compile(rf'\s*File "(?:{re.escape(OURS)}|<frozen )|Extension modules:')
_exit = os._exit


def make_slate() -> int:
    """A descriptor for the stack's text: of a file without a name; the jail has no memfds."""
    with tempfile.TemporaryFile() as file:
        return out_of_reach(os.dup(file.fileno()))


def write_stacks_to(slate: int) -> None:
    """In the child: from now on its stack at death stands on the slate."""
    faulthandler.enable(file=slate, all_threads=False)
    faulthandler.register(ASK, file=slate, all_threads=False)
    own = os.getpid()

    def told_exit(status: int) -> None:
        if os.getpid() == own:  # children of the person's own (multiprocessing) end this way too
            faulthandler.dump_traceback(file=slate, all_threads=False)
        _exit(status)

    os._exit = told_exit  # type: ignore[assignment]


def exit_now(status: int) -> None:
    """os._exit, without a word on the slate."""
    _exit(status)


def read_slate(slate: int) -> str:
    """The text, and an end to the slate."""
    text = os.pread(slate, MAX_TEXT, 0).decode("utf-8", "replace")
    os.close(slate)
    return "\n".join(line for line in text.split("\n") if not _PLUMBING.match(line)).strip()


def user_frame(text: str, users: Mapping[str, str]) -> Frame | None:
    """The person's innermost line on the slate, which lists the most recent call first."""
    for file, line, function in _FRAME.findall(text):
        frame = make_frame(file, int(line), function, linecache.getline(file, int(line)).strip(), users)
        if frame.user:
            return frame
    return None
