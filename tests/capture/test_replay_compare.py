"""How far two values are apart, and what is said where that is no number."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
import torch.fx

from graphcap.capture.replay.compare import CHUNK, NotCompared, Pair, compared, difference
from graphcap.capture.replay.graphs import replayed
from graphcap.capture.replay.start import NotRestored, Start
from graphcap.capture.target.loaded import Loaded

pytestmark = pytest.mark.torch

ONE = torch.tensor([1.0, 2.0, -4.0])


@pytest.mark.parametrize(
    ("graph", "eager", "absolute", "relative", "close"),
    [
        (ONE, ONE.clone(), 0.0, 0.0, True),
        (ONE + torch.tensor([0.0, 0.5, 0.0]), ONE, 0.5, 0.125, False),
        (ONE * (1 + 2**-22), ONE, 2**-20, 2**-22, True),
        (torch.tensor([math.inf, math.nan, 1.0]), torch.tensor([math.inf, math.nan, 1.0]), 0.0, 0.0, True),
        (torch.tensor([1, 2]), torch.tensor([1, 5]), 3.0, 0.6, False),
        (torch.tensor([True]), torch.tensor([False]), 1.0, math.inf, False),
        (torch.zeros(0, 3), torch.zeros(0, 3), 0.0, 0.0, True),
        (torch.tensor([1 + 2j]), torch.tensor([1 + 0j]), 2.0, 2.0, False),
        (ONE.to_sparse(), ONE.to_sparse() * 2, 4.0, 0.5, False),
        (torch.zeros(CHUNK + 1).index_fill(0, torch.tensor([CHUNK]), 3.0), torch.ones(CHUNK + 1), 2.0, 2.0, False),
        (3, 3, 0.0, 0.0, True),
        (3, 3.5, 0.5, 0.5 / 3.5, False),
        (None, None, 0.0, 0.0, True),
        ("a", "a", 0.0, 0.0, True),
    ],
)
def test_the_difference_of_two_values(graph: Any, eager: Any, absolute: float, relative: float, close: bool) -> None:
    found = difference(graph, eager)
    assert (found.absolute, found.relative, found.close, found.words) == (absolute, relative, close, "")


@pytest.mark.parametrize(
    ("graph", "eager", "says"),
    [
        (ONE, ONE[:2], "float32[2] in eager PyTorch, float32[3] here"),
        (ONE.double(), ONE, "float32[3] in eager PyTorch, float64[3] here"),
        (torch.tensor([math.nan]), torch.tensor([1.0]), "infinite or nan"),
        (torch.tensor([-math.inf]), torch.tensor([math.inf]), "infinite or nan"),
        (torch.tensor([math.inf]), torch.tensor([math.nan]), "infinite or nan"),
        (None, ONE, "float32[3] in eager PyTorch, None here"),
        ("a", "b", "b in eager PyTorch, a here"),
        ("1", 1, "1 in eager PyTorch, 1 here"),
    ],
)
def test_values_that_cannot_be_subtracted_are_apart(graph: Any, eager: Any, says: str) -> None:
    found = difference(graph, eager)
    assert math.isnan(found.absolute) and not found.close and says in found.words
    replay = compared([Pair("output 0", ONE, ONE), Pair("output 1", graph, eager)])
    assert (replay.status, replay.max_abs, replay.max_rel, replay.close, replay.worst) == (
        "compared",
        None,
        None,
        False,
        "output 1",
    )
    assert says in replay.reason


def test_values_without_data_are_not_compared() -> None:
    with pytest.raises(NotCompared, match="meta device"):
        difference(ONE.to("meta"), ONE)


def test_all_pairs_count_and_the_worst_is_named() -> None:
    found = compared(
        [Pair("output 0", ONE + 1, ONE), Pair("output 1", ONE, ONE), Pair("gradient of w", ONE + 3, ONE, gradient=True)],
        "said",
    )
    assert (found.outputs, found.gradients, found.max_abs, found.max_rel, found.worst) == (2, 1, 3.0, 0.75, "gradient of w")
    assert (found.close, found.reason) == (False, "said")
    assert compared([]).status == "not-compared"


class Stateful(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("seen", torch.zeros(()))
        self.norm = torch.nn.BatchNorm1d(3)
        self.count = 0
        self.kept: list[Any] = []
        self.cache: dict[str, Any] = {"deep": {"list": [1]}}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        self.seen += 1
        self.seen = self.seen * 2
        self.count += 1
        self.kept.append(x)
        self.cache["deep"]["list"].append(self.count)
        self.cache["new"] = x
        return self.norm(x) * self.w * torch.rand(3)


def test_the_first_state_comes_back() -> None:
    model, x = Stateful(), torch.ones(2, 3)
    seen = model.seen
    start = Start(Loaded("t1", "", model, (x,)))
    first = model(x)
    first.sum().backward()
    assert set(start.written()) == {id(x), id(seen), id(model.norm.running_mean), id(model.norm.num_batches_tracked)} | {
        id(model.norm.running_var)
    }
    assert start.replaced().keys() == {id(seen)}
    start.restore()
    assert torch.equal(x, torch.ones(2, 3)) and model.seen is seen and seen.item() == 0 and model.w.grad is None
    assert (model.count, model.kept, model.cache) == (0, [], {"deep": {"list": [1]}})
    assert model.norm.running_var is not None and torch.equal(model.norm.running_var, torch.ones(3))
    assert start.written() == start.replaced() == {}
    assert torch.equal(model(x), first)


def test_what_was_not_kept_may_not_be_written_to() -> None:
    model = torch.nn.Linear(3, 3)
    start = Start(Loaded("t1", "", model, (torch.ones(1, 3),)))
    with torch.no_grad():
        model.weight.add_(1)
    with pytest.raises(NotRestored, match="writes into weight"):
        start.restore()


def test_an_input_that_changes_its_shape_cannot_be_put_back() -> None:
    x = torch.ones(2, 3)
    start = Start(Loaded("t1", "", torch.sin, (x,)))
    x.unsqueeze_(0)
    with pytest.raises(NotRestored, match="changes the shape"):
        start.restore()


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda graph, x: graph.call_function(torch.ops.aten.empty_like.default, (x,)), "aten.empty_like.default"),
        (lambda graph, x: graph.call_function(torch.empty_like, (x,)), "empty_like"),
        (lambda graph, x: graph.call_method("new_empty", (x, [2])), "new_empty"),
        (lambda graph, x: graph.call_function(torch.ops.aten.zeros_like.default, (x,)), ""),
    ],
)
def test_what_unfilled_memory_holds_is_no_difference(make: Any, named: str) -> None:
    graph = torch.fx.Graph()
    graph.output(make(graph, graph.placeholder("x")))
    found = replayed(lambda: [Pair("output 0", ONE, ONE + 1)], [graph], Steady())
    expected = f"unfilled memory ({named}) holds other values here than in eager PyTorch" if named else ""
    assert (found.status, found.reason) == ("not-compared" if named else "compared", expected)


class Steady:
    """Eager PyTorch that gives the same each time."""

    def drew(self) -> bool:
        return False

    def steady(self) -> bool:
        return True
