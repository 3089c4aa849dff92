"""The real app in a process of its own, with limits short enough to be waited for."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
START_SECONDS = 300  # only so that a failure does not hang
CAPTURE_SECONDS = 240

ROUTE_SECONDS = 12
LIMITS = {
    "GRAPHCAP_ROUTE_WALL_SECONDS": str(ROUTE_SECONDS),
    "GRAPHCAP_CAPTURE_MEMORY_MIB": "1024",
    "GRAPHCAP_LOG_KIB": "16",
    "GRAPHCAP_SLOTS": "2",
    "GRAPHCAP_QUEUE": "200",
}


class App:
    """Talks to the API as a browser does."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Status and decoded JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        data = response.read()
        return response.status, json.loads(data) if data else None

    def paste(self, code: str, options: Any = None) -> tuple[int, Any]:
        """Sends code as the editor does."""
        body = json.dumps({"code": code, "options": options or {}})
        return self.call("POST", "/api/captures", body, {"Content-Type": "application/json"})

    def upload(self, name: str, data: bytes, **options: Any) -> tuple[int, Any]:
        """Sends a file as the drop zone does."""
        edge = uuid.uuid4().hex
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: application/octet-stream'
        more = f'--{edge}\r\nContent-Disposition: form-data; name="options"\r\n\r\n{json.dumps(options)}\r\n'
        body = f"{more}--{edge}\r\n{head}\r\n\r\n".encode() + data + f"\r\n--{edge}--\r\n".encode()
        return self.call("POST", "/api/captures", body, {"Content-Type": f"multipart/form-data; boundary={edge}"})

    def ended(self, answer: tuple[int, Any]) -> Any:
        """The capture once it has ended."""
        status, created = answer
        assert status == 202, created
        end = time.monotonic() + CAPTURE_SECONDS
        while True:
            capture = self.call("GET", f"/api/captures/{created['id']}")[1]
            if capture["status"] not in ("queued", "running"):
                return capture
            assert time.monotonic() < end, f"still {capture['status']}"
            time.sleep(0.2)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    data = tmp_path_factory.mktemp("bad-input")
    others = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHCAP_")}
    environment = {**others, **LIMITS, "GRAPHCAP_DATA_DIR": str(data), "PORT": str(port)}
    with (data / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        found = App(port)
        await_health(found, process, data / "log")
        yield found
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def await_health(app: App, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            assert app.call("GET", "/healthz")[0] == 200
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.1)


def assert_sound(app: App, answer: tuple[int, Any]) -> None:
    """A sound submission is captured as if nothing had been."""
    capture = app.ended(answer)
    assert [(stage["id"], stage["status"]) for stage in capture["stages"]] == [("eager", "done")]
    assert capture["stages"][0]["graphs"][0]["nodes"] == 3


SOUND = """import torch
class Sin(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)
model = Sin()
example_args = (torch.randn(4),)
"""
