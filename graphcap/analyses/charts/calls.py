"""How often each operator is called at each stage: what decomposition makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go  # type: ignore[import-untyped]

from graphcap.analyses.charts.counting import STAGE_TITLES, Found, calls_of, nodes, operator, total
from graphcap.analyses.charts.drawn import Captured, Figure, NothingToDrawError, finished, plain
from graphcap.graph.document import StageId

MOST = 28  # operators with bars of their own: what a wide window shows with names that can be read

PAIRS: tuple[tuple[StageId, StageId], ...] = (("export", "core_aten"), ("dynamo", "joint"))
"""Before and after a decomposition; the first pair that was captured is shown at once, all else on demand."""

COLOURS = {
    "eager": "hue-6",
    "traced": "hue-3",
    "dynamo": "hue-8",
    "pre_grad": "hue-5",
    "export": "hue-5",
    "core_aten": "hue-1",
    "joint": "hue-7",
    "forward": "hue-2",
    "backward": "hue-4",
    "post_grad": "hue-1",
}


def calls_by_operator(captured: Captured) -> Figure:
    """Bars by operator, one for each stage."""
    stages = {stage: calls_of(graphs, operator) for stage, graphs in captured.stages.items()}
    stages = {stage: found for stage, found in stages.items() if found}
    if not stages:
        raise NothingToDrawError("No stage has a graph that calls anything.")
    shown = next((pair for pair in PAIRS if all(stage in stages for stage in pair)), tuple(stages))
    names = _frequent(stages, shown)
    kept, rest = names[:MOST], names[MOST:]
    traces = [_bars(stage, found, kept, rest, stage in shown) for stage, found in stages.items()]
    return finished(traces, barmode="group", xaxis={"type": "category"}, yaxis={"title": {"text": "calls"}})


def _frequent(stages: Mapping[StageId, dict[str, Found]], shown: Sequence[StageId]) -> list[str]:
    """Every operator, first those called most in the stages that are shown."""
    counts: dict[str, tuple[int, int]] = {}
    for stage, found in stages.items():
        for name, where in found.items():
            before, all_stages = counts.get(name, (0, 0))
            counts[name] = (max(before, total(where) if stage in shown else 0), max(all_stages, total(where)))
    return sorted(counts, key=lambda name: (-counts[name][0], -counts[name][1], name))


def _bars(stage: StageId, found: dict[str, Found], kept: Sequence[str], rest: Sequence[str], shown: bool) -> go.Bar:
    title = STAGE_TITLES[stage]
    others = nodes([found[name] for name in rest if name in found])
    groups = [(name, nodes([found[name]]) if name in found else []) for name in kept]
    groups += [(f"{len(rest)} others", others)] if rest else []
    return go.Bar(
        name=title,
        x=[plain(name) for name, _ in groups],
        y=[sum(len(indices) for _, indices in its) for _, its in groups],
        customdata=[its for _, its in groups],
        visible=True if shown else "legendonly",
        hovertemplate=f"%{{x}}<br>%{{y}} in {title}<extra></extra>",
        meta={"colour": COLOURS[stage]},
    )
