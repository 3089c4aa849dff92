"""Pages that show nothing but a GraphView on a made-up graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from canvaspage import HEIGHT, WIDTH, Canvas, OpenCanvas
from playwright.sync_api import Browser

from tests.browser.repository import site


@pytest.fixture(scope="session")
def canvas_site() -> Iterator[str]:
    with site() as address:
        yield address


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
