"""The door of the links: two graphs of a target in, every link between their nodes out (docs/api.md).

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

import msgspec

from graphcap.analyses.links.exact import exact_links
from graphcap.analyses.links.lines import same_lines
from graphcap.analyses.links.pairs import Budget, Exact, compose, turned
from graphcap.analyses.links.places import COMPILED, EXPORTED, ORDER, Place, Shelf, place
from graphcap.analyses.links.sequence import same_sequence
from graphcap.analyses.links.sources import runs_below
from graphcap.analyses.links.unlinked import unlinked
from graphcap.graph.document import Graph

SERIALIZER = "links-2"


class Unlinked(msgspec.Struct, frozen=True):
    """How many nodes of each graph have no link, by what they are."""

    a: dict[str, int]
    b: dict[str, int]


class Links(msgspec.Struct, frozen=True):
    """`exact`: [node of a, node of b, evidence]; `line`: [node of a, node of b]; `cut`: how many links were left out."""

    a: str
    b: str
    exact: list[tuple[int, int, str]]
    line: list[tuple[int, int]]
    unlinked: Unlinked
    cut: int


def linked(a: str, b: str, shelf: Shelf) -> Links:
    """The links between two graphs by their GIDs, which are on the shelf. Raises ValueError for graphs of two targets."""
    here, there = place(a), place(b)
    if here.target != there.target:
        raise ValueError(f"{a} and {b} are of two targets")
    if _rank(here) > _rank(there):
        return _turned(linked(b, a, shelf))
    first, second = shelf.get(a), shelf.get(b)
    budget = Budget()
    exact = exact_links(first, second, shelf, budget)
    line = _kin(first, budget) if a == b else _lines(first, second, exact, shelf, budget)
    if bool(here.body) != bool(there.body):
        exact |= _inside(first, second, {*exact, *line}, shelf, budget)
    ends = {i for i, _ in (*exact, *line)}, {j for _, j in (*exact, *line)}
    left = Unlinked(unlinked(first, ends[0]), unlinked(second, ends[1]))
    return Links(a, b, sorted((*pair, evidence) for pair, evidence in exact.items()), sorted(line), left, budget.cut)


def _kin(graph: Graph, budget: Budget) -> Iterable[tuple[int, int]]:
    """The forward and backward calls of an eager run that have one number: plain PyTorch numbers calls that nothing
    differentiates as well, so that they are never exact."""
    return same_sequence(graph, graph, budget) if place(graph.id).stage == "eager" else ()


def _inside(a: Graph, b: Graph, linked_already: Set[tuple[int, int]], shelf: Shelf, budget: Budget) -> Exact:
    """Links between the calls of a body that have none, and what the op that runs the body is linked with in a top graph."""
    side = 0 if place(a.id).body else 1
    inner, outer = (a, b) if side == 0 else (b, a)
    family = shelf.family(inner.id)
    top = family[0]
    op = runs_below(top, family).get(inner.id)
    done = {pair[side] for pair in linked_already}
    calls = [i for i, node in enumerate(inner.nodes) if node.op.startswith("call_") and i not in done]
    if op is None or not calls or place(top.id).body:
        return {}
    if top.id == outer.id:
        kin = [(op, "body")]
    else:
        kin = [(j, f"body+{evidence}") for i, j, evidence in linked(top.id, outer.id, shelf).exact if i == op]
    if not budget.take(len(calls) * len(kin)):
        return {}
    return {((i, j) if side == 0 else (j, i)): evidence for j, evidence in kin for i in calls}


def _lines(a: Graph, b: Graph, exact: Exact, shelf: Shelf, budget: Budget) -> set[tuple[int, int]]:
    """Links by line: of the graphs themselves, then, for nodes that have none, by way of the graphs they were made from."""
    done_a, done_b = {i for i, _ in exact}, {j for _, j in exact}
    found = set(same_lines(a, b, budget, done_a=done_a, done_b=done_b))
    before, after = _source(a, shelf), _source(b, shelf)
    if (before.id, after.id) == (a.id, b.id) or place(before.id).stage == place(after.id).stage:
        return found
    done_a |= {i for i, _ in found}
    done_b |= {j for _, j in found}
    way = dict.fromkeys(same_lines(before, after, budget), "line")
    if before.id != a.id:
        way = compose(turned(exact_links(before, a, shelf, budget)), way, budget)
    if after.id != b.id:
        way = compose(way, exact_links(after, b, shelf, budget), budget)
    return found | {(i, j) for i, j in way if i not in done_a or j not in done_b}


def _source(graph: Graph, shelf: Shelf) -> Graph:
    """The graph that a graph was made from and that has the person's lines: exported, or Dynamo's; else the graph itself."""
    where = place(graph.id)
    stage = "dynamo" if where.stage in COMPILED else "export" if where.stage in EXPORTED else where.stage
    variant = where.variant if where.stage in EXPORTED else ""
    for body in (where.body, ""):
        if shelf.has(gid := where.at(stage, variant, body)):
            return shelf.get(gid)
    return graph


def _rank(where: Place) -> tuple[int, int, str, str, str]:
    stage = ORDER.index(where.stage) if where.stage in ORDER else len(ORDER)
    return stage, where.fragment, where.recompile, where.variant, where.body


def _turned(found: Links) -> Links:
    exact = turned({(i, j): evidence for i, j, evidence in found.exact})
    return Links(
        found.b,
        found.a,
        sorted((i, j, evidence) for (i, j), evidence in exact.items()),
        sorted((j, i) for i, j in found.line),
        Unlinked(found.unlinked.b, found.unlinked.a),
        found.cut,
    )
