"""The pages, and the static files. Pages hold no data but an outline of the stages: their modules ask the API."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from graphcap.errors import UserError
from graphcap.store.records import CaptureSummary
from graphcap.web.answering import IMMUTABLE, NO_CACHE, answer_asset, answer_text
from graphcap.web.outline.page import stage_rows
from graphcap.web.services import services

blueprint = Blueprint("pages", __name__)

OPENED = ("export", "dynamo")
"""Stages whose graph is opened before that of any other."""


@blueprint.get("/")
def home() -> Response:
    """Where a model is pasted or uploaded."""
    return _page("home.html")


@blueprint.get("/c/<id>")
def capture(id: str) -> Response:
    """One capture; the view itself is in the address's hash."""
    return _page("capture.html", **_shown(id), workers=services().assets.workers)


@blueprint.get("/embed/<id>")
def embed(id: str) -> Response:
    """The same without anything around the graphs, for a frame in a page of anybody: it can show, and change nothing."""
    return _page("capture.html", **_shown(id), workers=services().assets.workers, embedded=True)


def _shown(id: str) -> dict[str, object]:
    """What the page says of a capture before, or without, its modules."""
    summary = services().store.summary(id)
    if summary is None:
        raise UserError(
            "not-found",
            "There is no such capture",
            "It was deleted, or the address was cut off on its way here.",
            "Ask for the address again, or capture the model anew.",
        )
    return {"id": id, "title": summary.title, "stages": stage_rows(summary), "graphs": " ".join(_graphs(summary))}


def _graphs(summary: CaptureSummary) -> list[str]:
    """The graphs there are, first the one that the page opens by itself (`firstShow` in static/js/model/capture.js)."""
    stages = [stage for target in summary.targets for stage in target.stages if stage.status == "done"]
    first = sorted(stages, key=lambda stage: OPENED.index(stage.id) if stage.id in OPENED else len(OPENED))
    return [graph.id for stage in first for graph in stage.graphs]


def _page(template: str, **values: object) -> Response:
    page = render_template(template, assets=services().assets.base, **values)
    return answer_text(page.encode(), "text/html; charset=utf-8")


@blueprint.get("/static/<version>/<path:name>")
def static_file(version: str, name: str) -> Response:
    """One file. A page of another version still gets it, but may not keep it."""
    assets = services().assets
    asset = assets.files.get(name)
    if asset is None:
        raise UserError("not-found", "There is no such file", f"{name[:200]!r} is not served.", "Load the page again.")
    kept = IMMUTABLE if version == assets.version else NO_CACHE
    return answer_asset(asset, kept)
