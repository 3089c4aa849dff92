"""The map of a graph on the page: its switch, and the link that holds it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import let_pass

pytestmark = pytest.mark.browser


def test_the_map_is_switched_off_and_on_again_without_moving_the_graph(visit: Visit, captured: Callable[[str], str]) -> None:
    page = visit(f"/c/{captured('03_cnn')}#v1?p=joint.0&c=120,300,1")
    shown = page.locator(".graph-map")
    expect(shown).to_be_visible()
    menu = page.locator(".menu.arrange > summary")
    menu.focus()
    page.keyboard.press("Enter")
    choice = page.get_by_role("group", name="Map in the corner")
    choice.get_by_role("button", name="Hidden").press("Enter")
    expect(shown).to_be_hidden()
    expect(page).to_have_url(re.compile(r"c=120,300,1&m=0$"))
    page.reload()
    page.locator(".graph-canvas").wait_for()
    let_pass(page, 500)
    expect(shown).to_be_hidden()
    menu.click()
    expect(choice.get_by_role("button", name="Hidden")).to_have_attribute("aria-pressed", "true")
    choice.get_by_role("button", name="Shown").click()
    expect(shown).to_be_visible()
    expect(page).to_have_url(re.compile(r"c=120,300,1$"))
