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


def settled(page: Page) -> str:
    """The hash once nothing is written any more."""
    page.wait_for_timeout(700)
    return str(page.evaluate("location.hash"))
