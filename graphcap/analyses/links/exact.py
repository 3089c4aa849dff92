"""Exact links between two graphs of a target: directly where they are neighbours, by way of the joint graph otherwise."""

from __future__ import annotations

from graphcap.analyses.groups import is_backward
from graphcap.analyses.links.names import outputs, same_inputs, same_names
from graphcap.analyses.links.pairs import Budget, Exact, compose
from graphcap.analyses.links.places import AOT, Place, Shelf, place
from graphcap.analyses.links.sequence import same_sequence
from graphcap.analyses.links.sources import from_nodes
from graphcap.graph.document import Graph


def exact_links(a: Graph, b: Graph, shelf: Shelf, budget: Budget) -> Exact:
    """Links from `a` to `b`, which stands later in `places.ORDER`."""
    here, there = place(a.id), place(b.id)
    if a.id == b.id:
        return same_sequence(a, b, budget)
    found = _recorded(a, b, here, there, shelf, budget)
    if not here.body and not there.body:
        for pair, evidence in same_inputs(a, b).items():
            found.setdefault(pair, evidence)
    if here.body == there.body and _whole(here, there, shelf):
        for pair, evidence in outputs(a, b).items():
            found.setdefault(pair, evidence)
    return found


def _recorded(a: Graph, b: Graph, here: Place, there: Place, shelf: Shelf, budget: Budget) -> Exact:
    """What torch recorded of the way from the one to the other."""
    if (here.fragment, here.recompile) != (there.fragment, there.recompile):
        return {}
    if here.stage in AOT and there.stage in AOT:
        return _one_run(a, b, here, there, budget)
    if here.stage == "dynamo" and there.stage in AOT:
        return _compiled(a, b, there, shelf, budget)
    if (here.stage, there.stage) == ("export", "core_aten") and here.variant == there.variant:
        return from_nodes(a, b, shelf.family(a.id), shelf.family(b.id))
    return {}


def _one_run(a: Graph, b: Graph, here: Place, there: Place, budget: Budget) -> Exact:
    """Two graphs of one run of AOTAutograd: names are kept, and sequence numbers tie forward to backward."""
    found = same_names(a, b) if here.body == there.body else {}
    for pair, evidence in same_sequence(a, b, budget).items():
        found.setdefault(pair, evidence)
    return found


def _compiled(dynamo: Graph, graph: Graph, there: Place, shelf: Shelf, budget: Budget) -> Exact:
    """From Dynamo's graph to one that AOTAutograd made of it: by way of the joint graph, where there is one."""
    gid = there.top("joint", body=there.body)
    joint = graph if there.stage == "joint" or not shelf.has(gid) else shelf.get(gid)
    made = from_nodes(dynamo, joint, shelf.family(dynamo.id), shelf.family(joint.id))
    kin = same_sequence(joint, joint, budget)
    onward = {pair: evidence for pair, evidence in kin.items() if not is_backward(joint.nodes[pair[0]])}
    made = {**compose(made, onward, budget), **made}
    return made if joint is graph else compose(made, same_names(joint, graph), budget)


def _whole(here: Place, there: Place, shelf: Shelf) -> bool:
    """Whether both graphs are of the same fragment, or of a function that has only one."""
    if here.fragment != there.fragment or here.recompile != there.recompile:
        return False
    split = there.stage in ("dynamo", *AOT) and here.stage not in ("dynamo", *AOT)
    return not (split and shelf.has(there._replace(fragment=1).top("dynamo")))
