"""One of the analyses: takes a Graph and its edges, returns which of several outputs each edge carries, and their types.

An FX node has one value; an operator with several outputs has a tuple, from which `getitem` nodes take one each.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphcap.analyses.labels import op_name, type_text
from graphcap.graph.document import Graph, Node, Ref, Tuple
from graphcap.graph.edges import Edge

WHOLE = -1
"""The output of an edge that carries all of several outputs."""


def carried(graph: Graph, uses: Sequence[Edge]) -> list[int]:
    """For every edge the index of the output of its source that it carries: 0 for a source of one value, or `WHOLE`."""
    return [_output(graph.nodes[use.source], graph.nodes[use.user], use) for use in uses]


def several(graph: Graph) -> list[tuple[int, list[str]]]:
    """For every node whose value is a tuple: its index, and the type of each output; "" for an output that is None."""
    return [
        (i, [type_text(item) for item in node.value.items])
        for i, node in enumerate(graph.nodes)
        if isinstance(node.value, Tuple) and node.op != "output"
    ]


def _output(source: Node, user: Node, use: Edge) -> int:
    if not isinstance(source.value, Tuple):
        return 0
    taken = _item(user, use.source)
    count = len(source.value.items)
    if taken is None or not -count <= taken < count:
        return WHOLE
    return taken % count


def _item(user: Node, source: int) -> int | None:
    """The item that a `getitem` takes of `source`; None where it is no such node, or takes several (a slice, a key)."""
    if user.op != "call_function" or op_name(user) != "getitem" or len(user.args) != 2:
        return None
    value, item = user.args
    return item if value == Ref(source) and type(item) is int else None
