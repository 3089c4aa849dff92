"""A notebook's cells in what is said of it: which of its lines were skipped, and in which cell."""

from __future__ import annotations

from pathlib import Path

from graphcap.capture.find.named import few_of
from graphcap.capture.find.targets import Finding
from graphcap.graph.notebooks.cells import SKIPPED, cells_of, place


def in_cells(path: Path, finding: Finding) -> Finding:
    """`path` is the notebook; the code of its cells lies beside it."""
    code = path.with_name(f"{path.name}.py")
    return finding.saying(_skipped(code.name, code.read_text("utf-8", "replace")))


def _skipped(name: str, text: str) -> str:
    cells, lines = cells_of(name, text), enumerate(text.split("\n"), 1)
    found = [(line.split(SKIPPED, 1)[1], place(cells, number)) for number, line in lines if SKIPPED in line]
    if not found:
        return ""
    return f"skipped as no Python: {few_of([f'{what[:80]} ({where})' for what, where in found])}"
