"""The values that some nodes of a backward read of the forward: saved tensors, with the bytes of their storages."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from graphcap.analyses.groups import is_backward
from graphcap.analyses.labels import type_text
from graphcap.analyses.links.places import place
from graphcap.analyses.mirror.storages import Root, roots, storage_bytes
from graphcap.analyses.tracing.reach import Reach
from graphcap.graph.document import Graph, Node, TensorMeta


class Saved(msgspec.Struct, frozen=True):
    """One value of the forward that the path reads. `node`: its index in the graph of the path; `source`: in the forward, -1
    where it has none there. `bytes`: of its storage, which it may share (`storage`); None: symbolic, or no tensor."""

    name: str
    node: int
    source: int
    type: str
    dtype: str | None
    shape: tuple[int | str, ...] | None
    bytes: int | None
    storage: int


def read_by(graph: Graph, reach: Reach, path: Iterable[int]) -> list[int]:
    """The values of the forward that a gradient path in `graph` reads: inputs of a backward, which are saved for it, or the
    forward's own nodes where a graph holds both. Behind what a backward computes again, what that is computed of."""
    again = place(graph.id).stage == "backward"
    pending = {source for node in path if _of_the_backward(graph.nodes[node]) for source in reach.sources[node]}
    seen = set(pending)
    found: list[int] = []
    while pending:
        i = pending.pop()
        node = graph.nodes[i]
        if _of_the_backward(node) or (node.placeholder is not None and node.placeholder.kind == "tangent"):
            continue
        if again and node.op.startswith("call_"):
            pending |= set(reach.sources[i]) - seen
            seen |= pending
        else:
            found.append(i)
    return sorted(found)


def _of_the_backward(node: Node) -> bool:
    return node.op.startswith("call_") and is_backward(node)


def described(graph: Graph, forward: Graph | None, nodes: Iterable[int]) -> tuple[Saved, ...]:
    """Those values. A storage is that of the forward, where the value was made."""
    home = forward or graph
    names = {node.name: i for i, node in enumerate(home.nodes)}
    owner = roots(home)
    storages: dict[Root, int] = {}
    found = []
    for j in nodes:
        node, i = graph.nodes[j], names.get(graph.nodes[j].name, -1)
        tensor = node.value if isinstance(node.value, TensorMeta) else None
        root = owner[i] if i >= 0 else Root(-1 - j)
        found.append(
            Saved(
                name=node.name,
                node=j,
                source=i if forward is not None else -1,
                type=type_text(node.value),
                dtype=tensor.dtype if tensor else None,
                shape=tensor.shape if tensor else None,
                bytes=storage_bytes(home, root) if tensor and i >= 0 else None,
                storage=storages.setdefault(root, len(storages)) if tensor else -1,
            )
        )
    return tuple(found)


def total(saved: Iterable[Saved]) -> int:
    """Bytes of all storages whose size is known, each once."""
    return sum({each.storage: each.bytes or 0 for each in saved if each.storage >= 0}.values())
