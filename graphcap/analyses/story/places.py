"""Where a fragment and a break are in the person's code: functions and statements of the submitted files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from graphcap.analyses.story.source import Source
from graphcap.graph.document import Frame, Graph

Sources = Mapping[str, Source]
"""The submitted files by name."""


class Scope(NamedTuple):
    """A function of a file, or the level of the module (`name` ""), with its lines."""

    file: str
    name: str
    first: int
    last: int


class Covered(NamedTuple):
    """The lines of a function from which a fragment has nodes, as whole statements, and how many from each line."""

    scope: Scope
    first: int
    last: int
    nodes: Mapping[int, int]


class Stopped(NamedTuple):
    """A statement of a function where Dynamo stopped (`calls`: where it calls the function that has the stop)."""

    scope: Scope
    first: int
    last: int
    calls: bool


def scope(sources: Sources, frame: Frame) -> Scope | None:
    """The function around a person's line; None for other lines, and for files that were not submitted as text."""
    source = sources.get(frame.file) if frame.user else None
    if source is None:
        return None
    found = source.function(frame.line)
    if found is None:
        return Scope(frame.file, "", 1, len(source.lines))
    return Scope(frame.file, found.name, found.first, found.last)


def covered(graph: Graph, sources: Sources) -> list[Covered]:
    """The functions that a fragment has nodes from: first the one that was captured, then those it calls, in order."""
    calls = Counter(node.stack for node in graph.nodes if node.op not in ("placeholder", "get_attr", "output"))
    outer: Counter[Scope] = Counter()
    lines: dict[Scope, Counter[int]] = {}
    for stack, nodes in calls.items():
        frames = (graph.frames[i] for i in graph.stacks[stack]) if stack >= 0 else ()
        around = [(found, frame.line) for frame in frames if (found := scope(sources, frame))]
        for found, line in dict.fromkeys(around):
            lines.setdefault(found, Counter())[line] += nodes
        if around:
            outer[around[0][0]] += nodes
    main = outer.most_common(1)[0][0] if outer else None
    ordered = sorted(lines, key=lambda each: each != main)
    return [_whole(each, lines[each], sources[each.file]) for each in ordered]


def _whole(scope: Scope, nodes: Counter[int], source: Source) -> Covered:
    statements = [source.statement(line) for line in nodes]
    return Covered(scope, min(first for first, _ in statements), max(last for _, last in statements), nodes)


def stopped(stacks: Iterable[tuple[Frame, ...]], sources: Sources) -> list[Stopped]:
    """The statements of breaks' user stacks, from outside to inside, each once; one that stops does not count as a call."""
    found: dict[tuple[Scope, int, int], bool] = {}
    for frames in stacks:
        around = [(where, frame.line) for frame in frames if (where := scope(sources, frame))]
        for i, (where, line) in enumerate(around):
            first, last = sources[where.file].statement(line)
            calls = i < len(around) - 1
            found[where, first, last] = found.get((where, first, last), True) and calls
    return [Stopped(*place, calls) for place, calls in found.items()]
