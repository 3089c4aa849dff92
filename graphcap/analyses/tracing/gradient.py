"""From a node to its gradient: the backward nodes that differentiate it, and what these feed."""

from __future__ import annotations

from typing import NamedTuple

from graphcap.analyses.groups import is_backward
from graphcap.analyses.labels import op_name
from graphcap.analyses.links.exact import exact_links
from graphcap.analyses.links.pairs import Budget
from graphcap.analyses.links.places import COMPILED, Shelf, place
from graphcap.analyses.links.sequence import same_sequence
from graphcap.analyses.tracing.reach import Reach
from graphcap.graph.document import Graph, Output
from graphcap.graph.edges import node_refs

WHOLE = ("eager", "joint")
"""Stages whose graphs hold a forward and its backward."""

PASSING = ("add", "add_", "clone", "alias")
"""Operators whose gradient is that of their inputs: nothing has to be computed for them."""

NOTHING = "torch recorded no backward node that differentiates it"
PASSED_ON = "its gradient is passed on unchanged; these nodes differentiate what it is computed of"
NO_GRADIENT = "nothing computes a gradient for it"


class Gradient(NamedTuple):
    """`starts`: the nodes of `graph` the trace starts at; `path`: these and what they feed on the way to `ends`, gradients
    that the graph returns. `whole`: the path is everything that computes `ends`. `reason` where the path is empty."""

    graph: Graph
    starts: frozenset[int]
    path: frozenset[int]
    ends: tuple[Output, ...]
    whole: bool
    reason: str


def differentiating_graph(gid: str, shelf: Shelf) -> str | None:
    """GID of the graph that differentiates the nodes of a graph: the backward of the same cut; of an eager run, and of a
    joint graph that was not cut, the graph itself. None: there is none."""
    where = place(gid)
    own = where.at("backward", where.variant)
    if where.stage in COMPILED and shelf.has(own):
        return own
    return gid if where.stage in WHOLE else None


def gradient(graph: Graph, index: int, backward: Graph, shelf: Shelf) -> Gradient:
    """The gradient path of node `index`; `backward` is the graph that differentiates its graph's nodes.

    Of a parameter, an input, or a gradient that is returned, it is everything that computes the gradient.
    """
    reach = Reach(backward)
    returned = [out for node in backward.nodes for out in node.returns if out.kind == "gradient" and out.node is not None]
    wanted = _wanted(graph, index, backward, returned)
    if wanted is not None:
        path = frozenset(reach.ancestors(out.node for out in wanted if out.node is not None))
        return Gradient(backward, frozenset(), path, tuple(wanted), True, "" if path else NO_GRADIENT)
    starts, reason = _starts(graph, index, backward, shelf)
    after = reach.descendants(starts)
    ends = [out for out in returned if out.node in after]
    path = frozenset(after & reach.ancestors(out.node for out in ends if out.node is not None)) | starts
    return Gradient(backward, starts, path, tuple(ends), False, reason)


def _wanted(graph: Graph, index: int, backward: Graph, returned: list[Output]) -> list[Output] | None:
    """The gradients a person asks for by choosing a node: that of a parameter or input, or the one the node is."""
    node = graph.nodes[index]
    if graph.id == backward.id and (own := [out for out in returned if out.node == index]):
        return own
    if node.op not in ("placeholder", "get_attr") or node.placeholder is None or node.placeholder.kind == "tangent":
        return None
    return [out for out in returned if out.name == node.placeholder.name]


def _starts(graph: Graph, index: int, backward: Graph, shelf: Shelf) -> tuple[frozenset[int], str]:
    """The backward nodes that differentiate a node, and what must be said of them."""
    if graph.id == backward.id and (is_backward(graph.nodes[index]) or place(graph.id).stage not in WHOLE):
        return frozenset([index]), ""
    kin = _kin(graph, backward, shelf)
    if index in kin:
        return frozenset(kin[index]), ""
    starts: set[int] = set()
    pending, seen = [index], {index}
    while pending:
        i = pending.pop()
        if i in kin:
            starts |= kin[i]
        elif op_name(graph.nodes[i]) in PASSING:
            sources = {source for source, _ in node_refs(graph.nodes[i])} - seen
            seen |= sources
            pending += sources
    return frozenset(starts), PASSED_ON if starts else NOTHING


def _kin(graph: Graph, backward: Graph, shelf: Shelf) -> dict[int, set[int]]:
    """For nodes of a graph the backward nodes linked with them: by torch's records; in an eager run by number and module."""
    if graph.id == backward.id:
        found = same_sequence(graph, graph, Budget())
    else:
        found = exact_links(graph, backward, shelf, Budget())
    kin: dict[int, set[int]] = {}
    for i, j in found:
        if is_backward(backward.nodes[j]) and backward.nodes[j].op.startswith("call_"):
            kin.setdefault(i, set()).add(j)
    return kin
