"""A finished capture sent to a server, which runs nothing of it. With the standard library: no further dependency."""

from __future__ import annotations

import urllib.error
import urllib.request
from urllib.parse import urljoin, urlsplit

import msgspec

from graphcap.errors import STATUS, UserError
from graphcap.graph.package import CaptureFile, pack

SECONDS = 300.0


class Pushed(msgspec.Struct, frozen=True):
    """Where the capture is now. `delete_token` is told only here: `Authorization: Bearer` it to delete the capture."""

    url: str
    id: str
    delete_token: str


class _Answer(msgspec.Struct):
    id: str
    url: str
    delete_token: str


class _Problem(msgspec.Struct):
    code: str = ""
    title: str = ""
    detail: str = ""
    hint: str = ""


def push(capture: CaptureFile, server: str) -> Pushed:
    """Sends it to the server at this address. Raises UserError with what the server says, or why it can not be reached."""
    base = server if server.endswith("/") else f"{server}/"
    if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).hostname:
        raise UserError("bad-request", "This is no address of a server", f"{server!r}.", "Try http://localhost:8000 .")
    request = urllib.request.Request(
        urljoin(base, "api/documents"),
        data=pack(capture),
        headers={"Content-Type": "application/gzip", "Accept": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            kept = msgspec.json.decode(answer.read(), type=_Answer)
    except urllib.error.HTTPError as error:
        raise _refused(error) from None
    except (OSError, msgspec.MsgspecError) as error:
        reason = getattr(error, "reason", None) or error
        raise UserError(
            "bad-request", "The server does not answer", f"{server}: {reason}.", "Is graphcap running there?"
        ) from None
    return Pushed(urljoin(base, kept.url.lstrip("/")), kept.id, kept.delete_token)


def _refused(error: urllib.error.HTTPError) -> UserError:
    try:
        said = msgspec.json.decode(error.read(), type=_Problem)
    except msgspec.MsgspecError:
        said = _Problem()
    code = said.code if said.code in STATUS else "bad-request"
    title = said.title or f"The server answered {error.code}"
    return UserError(code, title, said.detail, said.hint or ("" if said.code else "Is graphcap running there?"))
