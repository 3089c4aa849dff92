"""Steps in the words of the answer: lines of the source, calls, guards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from graphcap.analyses.guards.words import RANK, fixes, says
from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import label
from graphcap.analyses.story.facts import Excerpt, Line, Op, Special
from graphcap.analyses.story.places import Scope, Sources
from graphcap.analyses.story.steps import Gap, Ran
from graphcap.graph.document import Graph, Guard

FIRST_OPS, LAST_OPS = 6, 3
MAX_SPECIAL = 8
MAX_LINES = 400  # of one part; what is in the middle of a longer one is left out

CALLS = ("call_function", "call_method", "call_module")


def ops(graph: Graph) -> tuple[tuple[Op, ...], tuple[Op, ...], int]:
    """The first and the last calls of a graph, and how many calls there are."""
    calls = [node for node in graph.nodes if node.op in CALLS]
    made = [Op(node.name, label(node), kind(node)) for node in (*calls[:FIRST_OPS], *calls[FIRST_OPS:][-LAST_OPS:])]
    return tuple(made[:FIRST_OPS]), tuple(made[FIRST_OPS:]), len(calls)


def fragment_parts(ran: Ran, sources: Sources) -> tuple[Excerpt, ...]:
    """The lines of a fragment: of the captured function, then of those that were inlined."""
    found = []
    for i, each in enumerate(ran.covered):
        first, last = (ran.first, ran.last) if i == 0 else (each.first, each.last)
        found.append(_part(each.scope, sources, first, last, each.nodes, {}))
    return tuple(found)


def gap_parts(gap: Gap, later: Set[Scope], sources: Sources) -> tuple[Excerpt, ...]:
    """The statements where Dynamo stopped, function by function. `later`: functions whose rest is that of a fragment."""
    marks: dict[Scope, dict[int, str]] = {}
    for place in gap.places:
        own = marks.setdefault(place.scope, {})
        own.update(dict.fromkeys(range(place.first, place.last + 1), "calls" if place.calls else "stops"))
    return tuple(
        _part(scope, sources, _start(gap, scope, own), _end(scope, own, later), {}, own) for scope, own in marks.items()
    )


def _start(gap: Gap, scope: Scope, marks: Mapping[int, str]) -> int:
    """Before the first fragment the function is told from its head on."""
    return scope.first if gap.before is None and scope.name else min(marks)


def _end(scope: Scope, marks: Mapping[int, str], later: Set[Scope]) -> int:
    """The rest of a function in which no fragment follows is told with its last stop."""
    left = scope.name and scope not in later and "stops" in marks.values()
    return scope.last if left else max(marks)


def _part(
    scope: Scope, sources: Sources, first: int, last: int, nodes: Mapping[int, int], marks: Mapping[int, str]
) -> Excerpt:
    source = sources[scope.file]
    lines = list(source.trimmed(first, last))
    if len(lines) > MAX_LINES:
        own = {*nodes, *marks}
        lines = [line for i, line in enumerate(lines) if min(i, len(lines) - 1 - i) < MAX_LINES // 2 or line in own][
            :MAX_LINES
        ]
    head = range(scope.first, source.statement(scope.first)[1] + 1) if scope.name else range(0)
    return Excerpt(
        scope.file,
        scope.name,
        tuple(
            Line(line, source.text(line), nodes.get(line, 0), marks.get(line) or ("defines" if line in head else ""))
            for line in lines
        ),
    )


def special(guards: Iterable[tuple[Guard, tuple[str, ...]]]) -> tuple[int, tuple[Special, ...]]:
    """How many guards specialise the code, and the first of them: those that failed, then the person's own values and sizes,
    then what modules of torch are made with (`eps`, `padding_idx`)."""
    found = [
        Special(guard.source, says(guard), fixed, failed) for guard, failed in guards if (fixed := fixes(guard)) or failed
    ]
    found.sort(key=lambda each: (not each.failed, "._modules[" in each.source, RANK[each.fixes]))
    return sum(each.fixes != "" for each in found), tuple(found[:MAX_SPECIAL])
