"""The operators that graphs call, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import op_name
from graphcap.analyses.looking import measures
from graphcap.analyses.surface.reasons import is_higher_order, why_not_core
from graphcap.graph.document import Graph, Node

UNPACKING = ("operator.getitem", "_operator.getitem")
"""Takes one value out of several: part of a call, no operator of its own."""


class Operator(msgspec.Struct, frozen=True):
    """One operator of a stage. `core`: torch tags it as core ATen; None where the question does not arise (a function or
    method of Dynamo's graph, arithmetic on sizes). `why`: what one left outside the core set asks of a backend, else ""."""

    op: str
    label: str
    kind: str
    count: int
    core: bool | None
    why: str


def counted(graphs: Iterable[Graph], *, left: bool) -> tuple[Operator, ...]:
    """Every operator that the graphs call, the most frequent first. `left`: nothing decomposes them any further."""
    counts: Counter[str] = Counter()
    first: dict[str, Node] = {}
    for graph in graphs:
        for node in graph.nodes:
            if is_operator(node):
                counts[node.target] += 1
                first.setdefault(node.target, node)
    order = sorted(counts, key=lambda op: (-counts[op], op))
    return tuple(_operator(first[op], counts[op], left) for op in order)


def is_operator(node: Node) -> bool:
    """Whether a node calls an operator."""
    return node.op.startswith("call_") and node.target not in UNPACKING


def _operator(node: Node, count: int, left: bool) -> Operator:
    core = False if is_higher_order(node) else (None, False, True)[measures.core(node) + 1]
    why = why_not_core(node) if left and core is False else ""
    return Operator(node.target, op_name(node), kind(node), count, core, why)
