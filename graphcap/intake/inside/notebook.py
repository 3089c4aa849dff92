"""A notebook as one file of Python: its code cells in order, each under a line `# %% cell N`, magics skipped.

Of torch nothing is known here and nothing is run. The file is what is imported and shown, so that its lines are those of
every failure and break.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from graphcap.errors import UserError
from graphcap.graph.notebooks.cells import SKIPPED, heading, no_heading
from graphcap.graph.python import tree_of
from graphcap.intake.budget import Budget
from graphcap.intake.refusals import too_large

LANGUAGES = ("time", "timeit", "capture", "prun", "python", "python3")
"""Cell magics around Python: the rest of the cell is kept. With any other it is another language, or a file to write."""

MAX_MAGICS = 300  # of one cell
PARSED = 4  # times the limit of code that is parsed to find the magics: for each, its cell is parsed again
MAGIC = re.compile(r"^(\s*)(?:[%!?]|[\w.]+\s*=\s*[%!]|[\w.]+\?{1,2}\s*$)")


def python_of(data: bytes, name: str, limit_kib: int) -> bytes:
    """The code of a notebook's cells, UTF-8. Raises UserError where it is none, has no code, or more than the limit."""
    cells = list(_cells(data, name))
    if (size := sum(len(source) for _, source in cells)) > limit_kib * 1024:  # before any of it is parsed
        raise too_large(name, size, limit_kib)
    budget = Budget(PARSED * limit_kib * 1024)
    lines: list[str] = []
    for number, source in cells:
        lines += [heading(number), *map(no_heading, _kept(source, budget)), ""]
    if not lines:
        raise UserError(
            "empty-upload",
            "This notebook has no code",
            f"{name} has no code cell that holds any.",
            "Save it and send it again.",
        )
    return "\n".join(lines).encode("utf-8", "replace")


def _cells(data: bytes, name: str) -> Iterator[tuple[int, str]]:
    """Number among the code cells, counted from 1 as a person counts them, and source."""
    try:
        whole = json.loads(data)
        cells = whole["cells"] if "cells" in whole else [cell for sheet in whole["worksheets"] for cell in sheet["cells"]]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        sources = [cell["source"] if "source" in cell else cell["input"] for cell in code]
        texts = [source if isinstance(source, str) else "".join(source) for source in sources]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        why = f"It is no JSON: {error}." if isinstance(error, ValueError) else f"It has no list of cells ({error!r})."
        hint = "Save the notebook again in Jupyter, or save its code as Python (.py)."
        raise UserError("unsupported-upload", f"{name} is no notebook, or a damaged one", why[:300], hint) from None
    for number, text in enumerate(texts, 1):
        if text.strip():
            yield number, text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")


def _kept(source: str, budget: Budget) -> list[str]:
    """The lines of a cell, as many as it had: what is no Python as a comment that says so, as far as the budget reaches."""
    lines = source.rstrip("\n").split("\n")
    if not _wrong_line(source, budget):
        return lines
    first = next(i for i, line in enumerate(lines) if line.strip())
    if lines[first].startswith("%%"):
        word = re.split(r"\W", lines[first][2:] + " ")[0]
        if word not in LANGUAGES:
            return [f"{SKIPPED}{line}" for line in lines]
        lines[first] = f"{SKIPPED}{lines[first]}"
    for _ in range(MAX_MAGICS):
        wrong = _wrong_line("\n".join(lines), budget)
        match = MAGIC.match(lines[wrong - 1]) if 0 < wrong <= len(lines) else None
        if match is None:  # it is Python now; or it is wrong in another way, which importing it tells
            break
        lines[wrong - 1] = f"{match[1]}pass  {SKIPPED}{lines[wrong - 1].strip()}"
    return lines


def _wrong_line(source: str, budget: Budget) -> int:
    """The line of the first error of syntax; 0 where none is known of. So a `%` in a text is never taken for a magic."""
    if not budget.take(len(source)):
        return 0
    try:
        tree_of(source)
    except SyntaxError as error:
        return error.lineno or 0
    except (ValueError, RecursionError, MemoryError):
        pass
    return 0
