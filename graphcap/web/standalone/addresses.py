"""What of the API a standalone file holds: everything its page may ask, but gradient paths, of which every node has one."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from graphcap.analyses.charts.table import CHARTS
from graphcap.analyses.links.places import place
from graphcap.analyses.mirror.mirror import backward_gid
from graphcap.store.records import CaptureSummary, TargetSummary
from graphcap.web.charts import script

MOST_PAIRS = 400
"""Links of so many pairs of graphs: those of a capture with 27 graphs. Pairs without links are kin by their source lines."""


def addresses(summary: CaptureSummary) -> Iterator[str]:
    """Paths as the page asks for them, the first needed first."""
    base = f"/api/captures/{quote(summary.id)}"
    yield base
    yield from (f"{base}/{what}" for what in ("source", "log", "breaks", "guards", "compilations"))
    for target in summary.targets:
        for gid in _gids(target):
            yield from (f"{base}/graphs/{_quoted(gid)}{what}" for what in ("", "/text", "/nodes"))
    for target in summary.targets:
        yield f"{base}/story?target={quote(target.id)}"
        yield from (f"{base}/guards/{_quoted(gid)}" for gid in _gids(target) if _is_guarded(gid))
        yield from (f"{base}/mirror/{_quoted(gid)}" for gid in _gids(target) if _is_mirrored(gid, target))
    yield from (f"{base}/links/{_quoted(a)}/{_quoted(b)}" for a, b in _pairs(summary))
    yield f"{base}/operators"
    yield f"{base}/charts"
    for target in summary.targets:
        yield from (f"{base}/charts/{name}?target={quote(target.id)}" for name in CHARTS)
    yield script.ADDRESS


def _gids(target: TargetSummary) -> list[str]:
    return [graph.id for graph in target.graphs]


def _quoted(gid: str) -> str:
    return quote(gid, safe="")


def _is_guarded(gid: str) -> bool:
    at = place(gid)
    return at.stage == "dynamo" and not at.body


def _is_mirrored(gid: str, target: TargetSummary) -> bool:
    return backward_gid(gid) in _gids(target)


def _pairs(summary: CaptureSummary) -> list[tuple[str, str]]:
    """Pairs of graphs of one target, whole graphs before the bodies of their operators; a joint graph with itself too."""
    pairs = []
    for target in summary.targets:
        gids = _gids(target)
        for i, a in enumerate(gids):
            pairs += [(a, b) for b in gids[i:] if b != a or place(a).stage == "joint"]
    pairs.sort(key=lambda pair: sum(len(place(gid).body) > 0 for gid in pair))
    return pairs[:MOST_PAIRS]
