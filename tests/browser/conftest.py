"""One Chromium and one server for all browser tests; every test gets a context of its own, and no page may complain."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE_MS = 20_000  # only so that a failure does not hang
START_SECONDS = 300  # only so that a failure does not hang
CAPTURE_SECONDS = 180

ARGS = [
    "--disable-gpu",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""With software GL the same canvas runs at 400-600 ms a frame, so no GPU; the rest keeps Chromium off the network."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real app under gunicorn, with a data folder of its own. Gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = tmp_path_factory.mktemp("served")
    environment = {**os.environ, "GRAPHCAP_DATA_DIR": str(data), "GRAPHCAP_UPLOAD_MIB": "4", "GRAPHCAP_CODE_KIB": "16"}
    command = [sys.executable, "-m", "gunicorn", "app:create_app()", "--bind", f"127.0.0.1:{port}", "--workers", "1"]
    command += ["--worker-class", "gthread", "--threads", "32", "--timeout", "120", "--no-control-socket"]
    with (data / "gunicorn.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        await_health(address, process, data / "gunicorn.log")
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=START_SECONDS)


def await_health(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server did not start: {log.read_text()}")


@pytest.fixture(scope="session")
def captured(served: str) -> Callable[[str], str]:
    """The id of a finished capture of an example, by the example's id; each is captured once."""
    done: dict[str, str] = {}

    def capture(example: str) -> str:
        if example not in done:
            code = (ROOT / "graphcap" / "web" / "examples" / f"{example}.py").read_text()
            done[example] = submit(served, code, f"{example}.py")
        return done[example]

    return capture


def submit(served: str, code: str, name: str) -> str:
    """Submits code by the API and waits for its end."""
    body = json.dumps({"code": code, "name": name}).encode()
    call = urllib.request.Request(f"{served}/api/captures", body, {"Content-Type": "application/json"})
    made = json.load(urllib.request.urlopen(call))["id"]
    deadline = time.monotonic() + CAPTURE_SECONDS
    while time.monotonic() < deadline:
        state = json.load(urllib.request.urlopen(f"{served}/api/captures/{made}"))
        if state["status"] not in {"queued", "running"}:
            return str(made)
        time.sleep(0.3)
    raise AssertionError(f"{name} was not captured within {CAPTURE_SECONDS} s: {state}")


LATE = "was preloaded using link preload but not used within a few seconds"
"""What Chromium says of a page whose modules come late, as on a machine with other things to do."""

Visit = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def visit(browser: Browser, served: str) -> Iterator[Visit]:
    """Opens a path in a fresh context (options are the context's). Console errors, also of the CSP, fail the test.

    `expect`: a pattern of console errors that belong to the test, such as the browser's own line about an answer 422.
    """
    contexts = []
    complaints: list[str] = []

    def open_it(path: str, *, expect: str = "(?!)", **options: Any) -> Page:
        context = browser.new_context(
            **{"base_url": served, "viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{error}\n{error.stack}"))
        page.on(
            "console",
            lambda said: (
                said.type in {"error", "warning"}
                and not re.search(f"{LATE}|{expect}", said.text)
                and complaints.append(said.text)
            ),
        )
        page.goto(path)
        if page.locator("#header").count():  # a capture: its panels, and with them the keys, come after the drawing
            page.locator("#header > *").first.wait_for(state="attached")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
