"""One of the analyses: takes the two halves of a joint graph, returns what the first saves for the second (docs/api.md).

Nodes keep the joint graph's names, so a call in both halves is computed twice, and a placeholder of the backward that is a
node of the forward is a saved value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from graphcap.analyses.groups import groups
from graphcap.analyses.labels import label, type_text
from graphcap.analyses.mirror.reasons import Partitioner, Reason, has_words, is_number, reasons, words
from graphcap.analyses.mirror.storages import GIVEN, Root, aliases, is_view, roots, storage_bytes
from graphcap.graph.document import Graph, Node, Output, TensorMeta
from graphcap.graph.edges import Edge, edges

SavedKind = Literal["input", "parameter", "buffer", "constant", "call", "size", "other"]

_INPUT_KINDS: dict[str, SavedKind] = {
    "input": "input",
    "parameter": "parameter",
    "buffer": "buffer",
    "constant": "constant",
    "symint": "size",
}


class Saved(msgspec.Struct, frozen=True):
    """One value that the forward keeps for the backward. `bytes` are those of its storage; None: symbolic or no tensor.

    `said`: the partitioner's own words against computing it again.
    """

    name: str
    label: str
    kind: SavedKind
    forward: int
    backward: int
    type: str
    dtype: str | None
    shape: tuple[int | str, ...] | None
    bytes: int | None
    storage: int
    view: bool
    module: str
    readers: tuple[int, ...]
    reasons: tuple[Reason, ...]
    said: str


class Storage(msgspec.Struct, frozen=True):
    """Memory that saved tensors lie in. `held`: an input of the graph, which is there whether it is saved or not.

    `name`: the node that made it; of one that makes several, with the number of this one.
    """

    name: str
    bytes: int | None
    held: bool
    saved: tuple[int, ...]


class Recomputed(msgspec.Struct, frozen=True):
    """A call that both halves make. `free`: a view, which computes nothing."""

    name: str
    forward: int
    backward: int
    module: str
    free: bool


class Gradient(msgspec.Struct, frozen=True):
    """What the backward returns for one input of the forward; `node` is None where it needs no gradient."""

    name: str
    node: int | None


class Totals(msgspec.Struct, frozen=True):
    """Sums. Every storage counts once; `bytes` = `held_bytes` + what is kept for the backward alone."""

    saved: int
    sizes: int
    bytes: int
    held_bytes: int
    unknown: int
    recomputed: int
    free: int
    gradients: int


class Partition(msgspec.Struct, frozen=True):
    """One way to cut the joint graph in two."""

    forward: str
    backward: str
    partitioner: Partitioner
    saved: tuple[Saved, ...]
    storages: tuple[Storage, ...]
    recomputed: tuple[Recomputed, ...]
    gradients: tuple[Gradient, ...]
    totals: Totals


def partition(forward: Graph, backward: Graph, partitioner: Partitioner) -> Partition:
    """What `forward` saves for `backward`, by the placeholders of the backward in their order."""
    uses = edges(forward)
    where = groups(forward, uses)
    paths = [where.modules[group].path for group in where.group]
    kept = _Kept(forward, backward, partitioner, paths)
    again = _recomputed(forward, backward, paths)
    gradients = tuple(Gradient(out.name, out.node) for out in _returns(backward) if out.kind == "gradient")
    return Partition(
        forward=forward.id,
        backward=backward.id,
        partitioner=partitioner,
        saved=kept.saved,
        storages=kept.storages,
        recomputed=again,
        gradients=gradients,
        totals=_totals(kept.saved, kept.storages, again, gradients),
    )


def positions(graph: Graph) -> dict[str, int]:
    """Node indices by name."""
    return {node.name: i for i, node in enumerate(graph.nodes)}


class _Kept:
    """Finds the saved values and their storages."""

    def __init__(self, forward: Graph, backward: Graph, partitioner: Partitioner, paths: Sequence[str]) -> None:
        self._forward, self._partitioner, self._paths = forward, partitioner, paths
        self._roots = roots(forward)
        self._returned = {self._roots[o.node] for o in _returns(forward) if o.kind != "saved" and o.node is not None}
        self._spoken = has_words(forward)
        self._index: dict[Root, int] = {}
        readers = _readers(edges(backward), len(backward.nodes))
        names = positions(forward)
        pairs = [
            (names[node.name], j)
            for j, node in enumerate(backward.nodes)
            if node.op == "placeholder" and node.name in names and not _tangent(node)
        ]
        self.saved = tuple(self._one(i, j, readers[j]) for i, j in pairs)
        self.storages = tuple(self._storage(root, number) for root, number in self._index.items())

    def _one(self, i: int, j: int, readers: tuple[int, ...]) -> Saved:
        graph, node, root = self._forward, self._forward.nodes[i], self._roots[i]
        tensor = node.value if isinstance(node.value, TensorMeta) else None
        why = reasons(graph, i, self._partitioner, returned=root in self._returned, spoken=self._spoken)
        return Saved(
            name=node.name,
            label=label(node),
            kind=_kind(node),
            forward=i,
            backward=j,
            type=type_text(node.value),
            dtype=tensor.dtype if tensor else None,
            shape=tensor.shape if tensor else None,
            bytes=storage_bytes(graph, root) if tensor else None,
            storage=self._index.setdefault(root, len(self._index)) if tensor else -1,
            view=tensor is not None and is_view(node, i, root),
            module=self._paths[i],
            readers=readers,
            reasons=why,
            said=words(graph, i) if self._partitioner == "min_cut" else "",
        )

    def _storage(self, root: Root, number: int) -> Storage:
        owner = self._forward.nodes[root.node]
        return Storage(
            name=owner.name if root.item < 0 else f"{owner.name}[{root.item}]",
            bytes=storage_bytes(self._forward, root),
            held=owner.op in GIVEN,
            saved=tuple(k for k, each in enumerate(self.saved) if each.storage == number),
        )


def _kind(node: Node) -> SavedKind:
    if is_number(node):
        return "size"
    if node.op not in GIVEN:
        return "call" if isinstance(node.value, TensorMeta) else "other"
    return _INPUT_KINDS.get(node.placeholder.kind, "other") if node.placeholder else "input"


def _tangent(node: Node) -> bool:
    return node.placeholder is not None and node.placeholder.kind == "tangent"


def _returns(graph: Graph) -> tuple[Output, ...]:
    return tuple(out for node in graph.nodes for out in node.returns)


def _readers(uses: Sequence[Edge], count: int) -> list[tuple[int, ...]]:
    """For every node those that read it, each once, ascending."""
    found: list[dict[int, None]] = [{} for _ in range(count)]
    for use in uses:
        found[use.source][use.user] = None
    return [tuple(users) for users in found]


def _recomputed(forward: Graph, backward: Graph, paths: Sequence[str]) -> tuple[Recomputed, ...]:
    names = {name: i for name, i in positions(forward).items() if forward.nodes[i].op.startswith("call_")}
    return tuple(
        Recomputed(node.name, names[node.name], j, paths[names[node.name]], aliases(node))
        for j, node in enumerate(backward.nodes)
        if node.op.startswith("call_") and node.name in names
    )


def _totals(
    saved: Sequence[Saved], storages: Sequence[Storage], again: Sequence[Recomputed], gradients: Sequence[Gradient]
) -> Totals:
    return Totals(
        saved=sum(each.storage >= 0 for each in saved),
        sizes=sum(each.kind == "size" for each in saved),
        bytes=sum(each.bytes or 0 for each in storages),
        held_bytes=sum(each.bytes or 0 for each in storages if each.held),
        unknown=sum(each.bytes is None for each in storages),
        recomputed=len(again),
        free=sum(each.free for each in again),
        gradients=sum(each.node is not None for each in gradients),
    )
