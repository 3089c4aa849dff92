"""Pages that show nothing but a GraphView on a made-up graph."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from canvaspage import HEIGHT, WIDTH, Canvas, OpenCanvas
from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent.parent.parent


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the repository without a log."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def canvas_site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_canvas(browser: Browser, canvas_site: str) -> Iterator[OpenCanvas]:
    """Opens the harness with options of a browser context; any error on a page fails the test."""
    contexts = []
    errors: list[str] = []

    def open_it(**options: Any) -> Canvas:
        context = browser.new_context(
            **{"viewport": {"width": WIDTH, "height": HEIGHT}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{canvas_site}/tests/browser/canvas/harness.html")
        page.wait_for_function("window.harness")
        return Canvas(page)

    yield open_it
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def canvas(open_canvas: OpenCanvas) -> Canvas:
    return open_canvas()
