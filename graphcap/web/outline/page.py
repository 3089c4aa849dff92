"""The stages of a capture as plain rows, and `/c/ID/outline/GID`: a graph as nested text."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple
from urllib.parse import quote

from flask import Blueprint, Response, render_template

from graphcap.analyses.formats.outline import outline
from graphcap.store.records import CaptureSummary, GraphSummary, StageSummary
from graphcap.web.answering import answer_text
from graphcap.web.api import found
from graphcap.web.services import services

blueprint = Blueprint("outline", __name__)

MOST_LINES = 30_000
"""Of a page: 4 MB of HTML. The text export has the rest."""


class GraphRow(NamedTuple):
    """A graph: `page` is its outline's address, `text` that of torch's own print of it."""

    id: str
    title: str
    nodes: int
    edges: int
    page: str
    text: str


class StageRow(NamedTuple):
    """A stage of a target; `said` is why it failed or was skipped."""

    target: str
    id: str
    status: str
    said: str
    graphs: tuple[GraphRow, ...]


def stage_rows(summary: CaptureSummary) -> tuple[StageRow, ...]:
    """Every stage of every target with its graphs."""
    return tuple(
        StageRow(
            target.title,
            stage.id,
            stage.status,
            _said(stage),
            tuple(_graph_row(summary.id, graph) for graph in stage.graphs),
        )
        for target in summary.targets
        for stage in target.stages
    )


def _said(stage: StageSummary) -> str:
    if stage.failures:
        return f"{stage.failures[0].type}: {stage.failures[0].message}"
    return stage.reason


def _graph_row(id: str, graph: GraphSummary) -> GraphRow:
    gid = quote(graph.id, safe="")
    page, text = f"/c/{quote(id)}/outline/{gid}", f"/api/captures/{quote(id)}/graphs/{gid}/export/txt"
    return GraphRow(graph.id, graph.title, graph.nodes, graph.edges, page, text)


@blueprint.get("/c/<id>/outline/<gid:gid>")
def graph_outline(id: str, gid: str) -> Response:
    """One graph: its modules as nested lists, every node with what it reads."""
    graph = found.graph(id, gid)
    lines = list(islice(outline(graph), MOST_LINES + 1))
    left = len(lines) > MOST_LINES
    depth = 0
    for line in lines[:MOST_LINES]:
        depth += {"open": 1, "close": -1, "node": 0}[line.what]
    row = next(row for stage in stage_rows(found.capture(id)) for row in stage.graphs if row.id == gid)
    page = render_template(
        "outline.html",
        assets=services().assets.base,
        id=id,
        graph=graph,
        row=row,
        lines=lines[:MOST_LINES],
        left=left,
        unclosed=depth,
    )
    return answer_text(page.encode("utf-8", "replace"), "text/html; charset=utf-8")
