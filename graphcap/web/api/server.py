"""GET /api/server: whether a submission would be taken, for the page to say so before anybody writes one."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, request

from graphcap.jobs.jailstate import Tier, kept, may_run, why_not
from graphcap.web.admission.address import sender_of
from graphcap.web.answering import answer
from graphcap.web.services import services

blueprint = Blueprint("server", __name__)


class Server(msgspec.Struct, frozen=True):
    """`tier` of the jail (null: not chosen yet); `accepts`: it runs what this client sends; if not, `reason` says why."""

    tier: Tier | None
    accepts: bool
    reason: str


@blueprint.get("/api/server")
def server() -> Response:
    """For the client that asks: where there is no jail, another may get another answer."""
    found = services()
    tier = kept(found.settings).tier
    accepts = may_run(tier, found.settings, sender_of(request.environ, found.settings).local)
    return answer(Server(tier, accepts, "" if accepts else why_not(found.settings)))
