"""GET /operator: everything an operator asks first, on one page."""

from __future__ import annotations

import dataclasses
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request

import graphcap
from graphcap.errors import UserError
from graphcap.jobs.jailstate import kept, why_not
from graphcap.jobs.versions import torch_version
from graphcap.settings import Settings
from graphcap.store.counting.tallies import by_labels
from graphcap.web.admission.address import sender_of
from graphcap.web.operator.health import runner, unsafe
from graphcap.web.requests import refuse_unknown_names
from graphcap.web.services import services

blueprint = Blueprint("operator", __name__)

SECRET = frozenset({"operator_token", "database_url"})  # a database's URL holds its password


@blueprint.get("/operator")
def operator() -> Response:
    """Tier, queue, outcomes, warm processes, limits."""
    found = services()
    require_operator(found.settings)
    state, tallies = kept(found.settings), found.store.tallies()
    page = render_template(
        "operator.html",
        assets=found.assets.base,
        version=graphcap.__version__,
        torch=torch_version(),
        runner=runner(found),
        jail=state.jail,
        unsafe=unsafe(state, found.settings),
        why_not=why_not(found.settings),
        zygotes=[(zygote, _time(zygote.since)) for zygote in state.zygotes],
        queue=found.store.queue_counts(),
        settings=found.settings,
        stored=sorted(found.store.counts().items()),
        captures=[(*labels, int(count)) for labels, count in by_labels("captures", tallies).items()],
        kills=[(*labels, int(count)) for labels, count in by_labels("kills", tallies).items()],
        stages=_stages(tallies),
        limits=_limits(found.settings),
    )
    return Response(page, content_type="text/html; charset=utf-8", headers={"Cache-Control": "no-store"})


def require_operator(settings: Settings) -> None:
    """Raises UserError unless the request knows the token, or comes from this machine where there is no token to know."""
    refuse_unknown_names()  # else any page a person visits could read this one of a server on their own machine
    if not settings.operator_token:
        if not sender_of(request.environ, settings).local:
            raise UserError(
                "forbidden",
                "This page is for whoever runs the server",
                "It is shown to the machine itself only, and not through a proxy.",
                "Open it there, or start the server with a password in GRAPHCAP_OPERATOR_TOKEN.",
            )
    elif not hmac.compare_digest(_sent().encode(), settings.operator_token.encode()):
        raise UserError(
            "unauthorized",
            "This page needs the operator's token",
            "It is the value of GRAPHCAP_OPERATOR_TOKEN.",
            "Type it as the password, with any user name; a program sends Authorization: Bearer TOKEN.",
        )


def _sent() -> str:
    sent = request.authorization
    return "" if sent is None else str((sent.password if sent.type == "basic" else sent.token) or "")


def _stages(tallies: Mapping[tuple[str, str], float]) -> list[tuple[str, str, int, float | None]]:
    """Stage, status, how many, and their mean seconds where they took any."""
    found, seconds = [], by_labels("stage-seconds", tallies)
    for (stage, status), count in by_labels("stages", tallies).items():
        total = seconds.get((stage, status))
        found.append((stage, status, int(count), None if total is None else total / count))
    return found


def _limits(settings: Settings) -> list[tuple[str, str, str]]:
    """Every setting: its variable, its value, why."""
    found = []
    for field in dataclasses.fields(Settings):
        value = getattr(settings, field.name)
        shown = ("set" if value else "") if field.name in SECRET else str(int(value) if isinstance(value, bool) else value)
        found.append((f"GRAPHCAP_{field.name.upper()}", shown, field.metadata["why"]))
    return found


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if seconds else ""
