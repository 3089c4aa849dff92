"""One graph: its columns for drawing, one node's details, its text, its exports."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response

from graphcap.analyses.columns import SERIALIZER as COLUMNS
from graphcap.analyses.columns import columns
from graphcap.analyses.details import details, every_details
from graphcap.errors import UserError
from graphcap.graph.document import Graph
from graphcap.web.answering import answer, answer_rendered, answer_text
from graphcap.web.api import found
from graphcap.web.api.exports import EXPORTS, FORMATS, PROGRAM
from graphcap.web.services import services

blueprint = Blueprint("graphs", __name__)

TEXT = "text-2"
EVERY_NODE = "nodes-1"


class GraphText(msgspec.Struct, frozen=True):
    """What torch prints of a graph; `lines[i]` is the index of the node on line i, or -1. `code`: what Inductor generated of
    it, as a log of a run has it."""

    text: str
    lines: tuple[int, ...]
    readable: str
    readable_lines: tuple[int, ...]
    code: str


@blueprint.get("/api/captures/<id>/graphs/<gid:gid>")
def graph_columns(id: str, gid: str) -> Response:
    """Everything that drawing the graph takes."""
    return _kept(id, gid, "columns", COLUMNS, lambda graph: msgspec.json.encode(columns(graph)))


@blueprint.get("/api/captures/<id>/graphs/<gid:gid>/text")
def graph_text(id: str, gid: str) -> Response:
    """What torch prints, line by line tied to the nodes."""
    return _kept(
        id,
        gid,
        "text",
        TEXT,
        lambda graph: msgspec.json.encode(
            GraphText(graph.text, graph.text_lines, graph.readable, graph.readable_lines, graph.code)
        ),
    )


@blueprint.get("/api/captures/<id>/graphs/<gid:gid>/nodes")
def graph_nodes(id: str, gid: str) -> Response:
    """Everything known about every node, in the order of the nodes."""
    return _kept(id, gid, "nodes", EVERY_NODE, lambda graph: msgspec.json.encode(every_details(graph)))


@blueprint.get("/api/captures/<id>/graphs/<gid:gid>/nodes/<name>")
def node_details(id: str, gid: str, name: str) -> Response:
    """Everything known about one node."""
    graph = found.recent_graph(id, gid)
    return answer(details(graph, found.node(graph, name)))


@blueprint.get("/api/captures/<id>/graphs/<gid:gid>/export/<format>")
def graph_export(id: str, gid: str, format: str) -> Response:
    """The graph as a file in another format."""
    if format == PROGRAM:
        return _program(id, gid)
    export = EXPORTS.get(format)
    if export is None:
        said = f"{format[:40]!r} is no format of ours."
        raise UserError("not-found", "There is no such format", said, f"There are {', '.join(FORMATS)}.")
    response = _kept(id, gid, f"export/{format}", export.serializer, export.make, export.media_type)
    return _named(response, gid, format)


def _named(response: Response, gid: str, format: str) -> Response:
    name = f"{gid.replace('/', '_')}.{format}"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _program(id: str, gid: str) -> Response:
    """The exported program, whose bytes are those that the capture process saved: never opened here."""
    data = services().store.program(id, gid)
    if data is None:
        found.graph(id, gid)
        raise UserError(
            "not-found",
            "This graph is of no exported program",
            f"{gid[:200]!r} can not be had as a .pt2 file, or not yet: the programs come once the stages are done.",
            "The graphs of export and core ATen are those of exported programs.",
        )
    return _named(answer_text(data, "application/zip"), gid, PROGRAM)


def _kept(
    id: str, gid: str, what: str, version: str, make: Callable[[Graph], bytes], media_type: str = "application/json"
) -> Response:
    """An answer that is made once and kept in the database."""
    rendered = services().store.cached(id, f"{what}/{gid}", version, lambda: make(found.graph(id, gid)))
    return answer_rendered(rendered, media_type)
