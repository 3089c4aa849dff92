"""The charts there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from graphcap.analyses.charts.calls import calls_by_operator
from graphcap.analyses.charts.distinct import distinct_by_stage
from graphcap.analyses.charts.drawn import Captured, Figure
from graphcap.analyses.charts.saved import saved_by_module

SERIALIZER = "charts-5"
"""Names the figures; it grows whenever one changes, so that kept answers are made again."""


class Chart(NamedTuple):
    """`make` raises NothingToDrawError with the reason."""

    title: str
    text: str
    make: Callable[[Captured], Figure]


CHARTS: dict[str, Chart] = {
    "calls": Chart(
        "Calls by operator",
        "How often each operator is called before and after decomposition. The legend adds the other stages.",
        calls_by_operator,
    ),
    "saved": Chart(
        "Saved bytes by module",
        "Memory that the forward keeps for its backward, under each partitioner; grey: inputs, which are there anyway.",
        saved_by_module,
    ),
    "distinct": Chart(
        "Distinct operators by stage",
        "How many different operators each stage calls: what a backend for it would have to know.",
        distinct_by_stage,
    ),
}
