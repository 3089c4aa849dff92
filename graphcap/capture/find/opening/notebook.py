"""A notebook's cells in what is said of it: what was skipped, and in which cell a failure is."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import msgspec

from graphcap.capture.find.targets import Finding
from graphcap.graph.document import Failure

HEAD = re.compile(r"^# %% cell (\d+)$")
SKIPPED = "# skipped: "
MAX_TOLD = 5


def in_cells(path: Path, finding: Finding) -> Finding:
    """`path` is the notebook; the code of its cells lies beside it, each under a line `# %% cell N`."""
    lines = path.with_name(f"{path.name}.py").read_text("utf-8", "replace").split("\n")
    if told := _skipped(lines):
        finding = dataclasses.replace(
            finding, candidates=tuple(dataclasses.replace(c, rule=f"{c.rule}; {told}") for c in finding.candidates)
        )
    return dataclasses.replace(finding, failures=tuple(_placed(failure, path.name, lines) for failure in finding.failures))


def _skipped(lines: list[str]) -> str:
    found = [(line.split(SKIPPED, 1)[1], place(lines, number)) for number, line in enumerate(lines, 1) if SKIPPED in line]
    if not found:
        return ""
    more = f" and {len(found) - MAX_TOLD} more" if len(found) > MAX_TOLD else ""
    return "skipped as no Python: " + ", ".join(f"{what[:80]} ({where})" for what, where in found[:MAX_TOLD]) + more


def _placed(failure: Failure, name: str, lines: list[str]) -> Failure:
    if failure.frame is None or not failure.frame.file.endswith(f"{name}.py"):
        return failure
    where = f"{place(lines, failure.frame.line)} of {name}"
    return msgspec.structs.replace(failure, how="; ".join(part for part in (failure.how, where) if part))


def place(lines: list[str], line: int) -> str:
    """`cell 3, line 2` for a line of the file, counted from 1."""
    for back, above in enumerate(reversed(lines[:line])):
        if match := HEAD.match(above):
            return f"cell {match[1]}, line {back}"
    return "before the first cell"
