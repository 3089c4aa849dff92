"""The code of a notebook is captured as one file, `NOTEBOOK.ipynb.py`: its cells in order, each under a heading. A person
thinks in cells: `cell 3, line 2` is what a line of that file is called wherever one is told.

Before: the name and text of a submitted file. After: its cells, and words for each of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphcap.graph.document import Value

JOINED = ".ipynb.py"
"""How the name of such a file ends."""

SKIPPED = "# skipped: "
"""Stands before what is no Python in a cell, and is kept as a comment."""

_HEADING = re.compile(r"# %% cell ([1-9][0-9]{0,5})")


class Cell(Value, frozen=True):
    """A cell with its number among those of code, and the line of the file that is its heading; its first line follows."""

    number: int
    line: int


def heading(number: int) -> str:
    """The line above the code of a cell."""
    return f"# %% cell {number}"


def no_heading(line: str) -> str:
    """A line of a person's own code that reads as a heading, so that it is none; any other as it is."""
    return f"{line} " if _HEADING.fullmatch(line) else line


def cells_of(name: str, text: str) -> tuple[Cell, ...]:
    """The cells of a file in order; none where it is no notebook's code."""
    if not name.endswith(JOINED):
        return ()
    found = ((_HEADING.fullmatch(line), at) for at, line in enumerate(text.split("\n"), 1))
    return tuple(Cell(int(match[1]), at) for match, at in found if match)


def place(cells: Sequence[Cell], line: int) -> str:
    """What a line of the file is called: `cell 3, line 2`, `cell 3` for a heading, `line 7` before any cell."""
    cell = next((each for each in reversed(cells) if each.line <= line), None)
    if cell is None:
        return f"line {line}"
    return f"cell {cell.number}, line {line - cell.line}" if line > cell.line else f"cell {cell.number}"
