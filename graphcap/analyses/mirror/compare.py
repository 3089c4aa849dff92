"""One of the analyses: takes two cuts of the same joint graph, returns what each saves and computes again, name by name."""

from __future__ import annotations

import msgspec

from graphcap.analyses.mirror.partition import Partition


class Difference(msgspec.Struct, frozen=True):
    """One value that at least one of the two saves or computes again. `here`, `there`: index into `saved`, or -1.

    `same_memory`: only one saves it, but the other keeps the same storage by another of its views.
    """

    name: str
    type: str
    here: int
    there: int
    again_here: bool
    again_there: bool
    same_memory: bool


def compared(here: Partition, there: Partition) -> tuple[Difference, ...]:
    """Every value that either saves or computes again, those of `here` first. Names are the joint graph's."""
    mine = {each.name: k for k, each in enumerate(here.saved)}
    theirs = {each.name: k for k, each in enumerate(there.saved)}
    types = {each.name: each.type for each in (*there.saved, *here.saved)}
    again = ({each.name for each in here.recomputed}, {each.name for each in there.recomputed})
    kept = ({each.name for each in here.storages}, {each.name for each in there.storages})
    names = dict.fromkeys((*mine, *theirs, *(each.name for side in (here, there) for each in side.recomputed)))
    found = []
    for name in names:
        i, j = mine.get(name, -1), theirs.get(name, -1)
        same = (j < 0 <= i and _storage(here, i) in kept[1]) or (i < 0 <= j and _storage(there, j) in kept[0])
        found.append(Difference(name, types.get(name, ""), i, j, name in again[0], name in again[1], same))
    return tuple(found)


def _storage(cut: Partition, saved: int) -> str:
    """Name of the storage that a saved value lies in; "" for a number."""
    number = cut.saved[saved].storage
    return cut.storages[number].name if number >= 0 else ""
