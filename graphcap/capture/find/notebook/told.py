"""A notebook's cells in what is said of it: which of its lines were skipped, and in which cell."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from graphcap.capture.find.opening.named import few_of
from graphcap.capture.find.targets import Finding
from graphcap.graph.notebooks.cells import cells_of, place

SKIPPED = "# skipped: "


def in_cells(path: Path, finding: Finding) -> Finding:
    """`path` is the notebook; the code of its cells lies beside it."""
    code = path.with_name(f"{path.name}.py")
    told = _skipped(code.name, code.read_text("utf-8", "replace"))
    if not told:
        return finding
    candidates = tuple(dataclasses.replace(each, rule=f"{each.rule}; {told}") for each in finding.candidates)
    return dataclasses.replace(finding, candidates=candidates)


def _skipped(name: str, text: str) -> str:
    cells, lines = cells_of(name, text), enumerate(text.split("\n"), 1)
    found = [(line.split(SKIPPED, 1)[1], place(cells, number)) for number, line in lines if SKIPPED in line]
    if not found:
        return ""
    return f"skipped as no Python: {few_of([f'{what[:80]} ({where})' for what, where in found])}"
