"""In which order fragments and Python run, and which lines each of them is told with.

Torch compiles fragments as they are first run, so their order is that of the run; a break says which fragment ends at it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graphcap.analyses.story.places import Covered, Scope, Sources, Stopped, covered, scope, stopped
from graphcap.graph.document import Break, Graph


class Ran(NamedTuple):
    """A fragment, with the functions its nodes are from and the lines of the first of them that it is told with."""

    graph: Graph
    covered: Sequence[Covered]
    first: int
    last: int


class Gap(NamedTuple):
    """What is between fragments `before` and `after`; `stops` as indices into the breaks."""

    before: int | None
    after: int | None
    how: str
    function: str
    stops: tuple[int, ...]
    places: Sequence[Stopped]


def steps(graphs: Sequence[Graph], breaks: Sequence[Break], sources: Sources) -> list[Ran | Gap]:
    """Fragments in order with the gaps around them. `graphs`: one for each fragment of the first call."""
    ran = [(graph, covered(graph, sources)) for graph in graphs]
    mains = {graph.fragment: spans[0].scope for graph, spans in ran if spans}
    ids = [graph.fragment for graph in graphs]
    found: list[Ran | Gap] = []
    for before, after in zip([None, *ids], [*ids, None], strict=True):
        if before is not None:
            found.append(_ran(*ran[ids.index(before)]))
        gap = _gap(before, after, breaks, mains, sources)
        if gap is not None:
            found.append(gap)
    return [_stretched(step, found[:i], found[i + 1 :]) if isinstance(step, Ran) else step for i, step in enumerate(found)]


def alone(graph: Graph, sources: Sources) -> Ran:
    """A fragment that is told by itself, without what is around it."""
    return _ran(graph, covered(graph, sources))


def _ran(graph: Graph, spans: Sequence[Covered]) -> Ran:
    return Ran(graph, spans, spans[0].first if spans else 0, spans[0].last if spans else 0)


def _gap(
    before: int | None, after: int | None, breaks: Sequence[Break], mains: Mapping[int, Scope], sources: Sources
) -> Gap | None:
    own = tuple(i for i, each in enumerate(breaks) if each.before == before)
    if own:
        places = stopped([breaks[i].frames for i in own], sources)
        inner = [place for place in places if not place.calls]
        return Gap(before, after, "break", inner[-1].scope.name if inner else "", own, places)
    if before is None or after is None:
        return None
    here, there = mains.get(before), mains.get(after)
    called = _call(here, there, [each for each in breaks if each.before is not None and each.before > before], sources)
    if called is not None:
        return Gap(before, after, "call", there.name if there else "", (), [called])
    earlier = [mains[i] for i in mains if i < before]
    how = "return" if there is not None and there != here and there in earlier else "next"
    return Gap(before, after, how, there.name if there else "", (), [])


def _call(here: Scope | None, there: Scope | None, later: Sequence[Break], sources: Sources) -> Stopped | None:
    """The statement of one function that calls the other, as the stack of a later break in that one says."""
    for each in later:
        frames = [frame for frame in each.frames if scope(sources, frame)]
        for outer, inner in itertools.pairwise(frames):
            if here and there and scope(sources, outer) == here and scope(sources, inner) == there:
                return Stopped(here, *sources[outer.file].statement(outer.line), True)
    return None


def _stretched(ran: Ran, earlier: Sequence[Ran | Gap], later: Sequence[Ran | Gap]) -> Ran:
    """The fragment with the lines around its nodes that no other step has: torch went through them, they left no node."""
    if not ran.covered:
        return ran
    main = ran.covered[0]
    above = [last for each in reversed(earlier) for _, last in _of(each, main.scope)]
    below = [first for each in later for first, _ in _of(each, main.scope)]
    first, last = ran.first, ran.last
    if not above:
        first = main.scope.first if main.scope.name else first
    elif above[0] < first:
        first = above[0] + 1
    if not below:
        last = main.scope.last if main.scope.name else last
    elif below[0] > last:
        last = below[0] - 1
    return ran._replace(first=first, last=last)


def _of(step: Ran | Gap, scope: Scope) -> list[tuple[int, int]]:
    """The lines that a step has in a function."""
    if isinstance(step, Gap):
        return [(place.first, place.last) for place in step.places if place.scope == scope]
    return [(each.first, each.last) for each in step.covered[:1] if each.scope == scope]
