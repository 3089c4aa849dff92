"""What comes in: encoded slashes, bodies, uploads on their way to the data folder, other sites, clients that leave."""

from __future__ import annotations

import ipaddress
import select
import socket
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import IO, Any
from urllib.parse import unquote_to_bytes, urlsplit

import flask
from werkzeug.routing import PathConverter

from graphcap.errors import UserError
from graphcap.web.admission.address import is_loopback
from graphcap.web.services import services

SPOOL_BYTES = 512 * 1024  # files up to this size stay in memory while a form is read
DRAIN_BYTES = 1 << 30
DRAIN_SECONDS = 20.0
SLASH = "\x1f"  # stands for %2F between the server and the router; no GID has it

StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


class Request(flask.Request):
    """Large files of a form wait on disk, and everything on disk lies in the data folder."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        folder = str(services().settings.data_dir)
        return tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES, mode="rb+", dir=folder)


class EncodedSlashes:
    """WSGI middleware. Servers decode %2F before routing, but `graphs/export.0%2Ftext` is not the text of `export.0`."""

    def __init__(self, application: Application) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Routes by the address as it was sent, where the server tells it."""
        raw = str(environ.get("RAW_URI") or environ.get("REQUEST_URI") or "")
        if "%2f" in raw.lower():
            path = urlsplit(raw).path if "://" in raw.split("?", 1)[0] else raw.split("?", 1)[0].split("#", 1)[0]
            marked = path.replace("%2F", "%1F").replace("%2f", "%1F")
            decoded = unquote_to_bytes(marked.encode("latin-1", "replace")).decode("latin-1")
            environ["PATH_INFO"] = decoded.removeprefix(environ.get("SCRIPT_NAME", ""))
        return self._application(environ, start_response)


class GidConverter(PathConverter):
    """A GID in an address: slashes plain or encoded."""

    def to_python(self, value: str) -> str:
        """The GID itself."""
        return str(super().to_python(value)).replace(SLASH, "/")


def refuse_other_sites() -> None:
    """Raises UserError unless the request comes from our own pages or from no page at all.

    A submission runs code on this machine; without this any page a person visits could send one to `localhost`.
    """
    refuse_unknown_names()
    request = flask.request
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in ("same-origin", "none")
    else:
        allowed = origin is None or urlsplit(origin).netloc == request.host
    if not allowed:
        raise UserError(
            "forbidden",
            "This request comes from another site",
            f"It was sent by a page of {origin or site}, not by this server's own.",
            "Use this server's page, or send it without a browser. Behind a proxy: pass the Host header on.",
        )


def refuse_unknown_names() -> None:
    """Raises UserError where the server is addressed by a name that somebody else may have made lead to it."""
    request = flask.request
    if not _known_by(request.host, str(request.environ.get("SERVER_NAME", "")), services().settings.hosts):
        raise UserError(
            "forbidden",
            "This server does not go by that name",
            f"It was addressed as {request.host[:200]!r}.",
            "Open it by its IP address or as localhost, or start it with that name in GRAPHCAP_HOSTS.",
        )


def _known_by(host: str, bound: str, hosts: str) -> bool:
    """Whether a server bound to the address `bound` may be addressed as `host`.

    A stranger's name can be made to lead to 127.0.0.1 (DNS rebinding), and then its pages count as this server's own. So a
    server that only this machine reaches goes by no name but localhost, unless `hosts` says otherwise. An IP address can
    not be rebound.
    """
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    known = {each.strip().lower() for each in hosts.split(",")} - {""}
    if name in known or name == "localhost" or name.endswith(".localhost") or _is_ip(name):
        return True
    return not known and not (is_loopback(bound) or bound == "localhost")


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def whole_body() -> bytes:
    """The body of the request, whole: one over its limit is "too large", also one whose length was not announced."""
    request = flask.request
    data = request.get_data(cache=False)
    request.stream.read(1)  # a body in chunks is cut at the limit without a word; asking for more raises
    return data


def connection_watch(environ: dict[str, Any]) -> Callable[[], bool]:
    """A function that says whether the client closed its connection, without reading from it.

    A stream that has nothing to say would notice only at its next heartbeat, and hold its thread until then.
    """
    connection = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")

    def closed() -> bool:
        if not isinstance(connection, socket.socket):
            return False
        try:
            readable, _, _ = select.select([connection], [], [], 0)
            return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):  # closed on our side, or a kind of socket that can not be asked
            return connection.fileno() < 0

    return closed


def drain() -> None:
    """Reads the rest of a refused body to nowhere, so that the client gets to see the answer; gives up on endless ones."""
    environ = flask.request.environ
    if not environ.get("wsgi.input_terminated"):
        return  # such a server reads the rest itself
    stream, left, end = environ["wsgi.input"], DRAIN_BYTES, time.monotonic() + DRAIN_SECONDS
    while left > 0 and time.monotonic() < end:
        data = stream.read(1 << 16)
        if not data:
            return
        left -= len(data)
