"""The two partitioners, and the joint graph as it was before either touched it."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import networkx  # type: ignore[import-untyped]
import torch.fx
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition
from torch._guards import TracingContext, tracing

from graphcap.capture.fx.origin import NOT_RECOMPUTED, NOT_SAVED

Name = Literal["min_cut", "default"]
Halves = tuple[torch.fx.GraphModule, torch.fx.GraphModule]

PARTITIONERS: dict[Name, Callable[..., Halves]] = {
    "min_cut": min_cut_rematerialization_partition,
    "default": default_partition,
}
OTHER: dict[Name, Name] = {"min_cut": "default", "default": "min_cut"}
WORDS: dict[Name, str] = {"min_cut": "min-cut partitioner", "default": "default partitioner"}


@dataclasses.dataclass(frozen=True)
class Joint:
    """A joint graph with what AOTAutograd gives a partitioner beside it. `root` holds what its get_attr nodes name."""

    root: torch.fx.GraphModule
    graph: torch.fx.Graph
    inputs: Any
    settings: Mapping[str, Any]
    context: TracingContext | None

    @classmethod
    def copy_of(cls, module: torch.fx.GraphModule, inputs: Any, settings: Mapping[str, Any]) -> Joint:
        """Taken before a partitioner gets `module`, which it changes."""
        return cls(module, copy_graph(module.graph), inputs, dict(settings), TracingContext.try_get())

    def module(self) -> torch.fx.GraphModule:
        """A module of its own, to run or to cut."""
        return torch.fx.GraphModule(self.root, copy_graph(self.graph))

    def cut(self, name: Name) -> tuple[torch.fx.GraphModule, Halves]:
        """A copy, and its halves by a partitioner. Raises what the partitioner raises."""
        module = self.module()
        with tracing(self.context):
            return module, cut(name, module, self.inputs, self.settings)


def copy_graph(graph: torch.fx.Graph) -> torch.fx.Graph:
    """Every node under its own name, with a `meta` of its own."""
    made = torch.fx.Graph(tracer_cls=graph._tracer_cls)
    known: dict[torch.fx.Node, torch.fx.Node] = {}
    returned = made.graph_copy(graph, known)
    output = made.output(returned)
    output.meta = copy.copy(next(iter(graph.find_nodes(op="output"))).meta)
    made._codegen = copy.deepcopy(graph._codegen)
    return made


def cut(name: Name, joint: torch.fx.GraphModule, inputs: Any, settings: Mapping[str, Any]) -> Halves:
    """Both halves of `joint`, which is changed. Min-cut's reasons stand in the `meta` of the forward's nodes."""
    with _listening() as reasons:
        forward, backward = PARTITIONERS[name](joint, inputs, **settings)
    for node in forward.graph.nodes:
        node.meta.update(reasons.get(node.name, {}))
    return forward, backward


_SOURCE, _IN, _OUT = "source", "_in", "_out"
_NO_RECOMPUTE, _NO_SAVE = "cannot recompute", "cannot save: "
UNSAID = "used far apart, or in a long chain of fusible ops: torch does not say which"
"""Of the reasons that min-cut has, only these two are not put into words."""


@contextmanager
def _listening() -> Iterator[dict[str, dict[str, str]]]:
    """Node name -> what to note, from the network that min-cut has cut: torch puts its reason on each infinite edge."""
    found: dict[str, dict[str, str]] = {}
    minimum_cut = networkx.minimum_cut

    def heard(network: networkx.DiGraph, *args: Any, **kwargs: Any) -> Any:
        found.update(_reasons(network))
        return minimum_cut(network, *args, **kwargs)

    networkx.minimum_cut = heard
    try:
        yield found
    finally:
        networkx.minimum_cut = minimum_cut


def _reasons(network: networkx.DiGraph) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for start, end, reason in network.edges(data="reason", default=""):
        if start == _SOURCE and reason.startswith(_NO_RECOMPUTE):
            found.setdefault(end.removesuffix(_IN), {})[NOT_RECOMPUTED] = (
                reason.removeprefix(_NO_RECOMPUTE).removeprefix(": ") or UNSAID
            )
        elif reason.startswith(_NO_SAVE):
            found.setdefault(end.removesuffix(_OUT), {})[NOT_SAVED] = reason.removeprefix(_NO_SAVE)
    return found
