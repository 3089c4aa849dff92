"""One of the analyses: takes two cuts of the same joint graph, returns what each saves and computes again, name by name."""

from __future__ import annotations

import msgspec

from graphcap.analyses.mirror.partition import Partition


class Difference(msgspec.Struct, frozen=True):
    """One value that at least one of the two saves or computes again. `here`, `there`: index into `saved`, or -1."""

    name: str
    type: str
    here: int
    there: int
    again_here: bool
    again_there: bool


def compared(here: Partition, there: Partition) -> tuple[Difference, ...]:
    """Every value that either saves or computes again, those of `here` first. Names are the joint graph's."""
    mine = {each.name: k for k, each in enumerate(here.saved)}
    theirs = {each.name: k for k, each in enumerate(there.saved)}
    types = {each.name: each.type for each in (*there.saved, *here.saved)}
    again = ({each.name for each in here.recomputed}, {each.name for each in there.recomputed})
    names = dict.fromkeys((*mine, *theirs, *(each.name for side in (here, there) for each in side.recomputed)))
    return tuple(
        Difference(name, types.get(name, ""), mine.get(name, -1), theirs.get(name, -1), name in again[0], name in again[1])
        for name in names
    )
