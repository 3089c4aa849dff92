"""The web app around one capture: for the viewer on this machine, and for what the app can make of a capture."""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec
from flask import Flask

from graphcap.client.refusals import refusal
from graphcap.graph.package import CaptureFile, pack
from graphcap.settings import Settings
from graphcap.web import create_app

MOST_MIB = 16 * 1024
"""Of a capture of one's own."""


class Kept(msgspec.Struct):
    """What `POST /api/documents` answers."""

    id: str
    url: str


@contextlib.contextmanager
def viewing(capture: CaptureFile) -> Iterator[tuple[Flask, Kept]]:
    """An app of its own that has this capture and runs nothing; its data folder goes with it."""
    with tempfile.TemporaryDirectory(prefix="graphcap-") as folder:
        settings = Settings(
            data_dir=Path(folder),
            upload_mib=MOST_MIB,
            result_mib=MOST_MIB,
            message_mib=MOST_MIB,
            stage_nodes=10**9,
            code_kib=MOST_MIB,
        )
        app = create_app(settings, with_runner=False)
        answer = app.test_client().post("/api/documents", data=pack(capture))
        if answer.status_code != 201:
            raise refusal(answer.status_code, answer.get_data())
        yield app, msgspec.json.decode(answer.get_data(), type=Kept)


def exported(capture: CaptureFile, format: str, gid: str = "") -> bytes:
    """The capture as `html`, or one of its graphs as `txt`, `json`, `dot`, `graphml`, `pt2`. Raises UserError."""
    what = f"/graphs/{quote(gid, safe='')}" if gid else ""
    with viewing(capture) as (app, kept):
        answer = app.test_client().get(f"/api/captures/{kept.id}{what}/export/{format}")
        if answer.status_code != 200:
            raise refusal(answer.status_code, answer.get_data())
        return answer.get_data()


def show(capture: CaptureFile, port: int, ready: Callable[[str], None]) -> None:
    """Serves the viewer on 127.0.0.1 until it is interrupted; `ready` gets its address. Port 0: a free one."""
    with viewing(capture) as (app, kept):
        port = port or free_port()
        ready(f"http://127.0.0.1:{port}{kept.url}")
        app.run(host="127.0.0.1", port=port, threaded=True)


def free_port() -> int:
    """One that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
