"""POST /api/look: what would be captured of code or files, and with which inputs. Nothing is run or kept."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from graphcap.errors import UserError
from graphcap.intake.accept import accept_code, accept_files, sort_files
from graphcap.intake.entry import candidates
from graphcap.intake.options import MAX_INPUTS
from graphcap.intake.reading.look import Look, look
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.web.admission.address import sender_of
from graphcap.web.answering import answer
from graphcap.web.api.sent.submissions import sent_code, sent_files
from graphcap.web.requests import refuse_other_sites
from graphcap.web.services import services

blueprint = Blueprint("looking", __name__)

TEXTS = ("inputs", "second_inputs", "construct")
"""Options that are looked at as they are typed: what is wrong with them is part of the answer."""


@blueprint.post("/api/look")
def create() -> Response:
    """Takes what POST /api/captures takes."""
    refuse_other_sites()
    found = services()
    with contextlib.closing(found.looks.hold(sender_of(request.environ, found.settings), iter(()))):
        return _looked()


def _looked() -> Response:
    settings = services().settings
    if request.mimetype == "multipart/form-data":
        sent, options = sent_files()
        texts, rest = _apart(options)
        return answer(_files(sent, rest, texts))
    body = sent_code()
    texts, rest = _apart(body.options)
    return answer(look(accept_code(body.code, body.name, rest, settings), texts))


def _files(sent: list[Upload], options: dict[str, Any], texts: dict[str, str]) -> Look:
    settings = services().settings
    try:
        submission: Submission = accept_files(sent, options, settings)
    except UserError as error:
        if error.code != "which-entry":
            raise
        files = sort_files(sent, settings)
        named = tuple(file.name for file in candidates(files) or files if file.kind is not None)
        return Look(files=tuple(f.name for f in files), entries=named, needs=("entry",), rule_text=error.detail)
    return look(submission, texts)


def _apart(options: object) -> tuple[dict[str, str], dict[str, Any]]:
    """The texts, and the other options, from decoded JSON or JSON text."""
    try:
        found = msgspec.json.decode(options, type=dict[str, Any]) if isinstance(options, str) and options else options or {}
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UserError("bad-options", "The options can not be used", f"{error}.", "Send them as a JSON object.") from None
    if not isinstance(found, dict):
        raise UserError("bad-options", "The options can not be used", "They are no object.", "Send them as a JSON object.")
    texts = {name: str(found[name])[:MAX_INPUTS] for name in TEXTS if name in found}
    return texts, {name: value for name, value in found.items() if name not in TEXTS}
