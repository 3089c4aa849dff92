"""`GET /api/captures/ID/export/html`: the viewer with a capture inside, written piece by piece while it is sent."""

from __future__ import annotations

import base64
import functools
import gzip
import html
import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from flask import Blueprint, Flask, Response, current_app, render_template, request
from werkzeug.test import Client

from graphcap.errors import UserError
from graphcap.store.records import CaptureSummary
from graphcap.web.admission.address import sender_of
from graphcap.web.api import found
from graphcap.web.outline.page import stage_rows
from graphcap.web.services import services
from graphcap.web.standalone.addresses import addresses
from graphcap.web.standalone.inlined import inlined
from graphcap.web.standalone.scripts import scripts

blueprint = Blueprint("standalone", __name__)

BOOT = "js/standalone/boot.js"
SCRIPTS = "scripts"
"""Name of the piece that holds the viewer itself."""

MOST_VIEW = 4_000  # characters: servers take no longer addresses
WAITING = (
    '<p id="opening" class="empty muted">Opening the capture in this file. If this stays, the file is not complete.</p>'
)


class Piece(NamedTuple):
    """Something the file holds: under which name, and its gzip bytes."""

    name: str
    gzip: bytes
    status: int = 200


@blueprint.get("/api/captures/<id>/export/html")
def export_html(id: str) -> Response:
    """The file. `view` is the part of the page's address behind the `#`, which the file opens with."""
    summary = found.capture(id)
    if not summary.ended:
        said = f"It is {summary.status}, and a file never changes."
        raise UserError("conflict", "This capture has not ended", said, "Ask again when it is done.")
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    viewer = Piece(SCRIPTS, _scripts(services().assets.version))
    head, foot = _page(summary, request.args.get("view", "")[:MOST_VIEW]).split(WAITING)
    written = _written(f"{head}{WAITING}\n", _pieces(app, summary, viewer), foot)
    sender = sender_of(request.environ, services().settings)
    response = Response(services().files.hold(sender, written), content_type="text/html; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(summary)}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def file_name(summary: CaptureSummary) -> str:
    """What the file is to be called: after the submitted one."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", summary.entry.rpartition(".")[0] or summary.entry)
    return f"graphcap-{stem[:60]}.html"


def _page(summary: CaptureSummary, view: str) -> str:
    assets = services().assets
    shown = {"id": summary.id, "title": summary.title, "stages": stage_rows(summary), "view": view}
    page = render_template("capture.html", assets=assets.base, standalone=True, **shown)
    return inlined(page.replace("</main>", f"{WAITING}</main>"), assets.files, BOOT)


def _written(head: str, pieces: Iterator[Piece], foot: str) -> Iterator[str]:
    yield head
    for piece in pieces:
        content, name = base64.b64encode(piece.gzip).decode(), html.escape(piece.name)
        yield f'<script type="text/plain" data-kept="{name}" data-status="{piece.status}">{content}</script>\n'
    yield foot


def _pieces(app: Flask, summary: CaptureSummary, viewer: Piece) -> Iterator[Piece]:
    yield viewer
    client = Client(app)
    for address in addresses(summary):
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as answer:
            sent = answer.get_data()
            squeezed = sent if answer.headers.get("Content-Encoding") == "gzip" else gzip.compress(sent, 6, mtime=0)
            yield Piece(address, squeezed, answer.status_code)


@functools.lru_cache(maxsize=1)
def _scripts(version: str) -> bytes:
    """The viewer's scripts as gzip of JSON; `version` names the files they are made of."""
    return gzip.compress(msgspec.json.encode(scripts(services().assets.files)), 9, mtime=0)
