"""For machines that watch this one: /healthz and /metrics."""

from __future__ import annotations

import functools
import importlib.metadata

import msgspec
from flask import Blueprint, Response, current_app

import graphcap
from graphcap.web.services import Services, services

blueprint = Blueprint("health", __name__)


class Health(msgspec.Struct, frozen=True):
    """`status` is `ok` or `unavailable` (503); `runner`: captures run in this process, in another one, or nowhere."""

    status: str
    version: str
    torch: str | None
    database: str
    runner: str
    queued: int | None
    running: int | None


@blueprint.get("/healthz")
def healthz() -> Response:
    """Whether captures can be taken."""
    found = services()
    try:
        counts = found.store.queue_counts()
    except Exception as error:  # whatever the database's driver raises
        current_app.logger.error("the database is not reachable", exc_info=error)
        health = Health("unavailable", graphcap.__version__, torch_version(), "unreachable", _runner(found), None, None)
    else:
        health = Health("ok", graphcap.__version__, torch_version(), "ok", _runner(found), counts.queued, counts.running)
    status = 200 if health.status == "ok" else 503
    return Response(
        msgspec.json.encode(health), status, content_type="application/json", headers={"Cache-Control": "no-store"}
    )


@functools.cache
def torch_version() -> str | None:
    """The torch installed beside us, without importing it."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


def _runner(found: Services) -> str:
    if found.runner is None:
        return "none"
    return "here" if found.runner.holds_lock else "elsewhere"


@blueprint.get("/metrics")
def metrics() -> Response:
    """Counts in Prometheus' text format."""
    counts = services().store.counts()
    lines = [
        "# HELP graphcap_info Versions.",
        "# TYPE graphcap_info gauge",
        f'graphcap_info{{version="{graphcap.__version__}",torch="{torch_version() or ""}"}} 1',
        "# HELP graphcap_captures Captures in the database by status.",
        "# TYPE graphcap_captures gauge",
        *(f'graphcap_captures{{status="{status}"}} {n}' for status, n in sorted(counts.captures.items())),
        "# HELP graphcap_stages Stages of these captures by outcome.",
        "# TYPE graphcap_stages gauge",
        *(
            f'graphcap_stages{{stage="{stage}",status="{status}"}} {n}'
            for (stage, status), n in sorted(counts.stages.items())
        ),
        "# HELP graphcap_queue_length Captures that wait.",
        "# TYPE graphcap_queue_length gauge",
        f"graphcap_queue_length {counts.captures.get('queued', 0)}",
    ]
    text = "\n".join(lines) + "\n"
    return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8", headers={"Cache-Control": "no-store"})
