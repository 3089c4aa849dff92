"""The captured function as torch runs it, and the guards of each piece of compiled code as a tree."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, request

from graphcap.analyses.guards import tree
from graphcap.analyses.guards.tree import GuardTree, guard_tree
from graphcap.analyses.links.places import place
from graphcap.analyses.story.facts import Story
from graphcap.analyses.story.story import SERIALIZER, Captured, story, told
from graphcap.errors import UserError
from graphcap.graph.document import Stage
from graphcap.store.records import CaptureSummary, GraphSummary, TargetSummary
from graphcap.web.answering import answer_of
from graphcap.web.api import found
from graphcap.web.api.found import there
from graphcap.web.services import services

blueprint = Blueprint("story", __name__)


@blueprint.get("/api/captures/<id>/story")
def capture_story(id: str) -> Response:
    """The story of one target (`target`, the first when left out)."""
    summary = found.capture(id)
    target = found.target(summary, request.args.get("target", ""))
    if target is None:
        said = "This capture has no target" + ("." if summary.ended else " yet.")
        hint = "Its failures say why." if summary.ended else "Ask again when it is done."
        raise UserError("not-found", "There is nothing to tell", said, hint)
    return answer_of(summary, f"story/{target.id}", SERIALIZER, lambda: _story(summary, target))


@blueprint.get("/api/captures/<id>/guards/<gid:gid>")
def graph_guards(id: str, gid: str) -> Response:
    """The guards of one of Dynamo's graphs as a tree of what they look at."""
    summary = found.capture(id)
    head = next((each for each in summary.graphs if each.id == gid), None)
    if head is None:
        raise found.no_graph(summary, gid)
    at = place(gid)
    if at.stage != "dynamo" or at.body:
        raise UserError(
            "not-found",
            "This graph has no guards",
            f"{gid[:200]!r} is not what Dynamo captured: only that is guarded.",
            "Ask for a graph of the stage dynamo, such as `dynamo.0`.",
        )
    recompile = head.recompile

    def make() -> GuardTree:
        return guard_tree(gid, at.fragment, recompile, _dynamo(id, at.target))

    return answer_of(summary, f"guards/{gid}", tree.SERIALIZER, make)


def _dynamo(id: str, target: str) -> Stage:
    """Dynamo's stage of a target with its breaks and guards."""
    stages = there(services().store.stages(id), id)
    none = Stage("dynamo", "skipped", reason="the stage dynamo was not asked for")
    return next((stage for of, stage in stages if of == target and stage.id == "dynamo"), none)


def _story(summary: CaptureSummary, target: TargetSummary) -> Story:
    id = summary.id
    heads: dict[str, Sequence[GraphSummary]] = {each.id: each.graphs for each in target.stages}
    graphs = {head.id: found.recent_graph(id, head.id) for head in told(heads.get("dynamo", ()))}
    files = there(services().store.files(id), id)
    texts = {file.name: file.data.decode("utf-8", "replace") for file in files if file.name.endswith(".py")}
    return story(Captured(target.id, target.title, _dynamo(id, target.id), graphs, heads, texts))
