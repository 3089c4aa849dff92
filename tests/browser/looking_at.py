"""What tests of a capture's page look at, and how they open it."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit


def api(served: str, path: str) -> Any:
    return json.load(urllib.request.urlopen(f"{served}/api/captures/{path}"))


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection")


def pane(page: Page, gid: str) -> Locator:
    return page.get_by_role("region", name=f"Graph {gid}")


def nodes(many: int) -> str:
    return f"{many} node{'' if many == 1 else 's'}"


def open_view(visit: Visit, path: str, panes: int = 2, **options: Any) -> Page:
    page = visit(path, **options)
    expect(page.locator(".graph-canvas")).to_have_count(panes)
    return page


def let_pass(page: Page, ms: int) -> None:
    """So long by the page's own clock, and then a frame: whatever it set a shorter time for has happened, and is drawn."""
    frame = "requestAnimationFrame(() => requestAnimationFrame(done))"
    page.evaluate(f"(ms) => new Promise((done) => setTimeout(() => {frame}, ms))", ms)


def settled(page: Page) -> str:
    """The hash once nothing is written any more."""
    let_pass(page, 700)
    return str(page.evaluate("location.hash"))


def still(canvas: Locator, after: bytes = b"") -> bytes:
    """Its picture once it changes no more, and is no longer the one of before."""
    seen = canvas.screenshot()
    for _ in range(100):  # only so that a failure does not hang
        let_pass(canvas.page, 400)
        before, seen = seen, canvas.screenshot()
        if seen == before != after:
            return seen
    raise AssertionError("the canvas does not change" if seen == after else "the canvas does not come to rest")
