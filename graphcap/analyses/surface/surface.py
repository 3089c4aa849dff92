"""One of the analyses: takes the graphs of a capture, returns the operators of every target by stage and what each became.

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from graphcap.analyses.links.places import Place, Shelf, place
from graphcap.analyses.surface.became import Became, became
from graphcap.analyses.surface.counts import Operator, counted

SERIALIZER = "operators-1"

STAGES = ("eager", "traced", "dynamo", "pre_grad", "export", "core_aten", "joint", "post_grad")
"""Forward and backward together call what joint calls."""


class StageOperators(msgspec.Struct, frozen=True):
    """The operators of one stage, counted over `graphs`: all fragments with their bodies, without recompiles. `calls` counts
    nodes; `core` and `other` count distinct operators inside and outside of the core set."""

    id: str
    graphs: tuple[str, ...]
    distinct: int
    calls: int
    core: int
    other: int
    operators: tuple[Operator, ...]


class TargetOperators(msgspec.Struct, frozen=True):
    """The op surface of one target. `became`: of every exported operator what the decomposition made of it."""

    id: str
    stages: tuple[StageOperators, ...]
    became: tuple[Became, ...]


class Surface(msgspec.Struct, frozen=True):
    """The op surface of every target."""

    targets: tuple[TargetOperators, ...]


def surface(targets: Iterable[str], shelf: Shelf) -> Surface:
    """The op surface of the graphs on the shelf, for each of these targets."""
    places = {gid: place(gid) for gid in shelf.ids}
    return Surface(tuple(_target(target, places, shelf) for target in targets))


def _target(target: str, places: dict[str, Place], shelf: Shelf) -> TargetOperators:
    stages = []
    for stage in STAGES:
        chosen = _chosen([gid for gid, at in places.items() if at.target == target and at.stage == stage], places)
        if chosen:
            stages.append(_stage(stage, chosen, shelf))
    tops = {at.stage: gid for gid, at in places.items() if at.target == target and not at.body and not at.variant}
    exported, core = tops.get("export"), tops.get("core_aten")
    return TargetOperators(target, tuple(stages), became(shelf, exported, core) if exported and core else ())


def _chosen(gids: Sequence[str], places: dict[str, Place]) -> list[str]:
    """The graphs that are counted. Where export refused, other attempts may have made a graph: then the first of these."""
    plain = [gid for gid in gids if not places[gid].variant and not places[gid].recompile]
    if plain or not gids:
        return plain
    variant = places[gids[0]].variant
    return [gid for gid in gids if places[gid].variant == variant]


def _stage(stage: str, gids: Sequence[str], shelf: Shelf) -> StageOperators:
    operators = counted((shelf.get(gid) for gid in gids), left=stage == "core_aten")
    return StageOperators(
        id=stage,
        graphs=tuple(gids),
        distinct=len(operators),
        calls=sum(operator.count for operator in operators),
        core=sum(operator.core is True for operator in operators),
        other=sum(operator.core is False for operator in operators),
        operators=operators,
    )
