"""One of the analyses: takes what Dynamo captured of a target, returns it as the function that torch runs, top to bottom.

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import asdict

from graphcap.analyses.guards.tree import At, failures
from graphcap.analyses.story.facts import Between, Drawn, Fragment, Recompiled, Special, Stop, Story
from graphcap.analyses.story.places import Covered, Sources
from graphcap.analyses.story.source import Source
from graphcap.analyses.story.steps import Gap, Ran, alone, steps
from graphcap.analyses.story.telling import fragment_parts, gap_parts, ops, special
from graphcap.graph.document import SECOND, Break, Graph, Guard, Stage

SERIALIZER = "story-3"

COMPILED = ("dynamo", "pre_grad", "joint", "forward", "backward", "post_grad")
"""The stages in which a fragment has a graph, in order."""


class Head(Protocol):
    """A graph without its nodes, which are counted."""

    @property
    def id(self) -> str:
        """Its GID."""

    @property
    def fragment(self) -> int:
        """Of which fragment it is."""

    @property
    def nodes(self) -> int:
        """How many it has."""

    @property
    def parent(self) -> str:
        """The graph that runs it, or ""."""

    @property
    def variant(self) -> str:
        """What makes it another than its fragment's own."""

    @property
    def recompile(self) -> int:
        """How many times its fragment was compiled before."""


class Captured(NamedTuple):
    """What is known of a target: Dynamo's stage without graphs, the top graphs of that stage by GID, the heads of all
    stages, the submitted files."""

    target: str
    title: str
    stage: Stage
    graphs: Mapping[str, Graph]
    heads: Mapping[str, Sequence[Head]]
    files: Mapping[str, str]


def told(heads: Sequence[Head]) -> list[Head]:
    """The graphs of Dynamo's stage that a story needs whole: the fragments, and those that only second inputs reach."""
    return [head for head in heads if not head.parent and not head.recompile and head.variant in ("", SECOND)]


def story(captured: Captured) -> Story:
    """The story of a target."""
    stage = captured.stage
    sources = {name: Source(text) for name, text in captured.files.items()}
    whole = [captured.graphs[head.id] for head in told(captured.heads.get("dynamo", ()))]
    found = steps([graph for graph in whole if not graph.variant], stage.breaks, sources)
    second = [alone(graph, sources) for graph in whole if graph.variant]
    guards = _guards(stage)
    return Story(
        target=captured.target,
        title=captured.title,
        status=stage.status,
        reason=stage.reason,
        notes=stage.notes,
        steps=tuple(
            _fragment(step, captured, guards, sources)
            if isinstance(step, Ran)
            else _between(step, captured, found[:i], found[i + 1 :], sources)
            for i, step in enumerate(found)
        ),
        second=tuple(_fragment(ran, captured, guards, sources) for ran in second),
    )


Guards = Mapping[tuple[int, int], list[tuple[Guard, tuple[str, ...]]]]
"""By (fragment, recompile): the guards of that code, with torch's words where one failed."""


def _guards(stage: Stage) -> Guards:
    failed = failures(stage)
    found: dict[tuple[int, int], list[tuple[Guard, tuple[str, ...]]]] = {}
    for i, guard in enumerate(stage.guards):
        found.setdefault((guard.fragment, guard.recompile), []).append((guard, failed.get(i, ())))
    return found


def _mains(steps: Sequence[Ran | Gap]) -> list[tuple[int, Covered]]:
    """Fragments with the lines of the functions that were captured."""
    return [(step.graph.fragment, step.covered[0]) for step in steps if isinstance(step, Ran) and step.covered]


def _fragment(ran: Ran, captured: Captured, guards: Guards, sources: Sources) -> Fragment:
    graph = ran.graph
    first, last, calls = ops(graph)
    own = guards.get((graph.fragment, 0), [])
    fixed, chosen = special(own)
    return Fragment(
        fragment=graph.fragment,
        graph=graph.id,
        nodes=len(graph.nodes),
        calls=calls,
        first=first,
        last=last,
        left_out=calls - len(first) - len(last),
        drawn=_drawn(captured, graph),
        parts=fragment_parts(ran, sources),
        guards=len(own),
        fixed=fixed,
        special=chosen,
        recompiles=_recompiles(captured, graph),
    )


def _drawn(captured: Captured, graph: Graph) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(stage, head.id, head.nodes)
        for stage in COMPILED
        for head in captured.heads.get(stage, ())
        if (head.fragment, head.parent, head.variant, head.recompile) == (graph.fragment, "", graph.variant, 0)
    )


def _recompiles(captured: Captured, graph: Graph) -> tuple[Recompiled, ...]:
    stage = captured.stage
    own = [head for head in captured.heads.get("dynamo", ()) if head.fragment == graph.fragment and not head.parent]
    heads = {head.recompile: head for head in own}
    found = []
    for each in stage.recompiles:
        head = heads.get(each.recompile) if each.fragment == graph.fragment else None
        if head is None:
            continue
        failed: list[Special] = []
        for check in each.failed:
            guard = stage.guards[check.guard] if check.guard >= 0 else None
            failed += special([(guard, (check.text,))])[1] if guard else (Special("", "", "", (check.text,)),)
        found.append(Recompiled(head.id, each.recompile, head.nodes, each.reason, tuple(failed)))
    return tuple(found)


def _between(
    gap: Gap, captured: Captured, earlier: Sequence[Ran | Gap], later: Sequence[Ran | Gap], sources: Sources
) -> Between:
    breaks = captured.stage.breaks
    stops = tuple(_stop(i, breaks[i]) for i in gap.stops)
    goes_on = {each.scope for _, each in _mains(later)}
    ends = {place.scope: place.last for place in gap.places if not place.calls and place.scope not in goes_on}
    again = [(i, each.scope) for i, each in _mains(earlier) if each.first > ends.get(each.scope, each.first)]
    told_elsewhere = goes_on | {scope for _, scope in again}
    parts = gap_parts(gap, told_elsewhere, sources)
    return Between(gap.before, gap.after, gap.how, gap.function, stops, parts, tuple(i for i, _ in again))


def _stop(number: int, each: Break) -> Stop:
    frames = tuple(At(**asdict(frame)) for frame in each.frames)
    return Stop(number, each.kind, each.reason, each.explanation, each.hints, frames, each.text)
