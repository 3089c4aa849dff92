"""The mirror against torch: what is saved, in which storages of how many bytes, and what is computed again, as it runs."""

from __future__ import annotations

import functools
import importlib.util
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import compile_models as models
import pytest
import torch
from compile_forks import aot, call, in_fork, own
from compile_models import X, target
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition

from graphcap.analyses.mirror.mirror import Pair, mirror
from graphcap.analyses.mirror.partition import Partition
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Graph

pytestmark = pytest.mark.torch

EXAMPLES = Path(__file__).parents[2] / "graphcap" / "web" / "examples"
PARTITIONERS: dict[Any, Callable[..., Any]] = {
    "min_cut": min_cut_rematerialization_partition,
    "default": default_partition,
}


class Views(nn.Module):
    """Saves parts of larger storages: halves of a split, a strided column, an expanded row, something channels last."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.conv(x.contiguous(memory_format=torch.channels_last))
        a, b = y.exp().chunk(2, 1)
        row = y.mean((1, 2)).unsqueeze(1).expand(-1, 5, -1)
        return (a * b.sin()).sum() + (y[:, 1] * y[:, 2]).cos().sum() + (row * row.tanh()).sum()


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.drop = nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(x).unflatten(-1, (3, 2, 4)).permute(2, 0, 3, 1, 4).unbind()
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.drop(y.max(-1).values.cumsum(0)).square()


def example(name: str) -> Loaded:
    """One of the gallery: `model` called with `example_args`."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return target(module.model, *module.example_args)


def sliced() -> Loaded:
    """Saves inputs that are views of larger tensors; two of them lie in the same storage."""
    base, weight = torch.randn(4, 10, requires_grad=True), torch.randn(3, 8, requires_grad=True)
    return target(lambda x, y, w: ((x * y) @ w).sin() @ w.t(), base[:, 1:4], base[:, 5:8], weight[:, ::2])


MODELS: dict[str, Callable[[], Loaded]] = {
    "sliced": sliced,
    "named": lambda: target(models.Named(), X, {"a": [X.clone()]}),
    "chain": lambda: target(models.Chain(), X),
    "checkpointed": lambda: target(models.Checkpointed(), X),
    "tied": lambda: target(models.Tied(), X),
    "normed": lambda: target(models.Normed(), X),
    "views": lambda: target(Views(), torch.randn(2, 3, 8, 8)),
    "attention": lambda: target(Attention(), torch.randn(2, 6, 8)),
    **{name: functools.partial(example, name) for name in ("03_cnn", "04_gpt", "11_checkpointing", "12_batch_norm")},
}


def torchs_own(make: Callable[[], Loaded], partitioner: str) -> list[dict[str, Any]]:
    """By fragment: the saved tensors' storages as they were when the forward ran, and names of the halves' calls."""

    def work() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []

        def partition(joint: torch.fx.GraphModule, inputs: Any, **settings: Any) -> Any:
            forward, backward = PARTITIONERS[partitioner](joint, inputs, **settings)
            taken = [node for node in backward.graph.find_nodes(op="placeholder") if "tangents" not in node.name]
            calls = [{n.name for n in half.graph.nodes if n.op == "call_function"} for half in (forward, backward)]
            returned = next(iter(backward.graph.find_nodes(op="output"))).args[0]
            found.append(
                {
                    "saved": [node.name for node in taken],
                    "readers": {node.name: sorted(user.name for user in node.users) for node in taken},
                    "recomputed": sorted(calls[0] & calls[1]),
                    "gradients": sum(value is not None for value in returned),
                }
            )
            return forward, backward

        def forward(module: torch.fx.GraphModule, inputs: Any) -> Any:
            said = found[-1]
            names = [getattr(value, "name", "") for value in next(iter(module.graph.find_nodes(op="output"))).args[0]]

            def run(*args: Any) -> Any:
                values = dict(zip(names, module(*args), strict=True))
                storages = {name: values[name].untyped_storage() for name in said["saved"]}
                said["bytes"] = {name: storage.nbytes() for name, storage in storages.items()}
                said["same"] = grouped({name: storage._cdata for name, storage in storages.items()})
                return tuple(values[name] if name else None for name in names)

            return make_boxed_func(run)

        backend = aot_autograd(
            fw_compiler=forward, bw_compiler=lambda module, _: make_boxed_func(module.forward), partition_fn=partition
        )
        call(torch.compile, make(), backend)
        return found

    return in_fork(work)


def grouped(key: dict[str, Any]) -> list[list[str]]:
    """Names with the same key, sorted."""
    groups: dict[Any, list[str]] = defaultdict(list)
    for name, value in key.items():
        groups[value].append(name)
    return sorted(sorted(names) for names in groups.values())


def ours(make: Callable[[], Loaded], partitioner: Any) -> list[tuple[Partition, Graph]]:
    """The cut of every fragment that has a backward, and the backward."""
    stages = aot(make, partitioner=partitioner)
    backwards = {graph.fragment: graph for graph in own(stages["backward"]) if not graph.variant}
    forwards = [graph for graph in own(stages["forward"]) if graph.fragment in backwards and not graph.variant]
    pairs = [Pair(graph, backwards[graph.fragment], partitioner) for graph in forwards]
    return [(mirror(pair).cut, pair.backward) for pair in pairs]


@pytest.mark.parametrize("partitioner", PARTITIONERS)
@pytest.mark.parametrize("name", MODELS)
def test_the_mirror_is_what_torch_does(name: str, partitioner: str) -> None:
    cuts, theirs = ours(MODELS[name], partitioner), torchs_own(MODELS[name], partitioner)
    assert len(cuts) == len(theirs) > 0
    for (cut, backward), raw in zip(cuts, theirs, strict=True):
        assert [each.name for each in cut.saved] == raw["saved"]
        readers = {each.name: sorted(backward.nodes[i].name for i in each.readers) for each in cut.saved}
        assert readers == raw["readers"]
        assert {each.name: each.bytes for each in cut.saved} == raw["bytes"]
        assert grouped({each.name: each.storage for each in cut.saved}) == raw["same"]
        assert sorted(each.name for each in cut.recomputed) == raw["recomputed"]
        assert cut.totals.gradients == raw["gradients"]
        assert cut.totals.bytes == sum(raw["bytes"][names[0]] for names in raw["same"])


def test_views_really_share() -> None:
    """What the test above holds would hold of models without a view too."""
    ((cut, _),) = ours(MODELS["views"], "default")
    assert any(each.view for each in cut.saved)
    assert any(len(storage.saved) > 1 for storage in cut.storages)


def test_min_cut_says_why() -> None:
    ((cut, _),) = ours(MODELS["04_gpt"], "min_cut")
    first = {each.name: each.reasons[0] for each in cut.saved}
    assert {"input", "not_recomputable"} <= set(first.values())
    assert all(each.said for each in cut.saved if each.kind == "call" and first[each.name] != "cheapest")
    assert "unknown" not in first.values()
