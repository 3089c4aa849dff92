"""Tracing: what computes a node, what is computed of it, paths between two nodes, and what differentiates one."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, Response, request

from graphcap.analyses.tracing.gradient import differentiating_graph
from graphcap.analyses.tracing.trace import How, Trace, follow, gradient_of
from graphcap.errors import UserError
from graphcap.graph.document import Graph
from graphcap.web.answering import answer
from graphcap.web.api import found
from graphcap.web.api.joined.links import shelf

blueprint = Blueprint("traces", __name__)

WAYS: tuple[How, ...] = get_args(How)


@blueprint.get("/api/captures/<id>/trace/<gid:gid>/<name>")
def trace(id: str, gid: str, name: str) -> Response:
    """The nodes that a question about one node leads to."""
    graph = found.recent_graph(id, gid)
    how = _how()
    index = found.node(graph, name)
    if how == "gradient":
        return answer(_gradient(id, graph, index))
    if how != "between":
        return answer(follow(graph, index, how))
    to = request.args.get("to")
    if to is None:
        raise UserError("bad-request", "A path to where?", "The parameter `to` is missing.", "Ask for ?how=between&to=NAME.")
    return answer(follow(graph, index, how, found.node(graph, to)))


def _how() -> How:
    asked = request.args.get("how")
    for how in WAYS:
        if how == asked:
            return how
    said = "The parameter `how` is missing." if asked is None else f"{asked[:40]!r} is no way to trace."
    raise UserError("bad-request", "Trace how?", said, f"There are {', '.join(WAYS)}.")


def _gradient(id: str, graph: Graph, index: int) -> Trace:
    graphs = shelf(id, [head.id for head in found.capture(id).graphs])
    backward = differentiating_graph(graph.id, graphs)
    if backward is None:
        raise UserError(
            "not-found",
            "There is no backward",
            f"Nothing in this capture differentiates the nodes of {graph.id!r}.",
            "Ask in a forward, joint, Dynamo or eager graph that has a backward.",
        )
    return gradient_of(graph, index, graphs.get(backward), graphs)
