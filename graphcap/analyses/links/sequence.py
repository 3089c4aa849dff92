"""Links by autograd's sequence number: from a forward node to the backward nodes that differentiate it.

The number is a link only together with what it is the number of. A call that nothing differentiates repeats the number of
the call before it, torch's engine leaves any number on the sums of gradients it makes itself, and every node of a
higher-order op's body has the number of the op. So both sides must also be made by the same call in the same module.
"""

from __future__ import annotations

from collections.abc import Hashable

from graphcap.analyses.groups import is_backward
from graphcap.analyses.labels import op_name
from graphcap.analyses.links.pairs import Budget, Exact
from graphcap.graph.document import Graph, Node


def same_sequence(a: Graph, b: Graph, budget: Budget) -> Exact:
    """Links between forward nodes of `a` and backward nodes of `b`, and the other way round."""
    (forward_a, backward_a), (forward_b, backward_b) = _by_key(a), _by_key(b)
    found: Exact = {}
    for mine, others in ((forward_a, backward_b), (backward_a, forward_b)):
        for key, ours in mine.items():
            theirs = others.get(key)
            if theirs and budget.take(len(ours) * len(theirs)):
                found.update(((i, j), "seq_nr") for i in ours for j in theirs)
    return found


def _by_key(graph: Graph) -> tuple[dict[Hashable, list[int]], dict[Hashable, list[int]]]:
    """Calls with a number by number, call and module: those of the forward, those of the backward."""
    forward: dict[Hashable, list[int]] = {}
    backward: dict[Hashable, list[int]] = {}
    paths = [tuple(module.path for module in stack) for stack in graph.modules]
    for i, node in enumerate(graph.nodes):
        origin = node.origin
        if origin is None or origin.seq_nr is None or not node.op.startswith("call_") or accumulates(node):
            continue
        stack = paths[node.module] if node.module >= 0 else ()
        if origin.source_fn or stack:
            side = backward if is_backward(node) else forward
            side.setdefault((origin.seq_nr, origin.source_fn, stack), []).append(i)
    return forward, backward


def accumulates(node: Node) -> bool:
    """Whether a backward node sums gradients or stores one: the engine's own, it differentiates nothing, has no source."""
    origin = node.origin
    if origin is None or origin.source_fn or not is_backward(node):
        return False
    return op_name(node) == "add" or (op_name(node) == "detach" and origin.seq_nr is None)
