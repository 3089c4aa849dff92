"""Which operators the graphs of a stage call, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graphcap.analyses.labels import op_name
from graphcap.analyses.looking.measures import core
from graphcap.analyses.surface.counts import is_operator
from graphcap.analyses.surface.reasons import is_higher_order
from graphcap.graph.document import Graph, Node

STAGE_TITLES = {
    "eager": "Eager",
    "traced": "Traced",
    "dynamo": "Dynamo",
    "pre_grad": "Pre-grad",
    "export": "Export",
    "core_aten": "Core ATen",
    "joint": "Joint",
    "forward": "Forward",
    "backward": "Backward",
    "post_grad": "Post-grad",
}

Found = dict[str, list[int]]
"""GID -> indices of nodes."""


def calls_of(graphs: Iterable[Graph], word: Callable[[Node], str]) -> dict[str, Found]:
    """The calls of operators in some graphs, by a word each."""
    found: dict[str, Found] = {}
    for graph in graphs:
        for i, node in enumerate(graph.nodes):
            if is_operator(node):
                found.setdefault(word(node), {}).setdefault(graph.id, []).append(i)
    return found


def operator(node: Node) -> str:
    """`linear` for `aten.linear.default` and for `torch._C._nn.linear`: what it is called before and after."""
    return op_name(node)


def sort_of(node: Node) -> str:
    """`core`, `not core`, `higher-order` or `Python`: what kind of thing is called."""
    if is_higher_order(node):
        return "higher-order"
    return {1: "core", 0: "not core"}.get(core(node), "Python")


def total(found: Found) -> int:
    """How many nodes."""
    return sum(map(len, found.values()))


def nodes(several: Sequence[Found]) -> list[tuple[str, list[int]]]:
    """All of them together, by graph."""
    merged: Found = {}
    for found in several:
        for gid, indices in found.items():
            merged.setdefault(gid, []).extend(indices)
    return [(gid, sorted(indices)) for gid, indices in merged.items()]
