"""The oracle is held against node counts that were once written down from torch 2.13 (tests/cases/torch-facts.jsonl)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.truth.processes import Runs
from tests.truth.sources import FOLDERS, Case

pytestmark = pytest.mark.torch

KNOWN: dict[str, dict[str, Any]] = {
    facts["case"]: facts for facts in map(json.loads, (FOLDERS["cases"] / "torch-facts.jsonl").read_text().splitlines())
}
CASES = [Case(f"cases/{name}", FOLDERS["cases"] / f"{name}.py") for name in KNOWN]


def sizes(stage: dict[str, Any]) -> list[int]:
    """Nodes of each graph that is no body."""
    return [len(graph["nodes"]) for gid, graph in stage.get("graphs", {}).items() if "/" not in gid and "draft" not in gid]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_oracle_counts_what_was_counted(case: Case, runs: Runs) -> None:
    known, found = KNOWN[case.id.split("/")[1]], runs.torch(case)
    for stage in ("export", "core_aten"):
        if stage in known and "nodes" in known[stage]:
            assert sizes(found[stage]) == [known[stage]["nodes"]]
    if "error" in known["export"]:
        type_, message = found["export"]["error"]
        message = message.replace(f"'{case.path.stem}.", "'case.")  # what the files were called then
        assert known["export"]["error"].startswith(f"{type_}: {message}"[:60])
    assert sizes(found["joint"]) == known["aot"]["joint"]
    assert sizes(found["forward"]) == known["aot"]["forward"] or sizes(found["forward"]) == known["aot"]["inference"]
    if "compile_error" not in known:  # the backward, which the partitioner had made, was not counted then
        assert sizes(found["backward"]) == known["aot"]["backward"]
    lines = [[reason, line] for reason, line in found["dynamo"]["breaks"]]
    assert lines == known["dynamo"]["breaks"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_oracle_finds_the_fragments_that_were_found(case: Case, runs: Runs) -> None:
    known, found = KNOWN[case.id.split("/")[1]]["dynamo"], runs.torch(case)
    if found["aot"]["fragments"] != len(sizes(found["dynamo"])):  # AOTAutograd failed, and Dynamo tried the frame again
        assert found["joint"]["error"] and found["aot"]["fragments"] == known["graphs"]
    else:
        assert sizes(found["dynamo"]) == known["nodes"]
