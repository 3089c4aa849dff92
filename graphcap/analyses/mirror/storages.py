"""One of the analyses: takes a Graph, returns which of its values lie in the same storage and how many bytes that has.

A view has no memory of its own: a saved `t` of a parameter keeps the parameter, a saved slice keeps all that it is a slice
of. So bytes are those of the storage, as `untyped_storage().nbytes()` gives them, and a storage counts once.
"""

from __future__ import annotations

from typing import NamedTuple

from graphcap.analyses.labels import op_name
from graphcap.analyses.tensor_bytes import BITS, MAX_BYTES, tensor_bytes
from graphcap.graph.document import Graph, Meta, Node, TensorMeta, Tuple
from graphcap.graph.edges import node_refs

SILENT_VIEWS = {"_unsafe_view"}
"""Operators that give a view although their schemas do not say so: nobody else may read what they are given."""

GIVEN = ("placeholder", "get_attr")


class Root(NamedTuple):
    """Where a value's memory was made: a node, and which of its values (-1: it has one only)."""

    node: int
    item: int = -1


def roots(graph: Graph) -> list[Root]:
    """For every node the storage of its value. Of several values: where the first was made, unless a `getitem` takes one."""
    found: list[Root] = []
    for i, node in enumerate(graph.nodes):
        source = _source(node)
        if source is None or not 0 <= source < i:
            found.append(Root(i))
        elif op_name(node) != "getitem" or aliases(graph.nodes[source]):
            found.append(found[source])
        else:
            found.append(_item(node, source, found[source]))
    return found


def aliases(node: Node) -> bool:
    """Whether a call's value lies in the memory of what it is given."""
    if node.op != "call_function":
        return False
    name = op_name(node)
    return "view" in node.tags or name in SILENT_VIEWS or ("inplace" in node.tags and name.endswith("_"))


def _source(node: Node) -> int | None:
    """The node whose memory this one's value lies in; None: it has memory of its own."""
    if node.op == "placeholder" and isinstance(node.value, TensorMeta):
        return node.value.storage_of
    if node.op in GIVEN or not (aliases(node) or op_name(node) == "getitem"):
        return None
    return next((source for source, _ in node_refs(node)), None)


def is_view(node: Node, index: int, root: Root) -> bool:
    """Whether the value of node `index`, whose storage is `root`, lies in memory that was made for another value."""
    taken = op_name(node) == "getitem" and root.item >= 0 and _source(node) == root.node
    return root.node != index and not taken


def _item(node: Node, source: int, root: Root) -> Root:
    """One value of several; of nested ones (`getitem` of a `getitem`) the inner values count as one storage."""
    index = node.args[1] if len(node.args) == 2 else None
    return Root(source, index) if type(index) is int and root.item < 0 else root


def storage_bytes(graph: Graph, root: Root) -> int | None:
    """Bytes of a storage: as far as the value it was made for reaches by its strides. None: symbolic, sparse, unknown."""
    value: Meta | None = graph.nodes[root.node].value
    if isinstance(value, Tuple):
        value = value.items[root.item] if 0 <= root.item < len(value.items) else None
    return reach_bytes(value) if isinstance(value, TensorMeta) else None


def reach_bytes(value: TensorMeta) -> int | None:
    """From the first to behind the last element, by the strides; all of what an input is a view of. None: no number."""
    if value.storage_bytes is not None and 0 <= value.storage_bytes < MAX_BYTES:
        return value.storage_bytes
    bits = BITS.get(value.dtype)
    if value.stride is None or bits is None or value.layout != "strided":
        return tensor_bytes(value)
    if 0 in value.shape:
        return 0
    reach = 1
    for size, stride in zip(value.shape, value.stride, strict=False):
        if not isinstance(size, int) or not isinstance(stride, int):
            return None
        reach += (size - 1) * stride
        if not 0 < reach < MAX_BYTES:
            return None
    return (reach * bits + 7) // 8
