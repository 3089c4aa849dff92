"""Finds and ends the processes that a person's code left running."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection
from contextlib import suppress

ROUNDS = 20  # a process can fork while we look; each round ends those found


def descendants() -> set[int]:
    """All processes below this one, zombies left out. None where /proc is hidden: the jail then ends what is left."""
    return _below(os.getpid(), frozenset())


def _below(top: int, spared: Collection[int]) -> set[int]:
    """Those below `top`, without the `spared` and what is below these."""
    children: dict[int, list[int]] = {}
    try:
        entries = os.listdir("/proc")
    except OSError:
        return set()
    for entry in entries:
        if entry.isdigit() and (parent := _living_parent(int(entry))) is not None:
            children.setdefault(parent, []).append(int(entry))
    found: set[int] = set()
    pending = [top]
    while pending:
        new = [pid for pid in children.get(pending.pop(), ()) if pid not in found and pid not in spared]
        found.update(new)
        pending.extend(new)
    return found


def _living_parent(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
    except (OSError, IndexError, ValueError):  # it ended while we looked
        return None
    return None if state == "Z" else int(parent)


def end_descendants(spared: Collection[int]) -> None:
    """SIGKILL to every descendant but the `spared` and what is below these, until none is left, and reaps them."""
    for _ in range(ROUNDS):
        found = _below(os.getpid(), spared)
        if not found:
            break
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in found:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0 if _is_child(pid) else os.WNOHANG)


def _is_child(pid: int) -> bool:
    return _living_parent(pid) == os.getpid()
