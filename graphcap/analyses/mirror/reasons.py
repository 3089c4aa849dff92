"""One of the analyses: takes a saved value of a forward graph, returns why torch saved it rather than compute it again.

Min-cut says of a node why it may not compute it again, in words of its own (`Origin.not_recomputed`); where it says nothing,
nothing forbade it and the minimum cut ran there. Why a value is needed at all is another question: what reads it.
"""

from __future__ import annotations

from typing import Literal

from graphcap.analyses.labels import SYMBOLIC, op_name
from graphcap.analyses.mirror.storages import GIVEN, aliases
from graphcap.graph.document import Graph, Node, Scalar
from graphcap.graph.edges import node_refs

Partitioner = Literal["min_cut", "default"]

Reason = Literal[
    "input",  # an input of the graph: there is nothing to compute it from
    "size",  # a number, such as a symbolic size: it takes no memory
    "marked",  # the person's checkpoint policy says that it must be saved
    "saves_all",  # the default partitioner saves whatever the backward reads
    "random",  # computed again it would be another number
    "compute_intensive",  # torch calls the operator compute intensive
    "not_recomputable",  # the operator is not among those torch may compute again
    "materialized",  # the backward needs it in memory, so computing it again would not be free
    "far",  # too far from the backward
    "reduction",  # less than a quarter of what it is computed from: cheaper to keep than to compute
    "forbidden",  # torch forbids computing it again, in words that are not known here
    "returned",  # the forward returns it, or what it is a view of, anyway
    "cheapest",  # nothing forbids computing it again: the minimum cut runs here
    "unknown",  # the capture holds no words of the partitioner
]

WORDS: dict[str, Reason] = {
    "primal input": "input",
    "forward RNG seed": "random",
    "random op": "random",
    "compute intensive op": "compute_intensive",
    "not in recomputable allowlist": "not_recomputable",
    "non-builtin op": "not_recomputable",
    "materialized in backward": "materialized",
    "too far from backward": "far",
    "reduction op": "reduction",
    "marked MUST_SAVE": "marked",
}
"""What torch 2.13 says, by what it comes to."""

TAGS: dict[str, Reason] = {"random": "random", "compute_intensive": "compute_intensive"}
"""What also speaks against computing an operator again, whatever torch said first."""

NUMBERS = SYMBOLIC | {"int", "float", "bool"}
MUST_SAVE = ("MUST_SAVE", "PREFER_SAVE")


def reasons(graph: Graph, index: int, partitioner: Partitioner, *, returned: bool, spoken: bool) -> tuple[Reason, ...]:
    """Every reason that holds, torch's own first; never empty.

    `returned`: the forward returns this value or another in its storage. `spoken`: `has_words` of the graph.
    """
    node = graph.nodes[index]
    if is_number(node):
        return ("size",)
    if node.op in GIVEN:
        return ("input",)
    maker = _maker(graph, node)
    if any(each.origin and each.origin.recompute in MUST_SAVE for each in (node, maker)):
        return ("marked",)
    if partitioner == "default":
        return ("saves_all",)
    said = words(graph, index)
    found: dict[Reason, None] = {WORDS.get(said, "forbidden"): None} if said else {}
    if not aliases(node):
        found.update({reason: None for tag, reason in TAGS.items() if tag in maker.tags})
    if returned:
        found["returned"] = None
    return tuple(found) or ("cheapest" if spoken else "unknown",)


def words(graph: Graph, index: int) -> str:
    """What min-cut said against computing a node again, or the call that gave it among others; "" for nothing."""
    node = graph.nodes[index]
    said = (each.origin.not_recomputed for each in (node, _maker(graph, node)) if each.origin)
    return next((text for text in said if text), "")


def has_words(graph: Graph) -> bool:
    """Whether the partitioner was listened to: older captures, and the default partitioner, have nothing of it."""
    return any(node.origin and node.origin.not_recomputed for node in graph.nodes)


def is_number(node: Node) -> bool:
    """Whether a node's value is a number, mostly a symbolic size."""
    return isinstance(node.value, Scalar) and node.value.type in NUMBERS


def _maker(graph: Graph, node: Node) -> Node:
    """The call that computed a value: of one of several values, the call that gave them all."""
    while op_name(node) == "getitem" and node.op == "call_function":
        source = next((source for source, _ in node_refs(node)), None)
        if source is None:
            break
        node = graph.nodes[source]
    return node
