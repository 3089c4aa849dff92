"""The charts of a capture, as plotly JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from graphcap.analyses.charts.drawn import Captured, NothingToDrawError, finished
from graphcap.analyses.charts.table import CHARTS, SERIALIZER, Chart
from graphcap.analyses.mirror.mirror import backward_gid, partitioner_of
from graphcap.analyses.mirror.partition import Partition, partition
from graphcap.errors import UserError
from graphcap.graph.document import Graph, StageId
from graphcap.store.records import CaptureSummary, StageSummary, TargetSummary
from graphcap.web.answering import answer, answer_of
from graphcap.web.api import found
from graphcap.web.api.found import there
from graphcap.web.charts import script
from graphcap.web.services import services

blueprint = Blueprint("charts", __name__)


class ChartHead(msgspec.Struct, frozen=True):
    """A chart that can be asked for."""

    name: str
    title: str
    text: str


class Charts(msgspec.Struct, frozen=True):
    """The charts there are, in the order of the page, and the address of the plotly.js that draws them."""

    script: str
    charts: tuple[ChartHead, ...]


class Figure(msgspec.Struct, frozen=True):
    """What plotly.js draws. `layout.meta.reason` says why there is nothing to draw, where `data` is empty."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]


@blueprint.get("/api/captures/<id>/charts")
def charts(id: str) -> Response:
    """The charts there are."""
    there(services().store.revision(id), id)
    return answer(Charts(script.ADDRESS, tuple(ChartHead(name, chart.title, chart.text) for name, chart in CHARTS.items())))


@blueprint.get("/api/captures/<id>/charts/<name>")
def chart(id: str, name: str) -> Response:
    """One figure of one target (`target`, the first when left out)."""
    summary = found.capture(id)
    wanted = CHARTS.get(name)
    if wanted is None:
        known = ", ".join(CHARTS)
        raise UserError("not-found", "There is no such chart", f"{name[:40]!r} is no chart of ours.", f"There are {known}.")
    target = found.target(summary, request.args.get("target", ""))
    key = f"charts/{target.id if target else ''}/{name}"
    return answer_of(summary, key, SERIALIZER, lambda: _figure(id, summary, target, wanted))


def _figure(id: str, summary: CaptureSummary, target: TargetSummary | None, wanted: Chart) -> Figure:
    try:
        made = wanted.make(_captured(id, summary, target))
    except NothingToDrawError as error:
        made = finished([], meta={"reason": str(error)})
    return Figure(made["data"], made["layout"])


def _counted(stage: StageSummary) -> list[str]:
    """The graphs of a stage that are counted. Where it has only variants (export refused): those of the first."""
    plain = [graph.id for graph in stage.graphs if not graph.variant and not graph.recompile]
    return plain or [graph.id for graph in stage.graphs if graph.variant == stage.graphs[0].variant]


def _captured(id: str, summary: CaptureSummary, target: TargetSummary | None) -> Captured:
    stages: dict[StageId, Sequence[Graph]] = {}
    cuts: dict[str, list[Partition]] = {summary.options.partitioner: []}
    known = {graph.id for graph in target.graphs} if target else set()
    for stage in target.stages if target else ():
        stages[stage.id] = [found.recent_graph(id, gid) for gid in _counted(stage)]
        for graph in stage.graphs if stage.id == "forward" else ():
            backward = backward_gid(graph.id)
            if backward in known and not graph.recompile:
                cutter = partitioner_of(graph.id, summary.options.partitioner)
                halves = found.recent_graph(id, graph.id), found.recent_graph(id, backward)
                cuts.setdefault(cutter, []).append(partition(*halves, cutter))
    return Captured(stages, cuts)
