"""How many different operators each stage calls: what a backend would have to know."""

from __future__ import annotations

import plotly.graph_objects as go  # type: ignore[import-untyped]

from graphcap.analyses.charts.counting import STAGE_TITLES, calls_of, nodes, sort_of
from graphcap.analyses.charts.drawn import Captured, Figure, NothingToDrawError, finished

SORTS = (
    ("core", "core ATen", "hue-1"),
    ("not core", "other operators", "hue-2"),
    ("higher-order", "higher-order", "hue-4"),
    ("Python", "Python functions and methods", "hue-8"),
)
"""(sort, its name in the legend, its colour), from the bottom of a bar upwards."""


def distinct_by_stage(captured: Captured) -> Figure:
    """One bar for each stage, of overloads by what they are."""
    stages = {
        stage: calls_of(graphs, lambda node: f"{sort_of(node)}\0{node.target}")
        for stage, graphs in captured.stages.items()
        if graphs
    }
    if not any(stages.values()):
        raise NothingToDrawError("No stage has a graph that calls anything.")
    traces = []
    for sort, title, colour in SORTS:
        found = [[where for key, where in its.items() if key.startswith(f"{sort}\0")] for its in stages.values()]
        if any(found):
            traces.append(
                go.Bar(
                    name=title,
                    x=[STAGE_TITLES[stage] for stage in stages],
                    y=[len(each) for each in found],
                    customdata=[nodes(each) for each in found],
                    hovertemplate=f"%{{x}}<br>%{{y}} {title}<extra></extra>",
                    meta={"colour": colour},
                )
            )
    return finished(traces, barmode="stack", xaxis={"type": "category"}, yaxis={"title": {"text": "distinct operators"}})
