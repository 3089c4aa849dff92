"""The door of the links: two graphs of a target in, every link between their nodes out (docs/api.md).

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

import msgspec

from graphcap.analyses.links.exact import exact_links
from graphcap.analyses.links.lines import same_lines
from graphcap.analyses.links.pairs import Budget, Exact, turned
from graphcap.analyses.links.places import ORDER, Place, Shelf, place
from graphcap.analyses.links.unlinked import unlinked
from graphcap.graph.document import Graph

SERIALIZER = "links-1"


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
    line = [] if a == b else _lines(first, second, exact, budget)
    return Links(
        a,
        b,
        sorted((i, j, evidence) for (i, j), evidence in exact.items()),
        sorted(line),
        Unlinked(
            unlinked(first, {i for i, _ in (*exact, *line)}),
            unlinked(second, {j for _, j in (*exact, *line)}),
        ),
        budget.cut,
    )


def _rank(where: Place) -> tuple[int, int, str, str, str]:
    stage = ORDER.index(where.stage) if where.stage in ORDER else len(ORDER)
    return stage, where.fragment, where.recompile, where.variant, where.body


def _lines(a: Graph, b: Graph, exact: Exact, budget: Budget) -> list[tuple[int, int]]:
    return same_lines(a, b, budget, {i for i, _ in exact}, {j for _, j in exact})


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
