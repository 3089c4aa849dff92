"""The edges of a graph, read off its nodes' arguments. Takes a Graph, returns plain tuples; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graphcap.graph.document import Arg, Graph, Map, Node, Ref, Seq


class Edge(NamedTuple):
    """A use: `source` and `user` are node indices, `slot` where in the user's arguments (`0`, `1[2]`, `weight`)."""

    source: int
    user: int
    slot: str


def argument_refs(arg: Arg, slot: str) -> Iterator[tuple[int, str]]:
    """Every node reference inside one argument with its slot, depth first, in printed order."""
    pending: list[tuple[Arg, str]] = [(arg, slot)]
    while pending:
        item, where = pending.pop()
        if isinstance(item, Ref):
            yield item.node, where
        elif isinstance(item, Seq):
            pending.extend((part, f"{where}[{i}]") for i, part in reversed(list(enumerate(item.items))))
        elif isinstance(item, Map):
            pending.extend((part, f"{where}[{key}]") for key, part in reversed(item.items))


def node_refs(node: Node) -> Iterator[tuple[int, str]]:
    """Every node this node reads, with the slot it reads it in. A node read twice is given twice."""
    for i, arg in enumerate(node.args):
        yield from argument_refs(arg, str(i))
    for name, arg in node.kwargs:
        yield from argument_refs(arg, name)


def edges(graph: Graph) -> list[Edge]:
    """All edges, by user in execution order, then by slot."""
    return [Edge(source, i, slot) for i, node in enumerate(graph.nodes) for source, slot in node_refs(node)]
