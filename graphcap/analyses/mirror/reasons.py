"""One of the analyses: takes a saved value of a forward graph, returns why torch saved it rather than compute it again.

The reasons are those of torch's partitioners, in the order in which they ask (`should_ban_recomputation`), as far as they
can be told from the graph. Why it is needed at all is another question: the backward nodes that read it.
"""

from __future__ import annotations

from typing import Literal

from graphcap.analyses.labels import SYMBOLIC, op_name
from graphcap.analyses.mirror.storages import GIVEN, aliases
from graphcap.analyses.tensor_bytes import tensor_bytes
from graphcap.graph.document import Graph, Node, Ref, Scalar, TensorMeta
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
    "reduction",  # less than a quarter of what it is computed from: cheaper to keep than to compute
    "returned",  # the forward returns it, or what it is a view of, anyway
    "cheapest",  # nothing forbids computing it again: the minimum cut runs here
]

NUMBERS = SYMBOLIC | {"int", "float", "bool"}
MUST_SAVE = ("MUST_SAVE", "PREFER_SAVE")
REDUCED = 4  # torch's own factor: `output_size * 4 < input_tensors_size`


def reasons(graph: Graph, index: int, partitioner: Partitioner, *, returned: bool, classed: bool) -> tuple[Reason, ...]:
    """Every reason that holds, torch's first one first; never empty.

    `returned`: the forward returns this value or another in its storage. `classed`: `classes_known` of the graph.
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
    found: list[Reason] = [] if aliases(node) else _of_operator(graph, maker, classed)
    if returned:
        found.append("returned")
    return tuple(found) or ("cheapest",)


def is_number(node: Node) -> bool:
    """Whether a node's value is a number, mostly a symbolic size."""
    return isinstance(node.value, Scalar) and node.value.type in NUMBERS


def classes_known(graph: Graph) -> bool:
    """Whether torch's classes of operators stand in the graph: documents made before they were recorded have no such tag."""
    return any("recomputable" in node.tags for node in graph.nodes)


def _of_operator(graph: Graph, maker: Node, classed: bool) -> list[Reason]:
    found: list[Reason] = []
    if "random" in maker.tags:
        found.append("random")
    if "compute_intensive" in maker.tags:
        found.append("compute_intensive")
    if classed and "recomputable" not in maker.tags:
        found.append("not_recomputable")
    if _reduces(graph, maker):
        found.append("reduction")
    return found


def _maker(graph: Graph, node: Node) -> Node:
    """The call that computed a value: of one of several values, the call that gave them all."""
    while op_name(node) == "getitem" and node.op == "call_function":
        source = next((source for source, _ in node_refs(node)), None)
        if source is None:
            break
        node = graph.nodes[source]
    return node


def _reduces(graph: Graph, maker: Node) -> bool:
    if not isinstance(maker.value, TensorMeta):
        return False
    out = tensor_bytes(maker.value)
    inside = [_bytes(graph.nodes[arg.node]) for arg in maker.args if isinstance(arg, Ref)]  # as torch: lists are not opened
    known = [size for size in inside if size is not None]
    return out is not None and len(known) == len(inside) and out * REDUCED < sum(known)


def _bytes(node: Node) -> int | None:
    return tensor_bytes(node.value) if isinstance(node.value, TensorMeta) else None
