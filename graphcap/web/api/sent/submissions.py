"""POST /api/captures: code or a file in, an id and a delete token out."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from graphcap.errors import UserError
from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.jobs.runner import submit
from graphcap.settings import MIB
from graphcap.store.records import Created
from graphcap.web.answering import answer
from graphcap.web.api.sent.admit import admit
from graphcap.web.requests import refuse_other_sites, whole_body
from graphcap.web.services import services

blueprint = Blueprint("submissions", __name__)

ESCAPED = 6  # bytes JSON may take for one of code: \\u0000


class PastedCode(msgspec.Struct, forbid_unknown_fields=True):
    """The JSON form of a submission; intake looks at the values."""

    code: Any = None
    name: Any = None
    options: Any = None


class Submitted(msgspec.Struct, frozen=True):
    """A capture that waits; or is `done`, where the same was captured before. `delete_token` is shown only here."""

    id: str
    url: str
    status: str
    delete_token: str


@blueprint.post("/api/captures")
def create() -> Response:
    """Queues a submission."""
    refuse_other_sites()
    found, sender = services(), admit()
    return submitted(submit(found.store, found.settings, _submission(), sender), 202)


def submitted(created: Created, status: int) -> Response:
    """The answer for a capture that is kept, or will be made: where it is, and the token to delete it with."""
    response = answer(Submitted(created.id, f"/c/{created.id}", created.status, created.delete_token), status)
    response.headers["Location"] = f"/api/captures/{created.id}"
    return response


def _submission() -> Submission:
    settings = services().settings
    if request.mimetype == "multipart/form-data":
        return accept_files(*sent_files(), settings)
    body = sent_code()
    return accept_code(body.code, body.name, body.options, settings)


def sent_code() -> PastedCode:
    """The JSON form of a submission, unchecked. Raises UserError for what is no JSON."""
    if not request.is_json:
        raise _neither()
    settings = services().settings
    request.max_content_length = ESCAPED * settings.code_kib * 1024 + MIB
    try:
        return msgspec.json.decode(whole_body(), type=PastedCode)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UserError(
            "bad-request", "The request can not be read", f"{error}.", 'Send {"code": "import torch ...", "options": {}}.'
        ) from None


def sent_files() -> tuple[list[Upload], str | None]:
    """The files of a form and its options as JSON text. Raises UserError for parts that are not known."""
    unknown = sorted({*request.form, *request.files} - {"file", "options"})
    if unknown or "file" in request.form or "options" in request.files:
        wrong = ", ".join(unknown) or "`file` must have a file name, `options` must have none"
        raise UserError(
            "bad-request",
            "The form has a part it should not have",
            f"Not understood: {wrong[:200]}.",
            "Send the file as part `file`, and the options as JSON text in the field `options`.",
        )
    sent = request.files.getlist("file")
    uploads = [Upload(file.filename or "", file.read()) for file in sent if file.filename]
    return uploads, request.form.get("options")


def _neither() -> UserError:
    return UserError(
        "unsupported-upload",
        "A submission is a form with a file, or JSON",
        f"The request has Content-Type {request.content_type or 'none'!r}.",
        "Try: curl -F file=@model.py ADDRESS, or send multipart/form-data or application/json.",
    )
