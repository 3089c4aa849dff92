"""What lines of a notebook's code are called, and that a person's own comments are never taken for headings."""

from __future__ import annotations

import json

import pytest

from graphcap.graph.document import Frame
from graphcap.graph.notebooks.cells import Cell, cells_of, no_heading, place
from graphcap.intake.inside.notebook import python_of

CELLS = (Cell(1, 1), Cell(3, 5))


@pytest.mark.parametrize(
    ("line", "words"), [(1, "cell 1"), (2, "cell 1, line 1"), (4, "cell 1, line 3"), (5, "cell 3"), (9, "cell 3, line 4")]
)
def test_a_line_is_called_by_its_cell(line: int, words: str) -> None:
    assert place(CELLS, line) == words


def test_lines_of_other_files_are_called_by_their_number() -> None:
    assert place((), 7) == place((Cell(1, 8),), 7) == "line 7"
    assert (Frame("m.py", 7).words(), Frame("n.ipynb.py", 7, place="cell 3, line 2").words()) == ("line 7", "cell 3, line 2")
    assert cells_of("m.py", "# %% cell 1\nx = 1") == ()


def test_the_cells_are_those_that_the_notebook_was_made_of() -> None:
    sources = ["x = 1\n# %% cell 9", " \n", 'y = """\n# %% cell 2\n"""', "# %% cell 4"]
    whole = {"cells": [{"cell_type": "code", "source": source} for source in sources], "nbformat": 4}
    text = python_of(json.dumps(whole).encode(), "n.ipynb", 1024).decode()
    assert cells_of("n.ipynb.py", text) == (Cell(1, 1), Cell(3, 5), Cell(4, 10))
    lines = text.split("\n")
    assert [lines[cell.line - 1] for cell in cells_of("n.ipynb.py", text)] == [f"# %% cell {i}" for i in (1, 3, 4)]


def test_only_what_reads_as_a_heading_is_changed_by_a_blank() -> None:
    assert no_heading("# %% cell 3") == "# %% cell 3 "
    assert all(no_heading(line) == line for line in ("# %% cell", "#%% cell 3", " # %% cell 3", "# %% cell 3 ", "x"))
