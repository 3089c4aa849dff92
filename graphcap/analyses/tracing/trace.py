"""The door of tracing: a node of a graph in, the nodes that belong to the question out (docs/api.md)."""

from __future__ import annotations

from typing import Literal

import msgspec

from graphcap.analyses.links.places import Shelf, place
from graphcap.analyses.tracing.gradient import Gradient, gradient
from graphcap.analyses.tracing.reach import Reach
from graphcap.analyses.tracing.saved import Saved, described, read_by, total
from graphcap.graph.document import Graph

How = Literal["ancestors", "descendants", "between", "gradient"]


class Part(msgspec.Struct, frozen=True):
    """The nodes of one graph that were found, ascending."""

    graph: str
    nodes: tuple[int, ...]


class End(msgspec.Struct, frozen=True):
    """A gradient that the path ends in: what it is of, and its node in the graph of the path."""

    name: str
    node: int


class Trace(msgspec.Struct, frozen=True):
    """`found`: the graph asked about, then those the question leads to. The rest is of a gradient: `path` is the graph it
    lies in, `starts` its nodes that differentiate the one asked about; `bytes` counts every storage of `saved` once."""

    graph: str
    node: str
    how: How
    to: str
    found: tuple[Part, ...]
    path: str
    starts: tuple[int, ...]
    gradients: tuple[End, ...]
    saved: tuple[Saved, ...]
    bytes: int
    reason: str


def follow(graph: Graph, index: int, how: How, to: int | None = None) -> Trace:
    """Ancestors, descendants, or the paths to node `to`, in the graph itself; the ends are among them."""
    reach = Reach(graph)
    if to is not None:
        nodes = reach.between(index, to)
    else:
        nodes = reach.ancestors([index]) if how == "ancestors" else reach.descendants([index])
    reason = "" if nodes else "no value of the one reaches the other"
    name, other = graph.nodes[index].name, "" if to is None else graph.nodes[to].name
    return Trace(graph.id, name, how, other, (_part(graph, nodes),), "", (), (), (), 0, reason)


def gradient_of(graph: Graph, index: int, backward: Graph, shelf: Shelf) -> Trace:
    """The gradient path of a node, in the graph that differentiates its graph's nodes."""
    found = gradient(graph, index, backward, shelf)
    forward = _forward(backward, shelf)
    reads = read_by(backward, Reach(backward), found.path)
    saved = described(backward, forward, reads)
    ends = tuple(End(out.name, out.node) for out in found.ends if out.node is not None)
    return Trace(
        graph=graph.id,
        node=graph.nodes[index].name,
        how="gradient",
        to="",
        found=_parts(graph, index, found, forward, saved),
        path=backward.id,
        starts=tuple(sorted(found.starts)),
        gradients=ends,
        saved=saved,
        bytes=total(saved),
        reason=found.reason,
    )


def _forward(backward: Graph, shelf: Shelf) -> Graph | None:
    """The forward that saves what a backward reads; None for a graph that is both."""
    where = place(backward.id)
    gid = where.at("forward", where.variant)
    return shelf.get(gid) if where.stage == "backward" and shelf.has(gid) else None


def _parts(graph: Graph, index: int, found: Gradient, forward: Graph | None, saved: tuple[Saved, ...]) -> tuple[Part, ...]:
    """What is found in the graph asked about, in the graph of the path, and, where all that computes a gradient was asked
    for, in the forward that computes what is saved."""
    nodes: dict[str, set[int]] = {graph.id: {index}}
    nodes.setdefault(found.graph.id, set()).update(found.path)
    if found.whole and forward is not None:
        needed = Reach(forward).ancestors(each.source for each in saved if each.source >= 0)
        nodes.setdefault(forward.id, set()).update(needed)
    known = {each.id: each for each in (graph, found.graph, *([forward] if forward else []))}
    if place(graph.id).stage == "joint":
        nodes[graph.id] |= _by_name(
            graph, [known[gid].nodes[i].name for gid in nodes if gid != graph.id for i in nodes[gid]]
        )
    return tuple(_part(known[gid], each) for gid, each in nodes.items())


def _by_name(graph: Graph, names: list[str]) -> set[int]:
    wanted = set(names)
    return {i for i, node in enumerate(graph.nodes) if node.name in wanted and node.op != "output"}


def _part(graph: Graph, nodes: set[int]) -> Part:
    return Part(graph.id, tuple(sorted(nodes)))
