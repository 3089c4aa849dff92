"""The eager route against a plain TorchDispatchMode, and what it knows of each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from capture_forks import in_fork
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from graphcap.capture.record import Recorder
from graphcap.capture.stages.eager import run_eager
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.check import check_stage
from graphcap.graph.codec import decode, encode
from graphcap.graph.document import Options, Stage, TensorMeta

Make = Callable[[], tuple[Any, tuple[Any, ...]]]


class Kept:
    stage: Stage

    def started(self, stage: str) -> None:
        pass

    def ended(self, stage: Stage) -> None:
        self.stage = stage


def eager(make: Make) -> Stage:
    def work() -> bytes:
        model, args = make()
        kept = Kept()
        run_eager(Loaded("t1", "M", model, args), Options(), Recorder({__file__: "mine.py"}, model), kept)
        return encode(kept.stage)

    stage = decode(in_fork(work), Stage)
    check_stage(stage, "t1")
    return stage


class Calls(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


def plain_calls(make: Make) -> list[str]:
    def work() -> list[str]:
        model, args = make()
        with Calls() as calls:
            outputs = [o for o in torch.utils._pytree.tree_leaves(model(*args)) if isinstance(o, torch.Tensor)]
            wanted = [o for o in outputs if o.requires_grad]
            torch.autograd.backward(wanted, [torch.ones_like(o) for o in wanted])
        return calls.names

    return in_fork(work)


class Tied(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4, 4)
        self.b = torch.nn.Linear(4, 4)
        self.b.weight = self.a.weight
        self.norm = torch.nn.BatchNorm1d(4)
        self.table = {"k": torch.ones(4)}

    def forward(self, x: torch.Tensor) -> Any:
        y = checkpoint(lambda t: self.b(torch.sigmoid(self.a(t))), x, use_reentrant=False)
        y = self.norm(y) * self.table["k"]
        values, _ = y.topk(2)
        return {"values": values, "parts": y.split(2, dim=1), "none": None, "n": 3}


class Mutates(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x.view(2, 2).add_(1)
        return x.data * 2


class Complex(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(4, dtype=torch.complex64))

    def forward(self, x: torch.Tensor) -> Any:
        return torch.fft.fft(x) * self.w, x.to_sparse(), x[:0]


CASES: list[Make] = [
    lambda: (Tied(), (torch.ones(3, 4),)),
    lambda: (Mutates(), (torch.ones(4),)),
    lambda: (Complex(), (torch.ones(4),)),
    lambda: (torch.nn.LSTM(3, 4), (torch.ones(2, 1, 3),)),
    lambda: (lambda x: (x @ x.T).softmax(-1), (torch.ones(2, 3, requires_grad=True),)),
]


@pytest.mark.parametrize("make", CASES)
def test_the_calls_are_those_that_plain_torch_makes(make: Make) -> None:
    stage = eager(make)
    assert (stage.status, stage.failures) == ("done", ())
    (graph,) = stage.graphs
    got = [n.target for n in graph.nodes if n.op == "call_function" and n.target != "operator.getitem"]
    assert got == plain_calls(make) and got


def test_inputs_outputs_and_gradients_are_named() -> None:
    (graph,) = eager(CASES[0]).graphs
    placeholders = [(n.name, n.placeholder.kind, n.placeholder.name) for n in graph.nodes if n.placeholder]
    assert placeholders[:3] == [
        ("p_a_weight", "parameter", "a.weight"),
        ("p_a_bias", "parameter", "a.bias"),
        ("p_b_bias", "parameter", "b.bias"),
    ]
    assert ("b_norm_running_mean", "buffer", "norm.running_mean") in placeholders
    assert ("x", "input", "x") in placeholders
    assert placeholders[-1] == ("_tensor_constant0", "constant", "table['k']")
    returned = [(output.kind, output.name) for output in graph.nodes[-1].returns]
    assert returned == [("user_output", "")] * 5 + [
        ("gradient", name) for name in ("a.weight", "a.bias", "b.bias", "norm.weight", "norm.bias")
    ]


def test_calls_know_their_module_their_line_and_whether_they_are_backward() -> None:
    (graph,) = eager(CASES[0]).graphs
    by_name = {node.name: node for node in graph.nodes}
    module = {node.name: graph.modules[node.module][-1].path for node in graph.nodes if node.module >= 0}
    lines = {node.name: [graph.frames[i] for i in graph.stacks[node.stack]] for node in graph.nodes if node.stack >= 0}
    assert (module["addmm"], module["addmm_1"], module["native_batch_norm"]) == ("a", "b", "norm")
    assert (lines["topk"][-1].code, lines["topk"][-1].user) == ("values, _ = y.topk(2)", True)
    backward = next(node for node in graph.nodes if node.target == "aten.native_batch_norm_backward.default")
    assert module[backward.name] == "norm" and backward.origin is not None and backward.origin.autograd_backward
    assert backward.origin.seq_nr == by_name["native_batch_norm"].origin.seq_nr  # type: ignore[union-attr]
    again = [node for node in graph.nodes if node.target == "aten.addmm.default"]
    recomputed = [bool(node.origin and node.origin.autograd_backward) for node in again]
    assert recomputed == [False, False, True]  # the second linear is not needed again
    value = by_name["addmm"].value
    assert isinstance(value, TensorMeta) and value.requires_grad and value.shape == (3, 4)


def test_without_anything_that_requires_grad_there_is_no_backward_and_it_says_so() -> None:
    stage = eager(lambda: (torch.nn.ReLU(), (torch.ones(2),)))
    assert stage.notes == ("nothing requires grad, so there is no backward",)


def test_a_forward_that_raises_keeps_the_calls_made_until_then() -> None:
    class Raises(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sin() @ torch.ones(3)

    stage = eager(lambda: (Raises(), (torch.ones(2),)))
    (failure,) = stage.failures
    assert (stage.status, failure.how, failure.type) == ("failed", "forward", "RuntimeError")
    assert failure.frame is not None and failure.frame.code == "return x.sin() @ torch.ones(3)"
    targets = [node.target for node in stage.graphs[0].nodes]
    assert targets[:3] == ["x", "aten.sin.default", "aten.ones.default"]


def test_a_branch_of_cond_is_written_down_call_by_call() -> None:
    class Branch(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.l = torch.nn.Linear(3, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, lambda y: self.l(y).sin(), lambda y: y.cos(), (x,))

    stage = eager(lambda: (Branch(), (torch.ones(1, 3),)))
    assert stage.status == "done"
    targets = [node.target for node in stage.graphs[0].nodes]
    assert "aten.sin.default" in targets and "aten.cos.default" in targets  # cos: the derivative of sin
    assert [o.name for o in stage.graphs[0].nodes[-1].returns if o.kind == "gradient"] == ["l.weight", "l.bias"]
