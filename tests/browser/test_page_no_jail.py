"""The page of a server that runs nothing: it says so before anybody writes a model."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, START_SECONDS, Visit, await_health

pytestmark = pytest.mark.browser

NO_JAIL = ROOT / "tests" / "web" / "no_jail.py"


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on a machine that has no jail."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data: Path = tmp_path_factory.mktemp("refusing")
    command = [
        sys.executable,
        str(NO_JAIL),
        "nothing",
        sys.executable,
        "-m",
        "gunicorn",
        "app:create_app()",
        "--no-control-socket",
    ]
    command += ["--bind", f"127.0.0.1:{port}", "--worker-class", "gthread", "--threads", "8"]
    with (data / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "GRAPHCAP_DATA_DIR": str(data)}, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}"
    try:
        await_health(address, process, data / "log")
        await_tier(address)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=START_SECONDS)


def await_tier(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while json.load(urllib.request.urlopen(f"{address}/api/server"))["tier"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_page_says_that_nothing_runs_here(visit: Visit, refusing: str) -> None:
    page = visit("/", base_url=refusing, expect="403")
    notice = page.locator("#server")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("Nothing runs here")
    expect(notice).to_contain_text("can not confine what it runs")
    page.get_by_role("button", name="Capture").click()
    expect(page.get_by_role("alert").locator(".notice strong")).to_contain_text("This server runs nothing for you")
    expect(page.get_by_role("alert")).to_contain_text("GRAPHCAP_UNSAFE_NO_JAIL=1")


def test_the_page_of_a_server_with_a_jail_says_nothing(visit: Visit, served: str) -> None:
    await_tier(served)
    page = visit("/")
    expect(page.locator(".example")).not_to_have_count(0)
    expect(page.locator("#server")).to_be_hidden()


def test_the_operator_page_is_readable(visit: Visit, served: str, refusing: str) -> None:
    await_tier(served)
    page = visit("/operator")
    expect(page.get_by_role("heading", level=2)).to_have_text(["Jail", "Queue", "Outcomes", "Settings and limits"])
    expect(page.locator("main")).to_contain_text("GRAPHCAP_CAPTURE_MEMORY_MIB")
    expect(visit("/operator", base_url=refusing).locator(".notice.bad")).to_contain_text("Tier none")


def test_what_was_captured_before_is_there_at_once(visit: Visit, captured: object, served: str) -> None:
    """The same code under the same name: the page opens on a finished capture of its own."""
    assert callable(captured)
    first = captured("01_sin")
    code = (ROOT / "graphcap" / "web" / "examples" / "01_sin.py").read_text()
    body = json.dumps({"code": code, "name": "01_sin.py"}).encode()
    call = urllib.request.Request(f"{served}/api/captures", body, {"Content-Type": "application/json"})
    again = json.load(urllib.request.urlopen(call))
    assert again["status"] == "done" and again["id"] != first
    page = visit(again["url"])
    expect(page.locator(".top-status")).to_contain_text("done")
