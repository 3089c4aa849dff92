"""The forward and the backward graph of one fragment, side by side."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response

from graphcap.analyses.mirror.mirror import SERIALIZER, Pair, backward_gid, mirror, other_gids, partitioner_of
from graphcap.errors import UserError
from graphcap.store.records import CaptureSummary
from graphcap.web.answering import answer_rendered
from graphcap.web.api import found
from graphcap.web.services import services

blueprint = Blueprint("mirror", __name__)


@blueprint.get("/api/captures/<id>/mirror/<gid:gid>")
def graph_mirror(id: str, gid: str) -> Response:
    """What the forward graph `gid` saves for its backward, and what the other partitioner would."""
    store = services().store
    summary = found.capture(id)
    known = {head.id for head in summary.graphs}
    if gid not in known:
        found.graph(id, gid)  # says what there is instead
    backward = backward_gid(gid)
    if backward is None or backward not in known:
        raise _nothing_to_mirror(summary, gid, backward)
    other = next((each for each in other_gids(gid) if each in known and backward_gid(each) in known), None)

    def pair(forward: str) -> Pair:
        partitioner = partitioner_of(forward, summary.options.partitioner)
        return Pair(found.graph(id, forward), found.graph(id, str(backward_gid(forward))), partitioner)

    def make() -> bytes:
        return msgspec.json.encode(mirror(pair(gid), pair(other) if other else None))

    # The other partitioner's graphs may come after the first answer was made.
    return answer_rendered(store.cached(id, f"mirror/{gid}/{other or ''}", SERIALIZER, make))


def _nothing_to_mirror(summary: CaptureSummary, gid: str, backward: str | None) -> UserError:
    if backward is None:
        said = f"{gid[:200]!r} is not the forward graph of a fragment."
        return UserError("not-found", "This graph has no mirror", said, "Ask for a forward graph, such as `forward.0`.")
    stages = [stage for target in summary.targets for stage in target.stages if stage.id == "backward"]
    said = "; ".join(dict.fromkeys(text for stage in stages for text in (stage.reason, *stage.notes) if text))
    return UserError("not-found", "There is no backward", said or f"This capture has no graph {backward!r}.")
