"""Machines that lack what a jail is made of, as they are: gunicorn under a filter that takes the kernel's means away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_web_server import ROOT, Server, free_port, wait_for

from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary

NO_JAIL = [sys.executable, str(Path(__file__).with_name("no_jail.py"))]
OPEN_PYTHON = [sys.executable, str(ROOT / "tests" / "jail" / "open_python.py"), "0"]  # as images have it; needs root
CODE = {
    "code": "import torch\nmodel = torch.nn.ReLU()\nexample_args = (torch.randn(2),)\n",
    "options": {"stages": ["export"]},
}


@contextmanager
def served(folder: Path, before: list[str], **environment: str) -> Iterator[tuple[Server, Callable[[], str]]]:
    """The server, and its log so far."""
    port = free_port()
    command = [*before, sys.executable, "-m", "gunicorn", "app:create_app()"]
    command += ["--bind", f"127.0.0.1:{port}", "--worker-class", "gthread", "--threads", "8", "--no-control-socket"]
    environ = {**os.environ, "GRAPHCAP_DATA_DIR": str(folder / "data"), **environment}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
    store = Store(Settings(data_dir=folder / "data").sqlalchemy_url)
    server = Server(port, process.pid, store)
    try:
        wait_for(server, process)
        until(lambda: health(server)["tier"] is not None)
        yield server, (folder / "log").read_text
    finally:
        process.terminate()
        process.wait(300)
        store.close()


def until(holds: Callable[[], object], seconds: float = 300) -> None:
    """Waits; the time is only there so that a failure does not hang."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def health(server: Server) -> dict[str, object]:
    found: dict[str, object] = json.loads(server.get("/healthz")[1])
    return found


def submit(server: Server, **headers: str) -> tuple[int, dict[str, object]]:
    connection = server.connect()
    connection.request("POST", "/api/captures", json.dumps(CODE), {"Content-Type": "application/json", **headers})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def finished(server: Server, sent: dict[str, object]) -> CaptureSummary:
    """A capture once it has ended."""
    until(lambda: (found := server.store.summary(str(sent["id"]))) is not None and found.ended)
    summary = server.store.summary(str(sent["id"]))
    assert summary is not None
    return summary


@pytest.mark.torch
def test_a_container_has_the_second_tier(tmp_path: Path) -> None:
    with served(tmp_path, [*OPEN_PYTHON, *NO_JAIL, "container"]) as (server, log):
        assert (health(server)["status"], health(server)["tier"]) == ("ok", "landlock"), log()
        status, sent = submit(server)
        assert status == 202
        summary = finished(server, sent)
        assert summary.status == "done", summary
        assert server.store.graph(summary.id, "export.0") is not None
        assert "tier landlock" in log() and "unshare" in log()


def test_nothing_is_run_and_everything_says_so(tmp_path: Path) -> None:
    with served(tmp_path, [*NO_JAIL, "nothing"]) as (server, log):
        assert (health(server)["status"], health(server)["tier"], health(server)["zygotes"]) == ("no-jail", "none", {})
        status, problem = submit(server)
        assert (status, problem["code"]) == (403, "no-jail")
        assert json.loads(server.get("/api/server")[1])["accepts"] is False
        assert "Tier none" in server.get("/operator")[1].decode()
        assert server.get("/")[0] == 200
        until(lambda: "GRAPHCAP_UNSAFE_NO_JAIL=1 make run" in log())
        assert "nothing will be run" in log() and "docs/deploy.md" in log()


@pytest.mark.torch
def test_the_operator_may_have_this_machine_served(tmp_path: Path) -> None:
    with served(tmp_path, [*NO_JAIL, "nothing"], GRAPHCAP_UNSAFE_NO_JAIL="1") as (server, log):
        assert (health(server)["status"], health(server)["unsafe"]) == ("no-jail", True)
        for header in ("X-Forwarded-For", "Via", "Forwarded", "X-Real-IP"):
            status, problem = submit(server, **{header: "127.0.0.1"})
            assert (status, problem["code"]) == (403, "no-jail"), header
        status, sent = submit(server)
        assert status == 202
        summary = finished(server, sent)
        assert summary.status == "done", summary
        assert server.store.graph(summary.id, "export.0") is not None
        assert "WITHOUT a jail" in log()
