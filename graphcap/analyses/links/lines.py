"""Links by line: calls on the same line of the person's code in the same module. Never exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, pairwise
from typing import NamedTuple

from graphcap.analyses.groups import is_backward
from graphcap.analyses.labels import op_name
from graphcap.analyses.links.pairs import Budget
from graphcap.analyses.links.places import place
from graphcap.graph.document import Graph

NONE: frozenset[int] = frozenset()


class Line(NamedTuple):
    """A line of the person's code, and the dotted path of the module it ran in."""

    file: str
    line: int
    module: str


def line_keys(graph: Graph) -> list[Line | None]:
    """For every call the person's innermost frame and its module; None where there is no such frame, or for no call."""
    frames = [next((graph.frames[i] for i in reversed(stack) if graph.frames[i].user), None) for stack in graph.stacks]
    modules = [stack[-1].path if stack else "" for stack in graph.modules]
    found: list[Line | None] = []
    for node in graph.nodes:
        frame = frames[node.stack] if node.stack >= 0 and node.op.startswith("call_") else None
        module = modules[node.module] if node.module >= 0 else ""  # Dynamo records none for the top module's own forward
        found.append(None if frame is None else Line(frame.file, frame.line, module))
    return found


def same_lines(
    a: Graph, b: Graph, budget: Budget, *, done_a: AbstractSet[int] = NONE, done_b: AbstractSet[int] = NONE
) -> list[tuple[int, int]]:
    """Links between the calls of one line, but for those between two nodes that are `done`: linked otherwise already.

    Where both graphs have a forward and a backward, each stays with its own kind; where only one has, its backward calls
    are linked with the forward calls they differentiate.
    """
    mine, others = _Calls(a), _Calls(b)
    both = mine.both and others.both
    found: list[tuple[int, int]] = []
    for (line, backward), ours in mine.by_line.items():
        for side in (backward,) if both else (False, True):
            for part, other in _parts(mine, others, ours, others.by_line.get((line, side), [])):
                found += _product(part, other, budget, done_a, done_b)
    return found


class _Calls:
    """The calls of a graph by (line, whether of the backward), their operators, and how many calls come before each node.

    Only an eager or joint graph has both a forward and a backward. The halves of a joint graph hold nodes of the other half,
    which were moved there.
    """

    def __init__(self, graph: Graph) -> None:
        whole = place(graph.id).stage in ("eager", "joint")
        self.names = [op_name(node) for node in graph.nodes]
        self.before = list(accumulate(node.op.startswith("call_") for node in graph.nodes))
        self.by_line: dict[tuple[Line, bool], list[int]] = {}
        for i, line in enumerate(line_keys(graph)):
            if line is not None:
                self.by_line.setdefault((line, whole and is_backward(graph.nodes[i])), []).append(i)
        self.both = any(backward for _, backward in self.by_line)

    def runs(self, nodes: Sequence[int]) -> list[Sequence[int]]:
        """Cut into calls that follow one another directly."""
        starts = [k for k in range(1, len(nodes)) if self.before[nodes[k]] != self.before[nodes[k - 1]] + 1]
        return [nodes[start:end] for start, end in pairwise((0, *starts, len(nodes)))]

    def repeats(self, nodes: Sequence[int]) -> list[Sequence[int]]:
        """Cut into the shortest sequence of operators that repeats to make the whole."""
        step = _period([self.names[i] for i in nodes])
        return [nodes[i : i + step] for i in range(0, len(nodes), step)]


def _parts(
    a: _Calls, b: _Calls, ours: Sequence[int], theirs: Sequence[int]
) -> Iterable[tuple[Sequence[int], Sequence[int]]]:
    """The calls of one line, cut into parts that answer to one another. A line may run many times, in a loop or in a module
    that is called again: then both sides repeat equally often, or come in equally many runs."""
    if not theirs:
        return ()
    if [a.names[i] for i in ours] == [b.names[j] for j in theirs]:
        return [((i,), (j,)) for i, j in zip(ours, theirs, strict=True)]
    for mine, others in ((a.repeats(ours), b.repeats(theirs)), (a.runs(ours), b.runs(theirs))):
        if len(mine) == len(others) > 1:
            return list(zip(mine, others, strict=True))
    return [(ours, theirs)]


def _period(names: Sequence[str]) -> int:
    """The length of the shortest part that repeats to make the whole (by the failure function of Knuth, Morris, Pratt)."""
    fail = [0] * len(names)
    k = 0
    for i in range(1, len(names)):
        while k and names[i] != names[k]:
            k = fail[k - 1]
        k += names[i] == names[k]
        fail[i] = k
    step = len(names) - fail[-1]
    return step if len(names) % step == 0 else len(names)


def _product(
    part: Sequence[int], other: Sequence[int], budget: Budget, done_a: AbstractSet[int], done_b: AbstractSet[int]
) -> Iterator[tuple[int, int]]:
    """Each with each, but for two that are done."""
    left, right = [i for i in part if i not in done_a], [j for j in other if j not in done_b]
    count = len(left) * len(other) + (len(part) - len(left)) * len(right)
    if count and budget.take(count):
        still = set(left)
        yield from ((i, j) for i in part for j in (other if i in still else right))
