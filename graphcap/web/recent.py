"""Decoded graphs, kept for the next node clicked: a graph of 10,000 nodes takes 0.15 s to decode."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from graphcap.graph.document import Graph

MOST_NODES = 40_000
"""Of all graphs kept together: about 120 MB, as decoded a node takes 3 KB."""

NODE_BYTES = 1024  # of a node's JSON; a graph of fewer but larger nodes counts as if it had more of them


class Sized(NamedTuple):
    """A graph, and the length of its JSON in bytes."""

    graph: Graph
    size: int

    @property
    def weight(self) -> int:
        """In nodes of usual size."""
        return max(1, len(self.graph.nodes), self.size // NODE_BYTES)


class RecentGraphs:
    """The graphs asked for last, of at most `most` nodes together. Safe to share between threads."""

    def __init__(self, most: int = MOST_NODES) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Sized] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()
        self._decoding = threading.Lock()  # one at a time: a page that asks for ten nodes at once decodes their graph once

    def get(self, key: Hashable, decode: Callable[[], Sized]) -> Graph:
        """The graph of this key, decoded if it is not kept. One larger than all that may be kept is decoded each time."""
        kept = self._find(key)
        if kept is None:
            with self._decoding:
                kept = self._find(key)
                if kept is None:
                    kept = decode()
                    self._keep(key, kept)
        return kept.graph

    @property
    def weight(self) -> int:
        """Of what is kept, in nodes."""
        return self._weight

    def _find(self, key: Hashable) -> Sized | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: Hashable, made: Sized) -> None:
        if made.weight > self._most:
            return
        with self._lock:
            self._kept[key] = made
            self._weight += made.weight
            while self._weight > self._most:
                _, dropped = self._kept.popitem(last=False)
                self._weight -= dropped.weight
