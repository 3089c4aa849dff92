"""Symbols as torch has them, and the line at which a dynamic dimension became a constant."""

from __future__ import annotations

import pytest

from graphcap.graph.document import Stage
from tests.capture.capture_runs import Run, run_capture

CODE = """\
import torch
from torch.export import Dim, export
class Tail(torch.nn.Module):
    def forward(self, x, y):
        return x[1:] + y
class Ten(torch.nn.Module):
    def forward(self, x):
        z = x * 2
        if x.shape[0] == 10:
            return z + 1
        return z
class Viewed(torch.nn.Module):
    def forward(self, x):
        return x.view(10, 4)
@torch.compile(dynamic=True)
def compiled(x):
    return x.view(10, 4) + 1
x = torch.randn(10, 4)
export(Tail(), (x, torch.randn(9, 4)), dynamic_shapes=({0: Dim.AUTO}, {0: Dim.AUTO}))
export(Viewed(), (x,), dynamic_shapes=({0: Dim.AUTO},))
compiled(x)
export(Ten(), (x,), dynamic_shapes=({0: Dim("batch", max=64)},))
"""


@pytest.fixture(scope="module")
def run() -> Run:
    return run_capture(CODE, stages=("dynamo", "export"))


def values(stage: Stage) -> list[tuple[str, str, int | None]]:
    return [(each.name, each.value, each.frame and each.frame.line) for each in stage.symbols]


def test_symbols_are_those_of_the_graphs_with_ranges_and_conditions(run: Run) -> None:
    stage = run.stage("export", "t1")
    assert values(stage) == [("s77", "s17 + 1", 5), ("s17", "", None)]
    assert [(s.sources, s.lower, s.upper, s.example) for s in stage.symbols] == [
        (("L['x'].size()[0]",), "3", "int_oo", "10"),
        (("L['y'].size()[0]",), "2", "int_oo", "9"),
    ]
    assert "placeholder[target=y]" in stage.graphs[0].text
    assert any(node.value and "s17" in str(node.value) for node in stage.graphs[0].nodes)
    assert ("Eq(s77 - 1, s17)", 5) in [(each.text, each.frame and each.frame.line) for each in stage.constraints]


@pytest.mark.parametrize(("target", "stage", "line"), [("t2", "export", 14), ("t3", "dynamo", 17)])
def test_a_dimension_that_became_a_constant_has_its_line_and_why(run: Run, target: str, stage: str, line: int) -> None:
    symbol = run.stage(stage, target).symbols[0]
    assert (symbol.value, symbol.frame and symbol.frame.line) == ("10", line)
    assert symbol.reason.startswith("Eq(") and "s77" in symbol.reason


def test_an_export_that_may_not_specialise_says_which_line_did_and_what_torch_suggests(run: Run) -> None:
    stage = run.stage("export", "t4")
    failure = stage.failures[0]
    assert "You marked batch as dynamic but your code specialized it to be a constant (10)" in failure.message
    assert failure.frame is not None and failure.frame.line == 9
    assert failure.hints[:2] == (
        "Your code specialised batch to 10: line 9 of model.py, if x.shape[0] == 10:",
        "Suggested fixes:\nbatch = 10",
    )
    assert (stage.symbols[0].dim, stage.symbols[0].value) == ("batch", "10")


def test_a_model_of_static_shapes_has_none() -> None:
    run = run_capture("import torch\nmodel = torch.nn.ReLU()\nexample_args = (torch.randn(2),)\n", stages=("export",))
    assert run.stage("export").symbols == () and run.stage("export").constraints == ()
