"""A finished capture sent to a server, which runs nothing of it. With the standard library: no further dependency."""

from __future__ import annotations

import http.client
import re
import urllib.error
import urllib.request
from urllib.parse import urljoin, urlsplit

import msgspec

from graphcap.client.refusals import CONTROL, refusal
from graphcap.errors import UserError
from graphcap.graph.package import CaptureFile, pack

SECONDS = 300.0
MOST_ANSWER = 1 << 20
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Pushed(msgspec.Struct, frozen=True):
    """Where the capture is now. `delete_token` is told only here: `Authorization: Bearer` it to delete the capture."""

    url: str
    id: str
    delete_token: str


class _Answer(msgspec.Struct):
    id: str
    delete_token: str


def push(capture: CaptureFile, server: str) -> Pushed:
    """Sends it to the server at this address. Raises UserError with what the server says, or why it can not be reached."""
    base = server if server.endswith("/") else f"{server}/"
    if not _is_address(base):
        raise UserError("bad-request", "This is no address of a server", f"{server!r}.", "Try http://localhost:8000 .")
    request = urllib.request.Request(
        urljoin(base, "api/documents"),
        data=pack(capture),
        headers={"Content-Type": "application/gzip", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            kept = msgspec.json.decode(answer.read(MOST_ANSWER), type=_Answer)
        if not ID.fullmatch(kept.id):
            raise ValueError(f"it answered with an id that is none: {kept.id[:80]!r}")
    except urllib.error.HTTPError as error:
        raise _refused(error) from None
    except (OSError, ValueError, http.client.HTTPException) as error:  # msgspec's are ValueErrors
        reason = getattr(error, "reason", None) or error
        raise UserError(
            "bad-request", "The server does not answer", f"{server}: {reason}.", "Is graphcap running there?"
        ) from None
    return Pushed(urljoin(base, f"c/{kept.id}"), kept.id, CONTROL.sub("", kept.delete_token))


def _is_address(base: str) -> bool:
    try:
        return urlsplit(base).scheme in ("http", "https") and bool(urlsplit(base).hostname)
    except ValueError:
        return False


def _refused(error: urllib.error.HTTPError) -> UserError:
    try:
        body = error.read(MOST_ANSWER)
    except (OSError, http.client.HTTPException):
        body = b""
    return refusal(error.code, body)
