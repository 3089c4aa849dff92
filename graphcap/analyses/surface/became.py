"""Which operator became which when the exported program was decomposed into core ATen: by torch's own `from_node`."""

from __future__ import annotations

from collections import Counter

import msgspec

from graphcap.analyses.links.places import Shelf
from graphcap.analyses.links.sources import Made
from graphcap.analyses.surface.counts import is_operator
from graphcap.graph.document import Graph


class Into(msgspec.Struct, frozen=True):
    """An operator and how many of its nodes there are."""

    op: str
    count: int


class Became(msgspec.Struct, frozen=True):
    """What became of the `count` nodes that call `op`: the nodes made of them, by operator. `gone` left none; `inlined`
    stood in bodies that were inlined: there torch tells only what the whole body became."""

    op: str
    count: int
    gone: int
    inlined: int
    into: tuple[Into, ...]


def became(shelf: Shelf, exported: str, core: str) -> tuple[Became, ...]:
    """Of every operator of an exported graph and its bodies, the most frequent first. Of a higher-order op whose bodies were
    inlined it is what the bodies became."""
    earlier, later = shelf.family(exported), shelf.family(core)
    made = Made(earlier, later)
    counts: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    inlined: Counter[str] = Counter()
    into: dict[str, Counter[str]] = {}
    for graph in earlier:
        found = _made_of(made, graph, later)
        lost = inlined if graph.parent and not found else gone
        for i, node in enumerate(graph.nodes):
            if is_operator(node):
                counts[node.target] += 1
                lost[node.target] += i not in found
                into.setdefault(node.target, Counter()).update(found.get(i, ()))
    order = sorted(counts, key=lambda op: (-counts[op], op))
    return tuple(Became(op, counts[op], gone[op], inlined[op], _sorted(into[op])) for op in order)


def _made_of(made: Made, graph: Graph, later: list[Graph]) -> dict[int, list[str]]:
    """For every node of an exported graph the operators of the nodes made of it, wherever they are."""
    found: dict[int, list[str]] = {}
    for other in later:
        for i, j in made.links(graph, other):
            if is_operator(other.nodes[j]) and not (graph.nodes[i].bodies and other.parent):
                found.setdefault(i, []).append(other.nodes[j].target)
    return found


def _sorted(counts: Counter[str]) -> tuple[Into, ...]:
    return tuple(Into(op, count) for op, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
