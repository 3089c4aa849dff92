"""The formats a graph can be had in: one line of the table each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from graphcap.analyses import nodelink
from graphcap.analyses.formats import dot, graphml
from graphcap.graph.document import Graph


class Export(NamedTuple):
    """How to make it, what it is, and a version that changes when the same graph comes out differently."""

    make: Callable[[Graph], bytes]
    media_type: str
    serializer: str


def _txt(graph: Graph) -> bytes:
    return f"{graph.text}\n".encode()  # print ends with a newline


def _json(graph: Graph) -> bytes:
    return msgspec.json.encode(nodelink.node_link(graph))


def _dot(graph: Graph) -> bytes:
    return dot.dot(graph).encode("utf-8", "replace")


def _graphml(graph: Graph) -> bytes:
    return graphml.graphml(graph).encode("utf-8", "replace")


EXPORTS = {
    "txt": Export(_txt, "text/plain; charset=utf-8", "txt-1"),
    "json": Export(_json, "application/json", nodelink.SERIALIZER),
    "dot": Export(_dot, "text/vnd.graphviz; charset=utf-8", dot.SERIALIZER),
    "graphml": Export(_graphml, "application/graphml+xml; charset=utf-8", graphml.SERIALIZER),
}

PROGRAM = "pt2"
"""The format that is not made of a graph: the exported program it is of, saved when it was captured."""

FORMATS = (*EXPORTS, PROGRAM)
"""All that a graph can be had in."""
