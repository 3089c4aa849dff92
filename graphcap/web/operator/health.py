"""GET /healthz: whether captures can be taken, and what they are run in."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, current_app

import graphcap
from graphcap.jobs.jailstate import RunnerState, Tier, kept
from graphcap.jobs.versions import torch_version
from graphcap.settings import Settings
from graphcap.web.services import Services, services

blueprint = Blueprint("health", __name__)


class Health(msgspec.Struct, frozen=True):
    """`status`: `ok`; `no-jail` where nothing is run, or only what this machine sends; `unavailable` (503).

    `runner`: captures run in this process, in another one, or nowhere. `tier` (null: not chosen yet) and `gives` are of the
    jail; `unsafe`: captures run without one. `zygotes` counts warm processes by what they do.
    """

    status: str
    version: str
    torch: str | None
    database: str
    runner: str
    queued: int | None
    running: int | None
    tier: Tier | None
    gives: tuple[str, ...]
    unsafe: bool
    zygotes: dict[str, int]


@blueprint.get("/healthz")
def healthz() -> Response:
    """Answers 503 only where the database is away: without a jail, what was captured can still be seen."""
    found = services()
    try:
        counts = found.store.queue_counts()
    except Exception as error:  # whatever the database's driver raises
        current_app.logger.error("the database is not reachable", exc_info=error)
        health = _health(found, "unavailable", None, None)
    else:
        health = _health(found, "ok", counts.queued, counts.running)
    status = 503 if health.status == "unavailable" else 200
    return Response(
        msgspec.json.encode(health), status, content_type="application/json", headers={"Cache-Control": "no-store"}
    )


def _health(found: Services, status: str, queued: int | None, running: int | None) -> Health:
    state = kept(found.settings)
    return Health(
        status="no-jail" if status == "ok" and state.tier == "none" else status,
        version=graphcap.__version__,
        torch=torch_version(),
        database="unreachable" if status == "unavailable" else "ok",
        runner=runner(found),
        queued=queued,
        running=running,
        tier=state.tier,
        gives=() if state.jail is None else state.jail.gives,
        unsafe=unsafe(state, found.settings),
        zygotes=zygotes(state),
    )


def unsafe(state: RunnerState, settings: Settings) -> bool:
    """Whether captures run unconfined."""
    return state.tier == "none" and settings.unsafe_no_jail


def zygotes(state: RunnerState) -> dict[str, int]:
    """How many there are of each status that one has."""
    counts: dict[str, int] = {}
    for zygote in state.zygotes:
        counts[zygote.status] = counts.get(zygote.status, 0) + 1
    return counts


def runner(found: Services) -> str:
    """`here`, `elsewhere` or `none`."""
    if found.runner is None:
        return "none"
    return "here" if found.runner.holds_lock else "elsewhere"
