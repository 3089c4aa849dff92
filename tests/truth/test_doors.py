"""What comes in by another door is the same: every case as a notebook, graph for graph as the pasted file gives it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphcap.intake import accept
from graphcap.intake.upload import Upload
from graphcap.settings import from_environment
from tests.truth.processes import Captured, Runs
from tests.truth.product import graph_facts
from tests.truth.sources import Case, cases

pytestmark = pytest.mark.torch

OWN = [case for case in cases() if case.id.startswith("cases/")]


def as_notebook(case: Case) -> bytes:
    """The case in two cells: its first statement with what stands before it, and the rest."""
    lines = case.path.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = next(i for i, line in enumerate(lines) if line.startswith(("import ", "from "))) + 1
    cells = [{"cell_type": "code", "source": part} for part in ("%matplotlib inline\n", lines[:cut], lines[cut:])]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}).encode()


def graphs(found: Captured) -> dict[str, Any]:
    """All graphs by stage, but for lines, which differ: the file of a notebook has a line more for every cell."""
    return {
        stage.id: (
            stage.status,
            [failure.type for failure in stage.failures],
            [{**graph_facts(graph), "lines": None, "text": None} for graph in stage.graphs],
        )
        for stage in found.stages.values()
    }


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.id)
def test_a_notebook_gives_the_graphs_of_the_file(case: Case, runs: Runs, tmp_path: Path) -> None:
    upload = Upload(f"{case.path.stem}.ipynb", as_notebook(case))
    submission = accept.accept_files([upload], None, from_environment({}))
    (code,) = (file.data for file in submission.files if file.name.endswith(".py"))
    path = tmp_path / case.path.name
    path.write_bytes(code)
    other = runs.graphcap(Case(f"notebook/{case.path.stem}", path))
    assert graphs(other) == graphs(runs.graphcap(case))
