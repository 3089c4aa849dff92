"""Where the memory goes that a forward keeps for its backward, by module, under each partitioner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go  # type: ignore[import-untyped]

from graphcap.analyses.charts.drawn import Captured, Figure, NothingToDrawError, finished, plain, size_text
from graphcap.analyses.mirror.partition import Partition, Storage

MOST_TILES = 400  # storages drawn one by one; more are drawn together by module
GAP = 0.02  # of the width, between two treemaps

HELD = "none"
KEPT = "hue-1"
AROUND = "ground"


class Tile(NamedTuple):
    """One rectangle. `id` is unique in its treemap; `parent` is the id of the tile around it, "" for the outermost."""

    id: str
    parent: str
    label: str
    bytes: int
    said: str
    colour: str
    nodes: list[tuple[str, list[int]]]


def saved_by_module(captured: Captured) -> Figure:
    """A treemap for each partitioner: fragments, modules, storages; of the forward graphs' nodes."""
    cuts = {name: each for name, each in captured.cuts.items() if any(cut.totals.bytes for cut in each)}
    if not cuts:
        why = "nothing of a known size is saved" if any(captured.cuts.values()) else "there is no backward"
        raise NothingToDrawError(f"Nothing to show here: {why}.")
    width = (1 - GAP * (len(cuts) - 1)) / len(cuts)
    traces, titles = [], []
    for i, (partitioner, parts) in enumerate(cuts.items()):
        left = i * (width + GAP)
        traces.append(_treemap(partitioner, tiles(partitioner, parts), (left, left + width)))
        titles.append(_title(partitioner, parts, left))
    return finished(traces, annotations=titles)


def tiles(partitioner: str, parts: Sequence[Partition]) -> list[Tile]:
    """The tiles of one treemap, each after the one around it; a tile's bytes are those of what is inside."""
    around: dict[str, _Module] = {}
    leaves = []
    for cut in parts:
        for number, storage in enumerate(cut.storages):
            if storage.bytes and storage.saved:
                nodes = sorted(cut.saved[k].forward for k in storage.saved)
                chain = _around(partitioner, cut, storage, len(parts) > 1)
                for id, parent, label in chain:
                    around.setdefault(id, _Module(parent, label)).add(cut.forward, nodes, storage.bytes)
                leaves.append(_leaf(cut, storage, number, chain[-1][0], nodes))
    modules = [Tile(id, m.parent, m.label, m.bytes, "", AROUND, list(m.nodes.items())) for id, m in around.items()]
    return modules + (leaves if len(leaves) <= MOST_TILES else _together(leaves))


def _together(leaves: Sequence[Tile]) -> list[Tile]:
    """One tile for all storages of a module that are kept, one for those that are there anyway."""
    found: dict[tuple[str, str], list[Tile]] = {}
    for leaf in leaves:
        found.setdefault((leaf.parent, leaf.colour), []).append(leaf)
    return [_merged(parent, its) for (parent, _), its in found.items()]


def _merged(parent: str, its: Sequence[Tile]) -> Tile:
    nodes: dict[str, list[int]] = {}
    for leaf in its:
        for gid, indices in leaf.nodes:
            nodes.setdefault(gid, []).extend(indices)
    said = "inputs: there anyway" if its[0].colour == HELD else ""
    label = its[0].label if len(its) == 1 else f"{len(its)} storages"
    return Tile(its[0].id, parent, label, sum(leaf.bytes for leaf in its), said, its[0].colour, list(nodes.items()))


class _Module:
    """A tile around others, while it grows."""

    def __init__(self, parent: str, label: str) -> None:
        self.parent, self.label, self.bytes = parent, label, 0
        self.nodes: dict[str, list[int]] = {}

    def add(self, gid: str, nodes: Sequence[int], size: int) -> None:
        self.nodes.setdefault(gid, []).extend(nodes)
        self.bytes += size


def _around(partitioner: str, cut: Partition, storage: Storage, several: bool) -> list[tuple[str, str, str]]:
    """(id, parent, label) of every tile around a storage, the outermost first."""
    chain = [(partitioner, "", "the model")]
    if several:
        chain.append((cut.forward, partitioner, cut.forward))
    path = cut.saved[storage.saved[0]].module
    parts = path.split(".") if path else []
    for depth in range(1, len(parts) + 1):
        chain.append((f"{cut.forward}:{'.'.join(parts[:depth])}", chain[-1][0], parts[depth - 1]))
    return chain


def _leaf(cut: Partition, storage: Storage, number: int, parent: str, nodes: list[int]) -> Tile:
    first = cut.saved[storage.saved[0]]
    said = f"{first.type}, an input: there anyway" if storage.held else first.type
    colour = HELD if storage.held else KEPT
    return Tile(f"{cut.forward}#{number}", parent, first.label, storage.bytes or 0, said, colour, [(cut.forward, nodes)])


def _treemap(partitioner: str, found: Sequence[Tile], span: tuple[float, float]) -> go.Treemap:
    return go.Treemap(
        name=partitioner,
        ids=[tile.id for tile in found],
        parents=[tile.parent for tile in found],
        labels=[plain(tile.label) for tile in found],
        values=[tile.bytes for tile in found],
        text=[" ".join(filter(None, (size_text(tile.bytes), plain(tile.said)))) for tile in found],
        customdata=[tile.nodes for tile in found],
        branchvalues="total",
        textinfo="label",
        domain={"x": span, "y": (0, 0.92)},
        hovertemplate="%{label}<br>%{text}<extra></extra>",
        meta={"colours": [tile.colour for tile in found]},
    )


def _title(partitioner: str, parts: Sequence[Partition], left: float) -> dict[str, object]:
    kept = sum(cut.totals.bytes for cut in parts)
    held = sum(cut.totals.held_bytes for cut in parts)
    tensors = sum(cut.totals.saved for cut in parts)
    text = f"{partitioner}: {tensors} tensors, {size_text(kept)}, of which {size_text(held)} are inputs"
    return {"text": text, "x": left, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "showarrow": False}
