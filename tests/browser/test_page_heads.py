"""The heads of panes: one line however narrow they are, and what has no room in it stands behind More."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

THREE = "#v1?p=export.0&p=core_aten.0&p=backward.0&s=export.0:linear&t="
CUT = "bars => bars.filter(bar => bar.scrollWidth > bar.clientWidth || bar.offsetHeight > 45).map(bar => bar.textContent)"
"""Heads of more than one line, or with something that stands over their edge."""


def view(visit: Visit, captured: Callable[[str], str], width: int, height: int = 800) -> Page:
    page = visit(f"/c/{captured('02_mlp')}{THREE}", viewport={"width": width, "height": height})
    expect(page.locator(".graph-canvas:visible").first).to_be_visible()
    if width > 820:  # on a phone one pane is in sight: that of the selection
        expect(page.locator(".pane-kin:visible").first).to_be_visible()
    return page


@pytest.mark.parametrize("width", [1024, 1280, 1920])
def test_heads_of_three_panes_are_one_line_each(visit: Visit, captured: Callable[[str], str], width: int) -> None:
    page = view(visit, captured, width)
    assert page.locator(".pane-bar").count() == 3
    assert page.locator(".pane-bar").evaluate_all(CUT) == []
    for pane in page.locator(".pane").all():
        expect(pane.get_by_role("button", name="Close this pane")).to_be_visible()


def test_more_says_in_words_what_has_no_room(visit: Visit, captured: Callable[[str], str]) -> None:
    page = view(visit, captured, 1280)
    pane = page.locator(".pane").nth(1)
    expect(pane.get_by_role("button", name="Open all groups")).to_be_hidden()
    pane.get_by_title("More").click()
    listed = pane.locator(".more-list")
    expect(listed).to_be_visible()
    box = listed.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 1280 and box["y"] + box["height"] <= 800
    listed.get_by_title("Export this graph").click()
    expect(listed.get_by_role("link", name="GraphML")).to_be_visible()
    listed.get_by_role("button", name="Close all groups").click()
    expect(listed).to_be_hidden()
    expect(page).to_have_url(re.compile(r"x=\*"))


def test_a_menu_is_cut_by_no_pane_and_escape_gives_the_focus_back(visit: Visit, captured: Callable[[str], str]) -> None:
    page = view(visit, captured, 1920, 600)
    summary = page.locator(".pane").first.get_by_title("More")
    summary.focus()
    page.keyboard.press("Enter")
    listed = page.locator(".pane").first.locator(".more-list")
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(summary).to_be_focused()


def test_on_a_phone_the_head_is_one_line_too(visit: Visit, captured: Callable[[str], str]) -> None:
    page = view(visit, captured, 390, 844)
    bar = page.locator(".pane.is-current .pane-bar")
    assert bar.evaluate_all(CUT) == []
    bar.get_by_title("More").click()
    expect(bar.get_by_role("button", name="Colours")).to_be_visible()
