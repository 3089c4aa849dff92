"""Folding: identical blocks drawn once, chains and views, in the pane's menu, the details and the link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]

FOLDED = "blocks.0 … 3 ×4"


@pytest.fixture
def gpt(captured: Captured) -> str:
    return captured("04_gpt")


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection")


def outlined(page: Page, name: str) -> Locator:
    """The group or node of the outline, which lists what is drawn."""
    return page.get_by_role("treeitem", name=re.compile(f"^{re.escape(name)}"))


def choose(page: Page, name: str) -> None:
    page.get_by_title("How this graph is arranged").click()
    page.get_by_role("group", name="Fold").get_by_role("button", name=re.compile(f"^{re.escape(name)}")).click()


def test_identical_blocks_are_drawn_once_until_all_are_asked_for(visit: Visit, gpt: str) -> None:
    page = visit(f"/c/{gpt}#v1?p=export.0&t=modules&s=export.0:&g=blocks.2&x=*")
    expect(outlined(page, FOLDED)).to_have_count(1)
    expect(outlined(page, "blocks.2")).to_have_count(0)
    expect(details(page)).to_contain_text("One of 4: blocks.0 … 3.")
    details(page).get_by_role("button", name="Draw all 4").click()
    expect(outlined(page, "blocks.2")).to_have_count(1)
    expect(outlined(page, FOLDED)).to_have_count(0)
    expect(page).to_have_url(re.compile(r"[?&]u=blocks\.0(&|$)"))
    page.reload()
    expect(outlined(page, "blocks.2")).to_have_count(1)
    details(page).get_by_role("button", name="Draw only one").click()
    expect(outlined(page, FOLDED)).to_have_count(1)
    expect(page).not_to_have_url(re.compile(r"[?&]u="))


def test_a_node_of_a_block_that_is_not_drawn_is_shown_on_the_one_that_is(visit: Visit, gpt: str) -> None:
    page = visit(f"/c/{gpt}#v1?p=export.0&t=modules")
    page.get_by_role("combobox", name="Search").or_(page.get_by_placeholder("Search nodes")).first.fill("linear_7")
    expect(page.get_by_role("option", name=re.compile("^linear_7"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(details(page).get_by_role("heading", level=2)).to_have_text("linear_7")
    expect(page.get_by_role("treeitem", selected=True)).to_have_accessible_name(re.compile("^linear_3 ?,"))
    expect(details(page)).to_contain_text("One block is drawn for all: it is marked on linear_3.")
    choose(page, "Draw identical blocks once")
    expect(details(page)).not_to_contain_text("it is marked on")
    expect(page.get_by_role("treeitem", selected=True)).to_have_accessible_name(re.compile("^linear_7 ?,"))
    details(page).get_by_role("button", name="Select it in all 4").click()
    expect(page).to_have_url(re.compile(r"s=export\.0:linear_3,linear_7,linear_11,linear_15"))


def test_the_menu_folds_and_the_link_says_so(visit: Visit, gpt: str) -> None:
    page = visit(f"/c/{gpt}#v1?p=export.0&t=modules&x=*&o=blocks.0,blocks.0.attention")
    expect(outlined(page, "view")).not_to_have_count(0)
    choose(page, "Hide views, casts and getitems")
    expect(page).to_have_url(re.compile(r"[?&]n=repeats,views(&|$)"))
    expect(outlined(page, "view")).to_have_count(0)
    choose(page, "Draw identical blocks once")
    expect(page).to_have_url(re.compile(r"[?&]n=views(&|$)"))
    expect(outlined(page, "blocks.2")).to_have_count(1)
    page.reload()
    expect(outlined(page, "blocks.2")).to_have_count(1)
    expect(outlined(page, "view")).to_have_count(0)


def test_a_chain_is_a_group_that_opens(visit: Visit, gpt: str) -> None:
    page = visit(f"/c/{gpt}#v1?p=core_aten.0&t=modules&o=blocks.0,blocks.0.attention")
    choose(page, "Fold chains")
    expect(page).to_have_url(re.compile(r"[?&]n=repeats,chains(&|$)"))
    chain = page.get_by_role("treeitem", name=re.compile("→.*, chain · ")).first
    chain.locator(".outline-line").click()
    expect(details(page)).to_contain_text(re.compile(r"chain · \d+ nodes"))
    details(page).get_by_role("button", name="Open or close this group").click()
    expect(page).to_have_url(re.compile(r"[?&]o=[^&]*/\w+-"))
    expect(chain).to_have_attribute("aria-expanded", "true")


def test_the_menu_says_why_it_cannot_fold(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0")
    page.get_by_title("How this graph is arranged").click()
    blocks = page.get_by_role("group", name="Fold").get_by_role("button", name=re.compile("^Draw identical blocks once"))
    expect(blocks).to_be_disabled()
    expect(blocks).to_contain_text("no three blocks of this graph are identical")
