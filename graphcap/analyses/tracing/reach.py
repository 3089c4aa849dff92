"""Ancestors, descendants and paths in one graph, by its edges. Linear in nodes and edges; nothing is recursive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphcap.graph.document import Graph
from graphcap.graph.edges import edges


class Reach:
    """The edges of a graph, both ways."""

    def __init__(self, graph: Graph) -> None:
        self.sources: list[list[int]] = [[] for _ in graph.nodes]
        self.users: list[list[int]] = [[] for _ in graph.nodes]
        for edge in edges(graph):
            self.sources[edge.user].append(edge.source)
            self.users[edge.source].append(edge.user)

    def ancestors(self, starts: Iterable[int]) -> set[int]:
        """The starts and everything they are computed of."""
        return _closure(self.sources, starts)

    def descendants(self, starts: Iterable[int]) -> set[int]:
        """The starts and everything computed of them."""
        return _closure(self.users, starts)

    def between(self, a: int, b: int) -> set[int]:
        """Every node on a path from the one to the other, whichever comes first; empty where there is none."""
        first, last = sorted((a, b))  # an edge always leads to a later node
        found = self.descendants([first]) & self.ancestors([last])
        return found if last in found else set()


def _closure(neighbours: Sequence[Sequence[int]], starts: Iterable[int]) -> set[int]:
    found = set(starts)
    pending = list(found)
    while pending:
        for other in neighbours[pending.pop()]:
            if other not in found:
                found.add(other)
                pending.append(other)
    return found
