"""What the page of a capture asks for before its modules run."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import Visit

BROKEN = "Failed to load resource|net::ERR_FAILED|was preloaded"


def asked(visit: Visit, path: str) -> list[str]:
    """The graphs asked for by a page whose modules never come."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/graphs/" in request.url:
            found.append(unquote(request.url.rpartition("/graphs/")[2]))

    def without_modules(page: Page) -> None:
        page.route("**/js/main.js", lambda route: route.abort())
        page.on("request", note)

    page = visit("about:blank", expect=BROKEN)
    without_modules(page)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return found


@pytest.mark.browser
@pytest.mark.parametrize(
    ("view", "graphs"),
    [
        ("", ["export.0"]),
        ("#v1?p=core_aten.0&c=1,2,0.5&p=export.0", ["core_aten.0"]),
        ("#v1?t=modules", ["export.0"]),
        ("#v1?p=export.9", []),
        ("#v1?p=%E0%A4%A", []),
    ],
)
def test_the_graph_in_sight_is_asked_for_before_the_modules_are_here(
    visit: Visit, captured: Callable[[str], str], view: str, graphs: list[str]
) -> None:
    assert asked(visit, f"/c/{captured('01_sin')}{view}") == graphs


@pytest.mark.browser
def test_the_page_and_its_worker_are_native_modules(visit: Visit, captured: Callable[[str], str]) -> None:
    scripts: list[str] = []
    page = visit("about:blank")
    page.on("request", lambda request: request.resource_type in {"script", "other"} and scripts.append(request.url))
    page.on("worker", lambda worker: scripts.append(worker.url))
    page.goto(f"/c/{captured('01_sin')}")
    page.locator(".pane canvas").first.wait_for()
    names = {url.partition("/static/")[2].partition("/")[2] for url in scripts if "/static/" in url and url.endswith(".js")}
    assert {"js/main.js", "js/render/graphview.js", "js/layout/worker.js"} <= names
