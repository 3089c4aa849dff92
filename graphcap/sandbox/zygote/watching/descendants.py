"""Processes below this one, found in /proc: where no pid namespace ends them together, they are ended one by one."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection

KILL_SECONDS = 5.0  # what still lives after this long hangs in the kernel


def descendants(proc: int, spared: Collection[int] = ()) -> list[int]:
    """Every process below this one but the `spared` and what is below them. `proc`: /proc, open."""
    children: dict[int, list[int]] = {}
    for name in _listed(proc):
        if name.isdigit() and (parent := _parent(proc, name)) is not None:
            children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    pending = children.get(os.getpid(), [])
    while pending:
        one = pending.pop()
        if one not in spared:
            found.append(one)
            pending.extend(children.get(one, []))
    return found


def kill_below(proc: int, spared: Collection[int] = ()) -> int:
    """SIGKILL to all of them until none is left; how many were left in the end."""
    deadline = time.monotonic() + KILL_SECONDS
    while alive := descendants(proc, spared):
        if time.monotonic() > deadline:
            return len(alive)
        for one in alive:
            kill(one)
        reap(spared)
        time.sleep(0.002)
    return 0


def kill(pid: int) -> None:
    """SIGKILL, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def reap(spared: Collection[int] = ()) -> None:
    """Collects ended children, as long as none of the `spared` is next."""
    with contextlib.suppress(ChildProcessError):
        while True:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None or ended.si_pid in spared:
                return
            os.waitpid(ended.si_pid, os.WNOHANG)


def _listed(proc: int) -> list[str]:
    folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=proc)
    try:
        return os.listdir(folder)
    finally:
        os.close(folder)


def _parent(proc: int, name: str) -> int | None:
    try:
        file = os.open(f"{name}/stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
    except OSError:
        return None
    try:
        state, parent = os.read(file, 4096).rpartition(b")")[2].split()[:2]  # the name before it may hold anything
    except (OSError, ValueError):
        return None
    finally:
        os.close(file)
    return None if state == b"Z" else int(parent)
