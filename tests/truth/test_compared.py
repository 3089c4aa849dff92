"""The comparison has teeth: whatever is changed about a stage is seen."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.truth.compared import compare
from tests.truth.steady import first_line, steady

GRAPH: dict[str, Any] = {
    "nodes": [["x", "placeholder", "x"], ["sin", "call_function", "aten.sin.default"], ["output", "output", "output"]],
    "edges": [["sin", "output"], ["x", "sin"]],
    "values": {"x": ["float32", ["4"], ["1"]], "sin": ["float32", ["4"], ["1"]]},
    "modules": {"sin": "layers.0"},
    "lines": {"sin": 7},
    "owners": {},
    "text": "graph():\n    %x\n    %sin\n    return (sin,)",
}
TORCH: dict[str, Any] = {"graphs": {"export.0": GRAPH, "export.0/true_graph_0": GRAPH}}
GRAPHCAP: dict[str, Any] = {**TORCH, "status": "done", "reason": "", "failures": [], "how": []}


def test_what_is_equal_is_equal() -> None:
    assert compare("export", TORCH, GRAPHCAP).verdict == "equal"


CHANGES: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "a name": lambda stage, graph: graph["nodes"][1].__setitem__(0, "sin_1"),
    "a target": lambda stage, graph: graph["nodes"][1].__setitem__(2, "aten.cos.default"),
    "the order": lambda stage, graph: graph["nodes"].reverse(),
    "a node less": lambda stage, graph: graph["nodes"].pop(),
    "an edge less": lambda stage, graph: graph["edges"].pop(),
    "an edge twice": lambda stage, graph: graph["edges"].append(["x", "sin"]),
    "a space in the text": lambda stage, graph: graph.update(text=graph["text"] + " "),
    "a stride": lambda stage, graph: graph["values"]["x"].__setitem__(2, ["2"]),
    "a value less": lambda stage, graph: graph["values"].pop("x"),
    "a module": lambda stage, graph: graph["modules"].update(sin="layers.1"),
    "a line": lambda stage, graph: graph["lines"].update(sin=8),
    "an owner": lambda stage, graph: graph["owners"].update(x="weight"),
    "a body less": lambda stage, graph: stage["graphs"].pop("export.0/true_graph_0"),
    "a graph more": lambda stage, graph: stage["graphs"].update({"export.1": GRAPH}),
    "a failure": lambda stage, graph: stage.update(status="failed", failures=[["ValueError", "no"]]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen(change: str) -> None:
    stage = copy.deepcopy(GRAPHCAP)
    CHANGES[change](stage, stage["graphs"]["export.0"])
    comparison = compare("export", TORCH, stage)
    assert comparison.verdict == "different" and comparison.differences


REFUSED: dict[str, Any] = {"error": ["UserError", "Constraints violated (s)!"]}


def test_a_refusal_must_have_the_same_words() -> None:
    failed = {**GRAPHCAP, "graphs": {}, "status": "failed", "failures": [REFUSED["error"]], "how": ["non-strict"]}
    assert compare("export", REFUSED, failed).verdict == "same error"
    assert compare("export", REFUSED, {**failed, "failures": [["UserError", "Constraints violated (t)!"]]}).differences
    assert compare("export", REFUSED, {**failed, "failures": [["ValueError", "Constraints violated (s)!"]]}).differences
    assert compare("export", REFUSED, GRAPHCAP).differences
    assert compare("export", {**REFUSED, "strict": {"errors": [["TypeError", "no"]]}}, failed).differences


def test_nothing_needs_a_reason() -> None:
    nothing = {**GRAPHCAP, "graphs": {}, "status": "skipped"}
    assert compare("backward", {"graphs": {}}, nothing).differences
    assert compare("backward", {"graphs": {}}, {**nothing, "reason": "nothing requires grad"}).verdict == "nothing in both"
    assert compare("backward", TORCH, {**nothing, "reason": "nothing requires grad"}).differences


def test_breaks_between_fragments_must_be_there_and_none_may_be_invented() -> None:
    torch_says = {**TORCH, "breaks": [["print", 3], ["print", 3]], "reasons": ["print", "rnn"]}
    for breaks, verdict in (
        ([["print", 3], ["print", 3]], "equal"),
        ([["print", 3], ["print", 3], ["rnn", 9]], "equal"),
        ([["print", 3]], "different"),
        ([["print", 3], ["print", 4]], "different"),
        ([["print", 3], ["print", 3], ["moon", 1]], "different"),
    ):
        assert compare("dynamo", torch_says, {**GRAPHCAP, "breaks": breaks}).verdict == verdict


def test_calls_of_the_eager_run_are_compared_in_order() -> None:
    torch_says = {"forward": ["aten.sin.default", "aten.sum.default"], "backward": ["aten.cos.default"]}
    eager = {**GRAPHCAP, "calls": torch_says}
    assert compare("eager", torch_says, eager).verdict == "equal"
    swapped = {"forward": torch_says["forward"][::-1], "backward": torch_says["backward"]}
    assert compare("eager", torch_says, {**eager, "calls": swapped}).differences
    assert compare("eager", torch_says, {**eager, "calls": {**torch_says, "backward": []}}).differences


def test_only_what_differs_from_run_to_run_is_left_out_of_a_message() -> None:
    assert steady("<M object at 0x7f3a> in /tmp/a1/model.py, line 3") == "<M object at 0x> in /model.py, line 3"
    assert steady("torch.compile/export/fx and x/y") == "torch.compile/export/fx and x/y"
    assert steady("symbols {u7, u15}") == steady("symbols {u15, u7}") != steady("symbols {u7, u16}")
    assert first_line("a.b.UserError", "\n first \nsecond") == ["UserError", "first"]
