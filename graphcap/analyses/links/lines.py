"""Links by line: calls on the same line of the person's code in the same module. Never exact."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from graphcap.analyses.groups import is_backward
from graphcap.analyses.labels import op_name
from graphcap.analyses.links.pairs import MAX_BUCKET, Budget
from graphcap.graph.document import Graph


class Line(NamedTuple):
    """A line of the person's code, and the dotted path of the module it ran in."""

    file: str
    line: int
    module: str


def line_keys(graph: Graph) -> list[Line | None]:
    """For every node the person's innermost frame and its module; None where either is unknown, or for no call."""
    frames = []
    for stack in graph.stacks:
        frames.append(next((graph.frames[i] for i in reversed(stack) if graph.frames[i].user), None))
    modules = [stack[-1].path if stack else "" for stack in graph.modules]
    found: list[Line | None] = []
    for node in graph.nodes:
        frame = frames[node.stack] if node.stack >= 0 and node.op.startswith("call_") else None
        module = modules[node.module] if node.module >= 0 else ""  # Dynamo records none for the top module's own forward
        found.append(None if frame is None else Line(frame.file, frame.line, module))
    return found


def same_lines(
    a: Graph, b: Graph, budget: Budget, done_a: AbstractSet[int] = frozenset(), done_b: AbstractSet[int] = frozenset()
) -> list[tuple[int, int]]:
    """Links between the calls of one line, but for those between two nodes that are `done`: linked exactly already. Where
    both graphs have a forward and a backward, each stays with its own kind."""
    sides = [[is_backward(node) for node in graph.nodes] for graph in (a, b)]
    split = all(True in side and False in side for side in sides)
    mine, others = (_buckets(graph, side if split else None) for graph, side in zip((a, b), sides, strict=True))
    found: list[tuple[int, int]] = []
    for key, ours in mine.items():
        theirs = others.get(key)
        if theirs and not (_all_in(ours, done_a) and _all_in(theirs, done_b)):
            pairs = _within(a, b, ours, theirs, budget)
            found += [(i, j) for i, j in pairs if i not in done_a or j not in done_b]
    return found


def _buckets(graph: Graph, side: Sequence[bool] | None) -> dict[tuple[Line, bool], list[int]]:
    found: dict[tuple[Line, bool], list[int]] = {}
    for i, key in enumerate(line_keys(graph)):
        if key is not None:
            found.setdefault((key, side is not None and side[i]), []).append(i)
    return found


def _within(a: Graph, b: Graph, ours: list[int], theirs: list[int], budget: Budget) -> list[tuple[int, int]]:
    """Links within one line: one by one where both graphs call the same operators in the same order; else run by run where
    it ran equally often (a loop, a module that is called again); else each with each."""
    if len(ours) == len(theirs) and [op_name(a.nodes[i]) for i in ours] == [op_name(b.nodes[j]) for j in theirs]:
        return list(zip(ours, theirs, strict=True)) if budget.take(len(ours), len(ours)) else []
    runs, others = _runs(ours), _runs(theirs)
    if len(runs) != len(others):
        runs, others = [ours], [theirs]
    found: list[tuple[int, int]] = []
    for run, other in zip(runs, others, strict=True):
        if budget.take(len(run) * len(other), MAX_BUCKET):
            found += [(i, j) for i in run for j in other]
    return found


def _runs(nodes: list[int]) -> list[list[int]]:
    """Nodes that follow one another directly."""
    found = [[nodes[0]]]
    for before, i in pairwise(nodes):
        if i == before + 1:
            found[-1].append(i)
        else:
            found.append([i])
    return found


def _all_in(nodes: list[int], done: AbstractSet[int]) -> bool:
    return bool(done) and all(i in done for i in nodes)
