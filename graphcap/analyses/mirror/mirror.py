"""One of the analyses: takes the forward and the backward graph of a fragment, and where there are any those of the other
partitioner, returns all that a drawing of the two side by side takes (docs/api.md).

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from graphcap.analyses.mirror.compare import Difference, compared
from graphcap.analyses.mirror.partition import Partition, partition
from graphcap.analyses.mirror.reasons import Partitioner
from graphcap.analyses.mirror.rows import Row, kin, rows
from graphcap.graph.document import Graph

SERIALIZER = "mirror-2"

PARTITIONERS: tuple[Partitioner, ...] = ("min_cut", "default")


class Pair(NamedTuple):
    """Two halves of a joint graph, and who cut it."""

    forward: Graph
    backward: Graph
    partitioner: Partitioner


class Mirror(msgspec.Struct, frozen=True):
    """The answer. `kin[j]` is the node of the forward that node j of the backward belongs to, or -1."""

    cut: Partition
    rows: tuple[Row, ...]
    kin: list[int]
    other: Partition | None
    difference: tuple[Difference, ...]


def mirror(pair: Pair, other: Pair | None = None) -> Mirror:
    """Both halves of one fragment held side by side, and against another way to cut the same joint graph."""
    cut = partition(*pair)
    there = None if other is None else partition(*other)
    return Mirror(
        cut=cut,
        rows=rows(pair.forward, pair.backward, cut),
        kin=kin(pair.forward, pair.backward),
        other=there,
        difference=() if there is None else compared(cut, there),
    )


def backward_gid(gid: str) -> str | None:
    """`t2.backward.0.default` for `t2.forward.0.default`; None for a graph that is no forward, or only a body of one."""
    match = re.fullmatch(r"((?:t[1-9]\d*\.)?)forward(\.\d+[^/]*)", gid)
    return None if match is None else f"{match[1]}backward{match[2]}"


def other_gids(gid: str) -> tuple[str, ...]:
    """Forward graphs that the other partitioner may have cut from the same joint graph, by their ids."""
    base, _, variant = gid.rpartition(".")
    if variant in PARTITIONERS:
        return (base,)
    return tuple(f"{gid}.{name}" for name in PARTITIONERS)


def partitioner_of(gid: str, chosen: Partitioner) -> Partitioner:
    """Who cut the graph: its variant, else the partitioner that was chosen."""
    variant = gid.rpartition(".")[2]
    return next((name for name in PARTITIONERS if name == variant), chosen)
