"""What belongs together across graphs: links between the nodes of two of them, and the operators of every stage."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from flask import Blueprint, Response

from graphcap.analyses.links.linked import SERIALIZER, linked
from graphcap.analyses.links.places import Shelf, place
from graphcap.analyses.surface import surface
from graphcap.errors import UserError
from graphcap.store.records import CaptureSummary
from graphcap.web.answering import answer, answer_of
from graphcap.web.api import found

blueprint = Blueprint("links", __name__)

WORTH_KEEPING = 1000  # nodes of both graphs: below that making an answer takes no longer than finding it


@blueprint.get("/api/captures/<id>/links/<gid:gid_a>/<gid:gid_b>")
def graph_links(id: str, gid_a: str, gid_b: str) -> Response:
    """The links between the nodes of two graphs of one target."""
    summary = found.capture(id)
    sizes = _sizes(summary)
    a, b = _pair(summary, list(sizes), gid_a, gid_b)
    if place(a).target != place(b).target:
        raise UserError(
            "bad-request",
            "These graphs are of two targets",
            f"{a!r} and {b!r} were captured of different things, so nothing links them.",
            "Ask for two graphs of one target.",
        )
    if sizes[a] + sizes[b] < WORTH_KEEPING:
        return answer(linked(a, b, shelf(id, sizes)))
    return answer_of(summary, f"links/{a}//{b}", SERIALIZER, lambda: linked(a, b, shelf(id, sizes)))


@blueprint.get("/api/captures/<id>/operators")
def operators(id: str) -> Response:
    """The operators of every target by stage, and what each became."""
    summary = found.capture(id)
    graphs = Shelf(_sizes(summary), lambda gid: found.recent_graph(id, gid))  # one after the other: none is held
    targets = [target.id for target in summary.targets]
    return answer_of(summary, "operators", surface.SERIALIZER, lambda: surface.surface(targets, graphs))


def _sizes(summary: CaptureSummary) -> dict[str, int]:
    """The nodes of every graph."""
    return {head.id: head.nodes for head in summary.graphs}


def shelf(id: str, gids: Iterable[str]) -> Shelf:
    """The graphs of a capture, each decoded once at most for as long as the shelf lives."""
    return Shelf(gids, functools.cache(lambda gid: found.recent_graph(id, gid)))


def _pair(summary: CaptureSummary, known: Sequence[str], gid_a: str, gid_b: str) -> tuple[str, str]:
    """The two graphs meant. Slashes may be plain: then the address alone does not say where the first GID ends."""
    parts = f"{gid_a}/{gid_b}".split("/")
    splits = [(gid_a, gid_b), *(("/".join(parts[:i]), "/".join(parts[i:])) for i in range(1, len(parts)))]
    for a, b in splits:
        if a in known and b in known:
            return a, b
    raise found.no_graph(summary, gid_a if gid_a not in known else gid_b)
