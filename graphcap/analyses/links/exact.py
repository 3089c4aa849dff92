"""Exact links between two graphs of a target: directly where torch recorded them, by way of the joint graph otherwise."""

from __future__ import annotations

from graphcap.analyses.columns import bodies
from graphcap.analyses.groups import is_backward
from graphcap.analyses.links.names import outputs, same_inputs, same_names, same_positions
from graphcap.analyses.links.pairs import Budget, Exact, compose
from graphcap.analyses.links.places import AOT, COMPILED, CUT, Place, Shelf, above, place
from graphcap.analyses.links.sequence import same_sequence
from graphcap.analyses.links.sources import Made, same_operators
from graphcap.graph.document import Graph


def exact_links(a: Graph, b: Graph, shelf: Shelf, budget: Budget) -> Exact:
    """Links from `a` to `b`, which stands later in `places.ORDER`."""
    here, there = place(a.id), place(b.id)
    if a.id == b.id:
        return same_sequence(a, b, budget) if here.stage in AOT else {}
    found = _recorded(a, b, here, there, shelf, budget)
    if not here.body and not there.body:
        whole = _whole(here, there, shelf)
        found = {**same_inputs(a, b, locals=whole), **found}
        if whole:
            found = {**outputs(a, b), **found}
    return found


def _recorded(a: Graph, b: Graph, here: Place, there: Place, shelf: Shelf, budget: Budget) -> Exact:
    """What torch recorded of the way from the one to the other."""
    if (here.fragment, here.recompile) != (there.fragment, there.recompile):
        return {}
    if (here.stage, there.stage) == ("dynamo", "pre_grad"):
        return {**outputs(a, b), **same_names(a, b)} if here.body == there.body else {}
    if here.stage in CUT and there.stage in CUT:
        return _one_run(a, b, here, there, budget)
    if here.stage == "dynamo" and there.stage in AOT:
        return _compiled(a, b, there, shelf, budget)
    if (here.stage, there.stage) == ("export", "core_aten") and here.variant == there.variant:
        return _made(a, b, shelf)
    return {}


def _one_run(a: Graph, b: Graph, here: Place, there: Place, budget: Budget) -> Exact:
    """Two graphs of one run of AOTAutograd: names are kept, and sequence numbers tie forward to backward."""
    named = {**outputs(a, b), **same_names(a, b)} if here.body == there.body else {}
    return {**same_sequence(a, b, budget), **named}


def _compiled(dynamo: Graph, graph: Graph, there: Place, shelf: Shelf, budget: Budget) -> Exact:
    """From Dynamo's graph to one that AOTAutograd made of it. What a backward node differentiates is seen in the joint graph
    where there is one."""
    made = _made(dynamo, graph, shelf)
    gid = there.at("joint", body=there.body)
    if there.stage == "joint" or not shelf.has(gid):
        return {**compose(made, _kin(graph, budget), budget), **made}
    joint = shelf.get(gid)
    ahead = _made(dynamo, joint, shelf)
    ahead = {**compose(ahead, _kin(joint, budget), budget), **ahead}
    if not there.body and not place(dynamo.id).body:
        ahead.update(same_inputs(dynamo, joint, locals=True))
    return {**compose(ahead, same_names(joint, graph), budget), **made}


def _kin(joint: Graph, budget: Budget) -> Exact:
    """From forward nodes to the backward nodes that differentiate them."""
    kin = same_sequence(joint, joint, budget)
    return {pair: evidence for pair, evidence in kin.items() if not is_backward(joint.nodes[pair[0]])}


def _made(a: Graph, b: Graph, shelf: Shelf) -> Exact:
    """From a graph to one that was made by interpreting it: exported to core ATen, Dynamo's to joint or inference."""
    made = Made(shelf.family(a.id), shelf.family(_in_order(b, shelf)))
    found = made.links(a, b)
    before, after = above(a.id), above(b.id) or b.id
    if not (before and shelf.has(before) and shelf.has(after)):
        return found
    return {**_by_op(a, b, shelf.get(before), shelf.get(after), made), **found}


def _by_op(a: Graph, b: Graph, before: Graph, after: Graph, made: Made) -> Exact:
    """What the link of the op that runs the body `a` says of it: `b` is the body that the linked op runs in its place, or
    the graph `after` itself, into which it was inlined."""
    ops = made.links(before, after)
    if b.id != after.id:
        same = any(_index(before, i, a.id) == _index(after, j, b.id) is not None for i, j in ops)
        return {**same_positions(a, b), **outputs(a, b)} if same else {}
    return same_operators(a, b, {j for i, j in ops if _index(before, i, a.id) is not None})


def _in_order(graph: Graph, shelf: Shelf) -> str:
    """The graph whose nodes stand as they were made: a backward computes checkpointed bodies again, the last one first."""
    where = place(graph.id)
    joint = where.at("joint")
    return joint if where.stage in AOT and shelf.has(joint) else graph.id


def _index(graph: Graph, node: int, gid: str) -> int | None:
    """Which of a node's bodies a graph is."""
    run = bodies(graph.nodes[node])
    return run.index(gid) if gid in run else None


def _whole(here: Place, there: Place, shelf: Shelf) -> bool:
    """Whether both graphs are of the same fragment, or of a function that has only one."""
    if here.fragment != there.fragment or here.recompile != there.recompile:
        return False
    split = there.stage in COMPILED and here.stage not in COMPILED
    return not (split and shelf.has(there._replace(fragment=1).at("dynamo")))
