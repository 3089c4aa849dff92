"""What a request asks for, or a problem that says what is not there."""

from __future__ import annotations

from typing import TypeVar

from flask import request

from graphcap.analyses.details import node_index
from graphcap.errors import UserError
from graphcap.graph.document import Graph
from graphcap.store.records import CaptureSummary, TargetSummary
from graphcap.web.recent import Sized
from graphcap.web.requests import refuse_other_sites
from graphcap.web.services import services

T = TypeVar("T")


def there(value: T | None, id: str) -> T:
    """`value`, unless the store knows no capture `id`."""
    if value is None:
        raise UserError(
            "not-found",
            "There is no such capture",
            f"{id[:80]!r} is not the id of a capture here: it was deleted, or the id was cut off.",
            "Capture the model again.",
        )
    return value


def capture(id: str) -> CaptureSummary:
    """One capture, without the bodies of its graphs."""
    return there(services().store.summary(id), id)


def target(summary: CaptureSummary, wanted: str) -> TargetSummary | None:
    """One target of a capture, "": the first; None while it has none."""
    for each in summary.targets:
        if wanted in ("", each.id):
            return each
    if not wanted:
        return None
    known = ", ".join(each.id for each in summary.targets)
    hint = f"It has {known}." if known else "It has none" + ("." if summary.ended else " yet.")
    raise UserError("not-found", "There is no such target", f"This capture has no target {wanted[:40]!r}.", hint)


def graph(id: str, gid: str) -> Graph:
    """One graph of a capture."""
    return sized_graph(id, gid)[0]


def sized_graph(id: str, gid: str) -> tuple[Graph, int]:
    """The same with the length of its JSON in bytes."""
    found = services().store.sized_graph(id, gid)
    if found is None:
        raise no_graph(capture(id), gid)
    return found


def no_graph(summary: CaptureSummary, gid: str) -> UserError:
    """The problem that a capture has no graph `gid`, with those it has."""
    known = [head.id for head in summary.graphs]
    listed = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
    hint = f"It has {listed}." if known else "It has no graphs" + ("." if summary.ended else " yet.")
    return UserError("not-found", "There is no such graph", f"This capture has no graph {gid[:200]!r}.", hint)


def recent_graph(id: str, gid: str) -> Graph:
    """The same graph as `graph`, out of those decoded lately where it is among them."""
    revision = there(services().store.revision(id), id)  # makes a capture that ran again, or was deleted, another one
    return services().recent.get((id, gid, revision), lambda: Sized(*sized_graph(id, gid)))


def node(graph: Graph, name: str) -> int:
    """The index of a node of the graph."""
    index = node_index(graph, name)
    if index is None:
        raise UserError(
            "not-found",
            "There is no such node",
            f"The graph {graph.id!r} has no node {name[:200]!r} among its {len(graph.nodes)}.",
            "Names are those that print(graph) shows, without %.",
        )
    return index


def require_token(id: str) -> None:
    """Raises UserError unless the request carries the delete token of the capture, and comes from no other site."""
    refuse_other_sites()
    store = services().store
    there(store.revision(id), id)
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not store.token_matches(id, token.strip()):
        sent = "The token does not belong to this capture." if token else "No token was sent."
        raise UserError(
            "forbidden",
            "This needs the capture's delete token",
            sent,
            "Send `Authorization: Bearer TOKEN` with the delete_token that the submission was answered with.",
        )
