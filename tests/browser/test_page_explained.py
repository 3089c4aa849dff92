"""What the drawing says of itself, and the ways in and out of the graphs that higher-order ops run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
Captured = Callable[[str], str]


def details(page: Page, *words: str) -> None:
    for each in words:
        expect(page.locator("#details")).to_contain_text(each)


def test_into_a_body_and_back_to_what_runs_it(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('07_cond')}#v1?p=export.0&s=export.0:cond")
    expect(page.locator("#details h2")).to_have_text("cond")
    page.locator("canvas").first.focus()
    page.keyboard.press("Enter")
    trail = page.get_by_role("navigation", name="Enclosing graphs")
    expect(trail).to_contain_text("true_graph_0")
    expect(page).to_have_url(re.compile("p=export.0/true_graph_0"))
    trail.get_by_role("button").click()
    expect(page).to_have_url(re.compile("s=export.0:cond"))
    expect(page.locator("#details h2")).to_have_text("cond")
    page.go_back()
    expect(trail).to_contain_text("true_graph_0")


def test_backspace_leads_out_of_a_body_that_was_opened_by_its_link(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('07_cond')}#v1?p=export.0/false_graph_0")
    expect(page.get_by_role("navigation", name="Enclosing graphs")).to_contain_text("false_graph_0")
    details(page, "A graph that cond runs.")
    page.locator("canvas").first.focus()
    page.keyboard.press("Backspace")
    expect(page).to_have_url(re.compile(r"p=export\.0(&|$).*s=export.0:cond"))


def test_an_input_of_a_body_names_what_it_stands_for(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('07_cond')}#v1?p=export.0/true_graph_0&s=export.0/true_graph_0:p_small_bias")
    details(page, "Is given", "p_small_bias of export.0, an operand of cond")
    page.locator("#details").get_by_title("Select p_small_bias in export.0").click()
    expect(page).to_have_url(re.compile(r"p=export\.0&.*s=export.0:p_small_bias"))


def test_the_legend_says_how_to_read_the_drawing(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('07_cond')}#v1?p=export.0")
    expect(page.locator("canvas").first).to_have_attribute("aria-label", re.compile("12 nodes"))
    page.get_by_role("button", name="Colours").click()
    key = page.locator(".legend-key")
    expect(key.get_by_text("A closed group")).not_to_be_visible()
    key.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(key.get_by_text("A closed group")).to_be_visible()
    expect(key).to_contain_text("KiB (1,024 bytes)")
