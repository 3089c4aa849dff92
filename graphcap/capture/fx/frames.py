"""Stack traces as frame tables: the person's files under their submitted names, torch's paths shortened."""

from __future__ import annotations

import functools
import os
import re
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch

from graphcap.graph.document import Frame
from graphcap.graph.notebooks.cells import JOINED, Cell, cells_of, place

_FRAME = re.compile(r'^\s*File "(?P<file>.*)", line (?P<line>\d+)(?:, in (?P<function>.*))?$')
OURS = str(Path(__file__).parents[2]) + os.sep
"""How the files of graphcap itself begin: its own frames are not shown."""

_ROOTS = tuple(
    root.rstrip(os.sep) + os.sep
    for root in (
        str(Path(torch.__file__).parents[1]),
        sysconfig.get_path("purelib"),
        sysconfig.get_path("platlib"),
        str(Path(sysconfig.get_path("stdlib")).parent),
    )
)


class FrameTable:
    """The frames and stacks of one graph, each stored once. `users` maps absolute paths to submitted names."""

    def __init__(self, users: Mapping[str, str]) -> None:
        self._users = users
        self._frames: dict[Frame, int] = {}
        self._stacks: dict[tuple[int, ...], int] = {}
        self._texts: dict[str, int] = {}

    def stack(self, trace: str | None) -> int:
        """The index of a stack given as torch's text (outermost call first); -1 for none."""
        if not trace:
            return -1
        known = self._texts.get(trace)
        if known is None:
            known = self._texts[trace] = self.add(parse_trace(trace, self._users))
        return known

    def add(self, frames: Iterable[Frame]) -> int:
        """The index of a stack given as frames; -1 for an empty one."""
        stack = tuple(self._frames.setdefault(frame, len(self._frames)) for frame in frames)
        return self._stacks.setdefault(stack, len(self._stacks)) if stack else -1

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The table that stacks index."""
        return tuple(self._frames)

    @property
    def stacks(self) -> tuple[tuple[int, ...], ...]:
        """The table that nodes index."""
        return tuple(self._stacks)


def parse_trace(trace: str, users: Mapping[str, str]) -> list[Frame]:
    """The frames of a stack trace's text, outermost first, without those of the capture process itself."""
    frames, lines = [], trace.split("\n")
    for i, text in enumerate(lines):
        match = _FRAME.match(text)
        if match is None or match["file"].startswith(OURS):
            continue
        after = lines[i + 1] if i + 1 < len(lines) and not _FRAME.match(lines[i + 1]) else ""
        frames.append(make_frame(match["file"], int(match["line"]), match["function"] or "", after.strip(), users))
    return frames


def make_frame(path: str, line: int, function: str, code: str, users: Mapping[str, str]) -> Frame:
    """One frame, its file renamed."""
    name = users.get(path) or users.get(os.path.realpath(path) if os.path.isabs(path) else path)
    told = cell_place(path, line) if name is not None and name.endswith(JOINED) else ""
    return Frame(name or shorten(path), line, function, code[:500], user=name is not None, place=told)


def cell_place(path: str, line: int) -> str:
    """`cell 3, line 2` for a line of a notebook's code; "" where it can not be read, or has no cells."""
    cells = _cells(path)
    return place(cells, line) if cells else ""


@functools.cache
def _cells(path: str) -> tuple[Cell, ...]:
    try:
        return cells_of(path, Path(path).read_text("utf-8", "replace"))
    except OSError:
        return ()


def shorten(path: str) -> str:
    """`torch/nn/modules/linear.py` for a file of an installed package; other paths as they are."""
    for root in _ROOTS:
        if path.startswith(root):
            return path[len(root) :]
    return path
