"""POST /api/documents: a finished capture in, kept under an id of its own. Nothing of it is run."""

from __future__ import annotations

import threading

from flask import Blueprint, Response, request

from graphcap.errors import UserError
from graphcap.jobs.documents import take_document
from graphcap.web.admission.address import sender_of
from graphcap.web.api.sent.submissions import submitted
from graphcap.web.requests import refuse_other_sites, whole_body
from graphcap.web.services import services

blueprint = Blueprint("documents", __name__)

ONE_AT_A_TIME = threading.Lock()
"""A document of the largest size takes gigabytes while it is checked."""


@blueprint.post("/api/documents")
def upload() -> Response:
    """Keeps a `.graphcap` file, the body of the request. A server that runs nothing takes it too."""
    refuse_other_sites()
    found = services()
    sender = sender_of(request.environ, found.settings)
    found.store.check_rate(sender)
    data = whole_body()
    if not data:
        raise UserError("bad-request", "No capture was sent", "The body is empty.", "Send the bytes of a .graphcap file.")
    if not ONE_AT_A_TIME.acquire(blocking=False):
        raise UserError(
            "too-busy", "Another capture is being taken in", "One is checked at a time.", "Send it again.", retry_after=5
        )
    try:
        created = take_document(data, found.store, found.settings, sender)
    finally:
        ONE_AT_A_TIME.release()
    return submitted(created, 201)
