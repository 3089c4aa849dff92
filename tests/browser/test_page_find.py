"""Searching, filtering, and the ways through a page without a mouse or without sight."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]


@pytest.fixture
def gpt(visit: Visit, captured: Captured) -> Page:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=export.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    expect(page.get_by_role("complementary")).to_contain_text("export.0")
    return page


def box(page: Page) -> Locator:
    return page.get_by_role("combobox", name=re.compile("^Search"))


def rows(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Found nodes").get_by_role("option")


def heading(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection").get_by_role("heading", level=2)


def found(page: Page) -> Locator:
    return page.locator(".search-said")


def strip(page: Page) -> Locator:
    return page.get_by_role("group", name="What is traced")


# ------------------------------------------------------------------------------------------------------------- search


def test_an_empty_field_shows_how_to_ask_and_each_way_finds_something(gpt: Page) -> None:
    box(gpt).focus()
    asks = gpt.locator(".search-rows .is-hint code")
    expect(asks).not_to_have_count(0)
    texts = asks.all_text_contents()
    assert any("->" in text for text in texts)
    for i, text in enumerate(texts):
        box(gpt).fill("")
        asks.nth(i).click()
        expect(box(gpt)).to_have_value(text)
        expect(found(gpt)).to_have_text(re.compile(r"^[1-9]\d* found$"))


def test_a_pattern_has_a_row_for_each_place_and_selects_its_nodes(gpt: Page) -> None:
    gpt.keyboard.press("/")
    gpt.keyboard.type("layer_norm -> linear -> gelu")
    expect(found(gpt)).to_have_text("4 found")
    expect(rows(gpt).first).to_contain_text("→")
    gpt.keyboard.press("Enter")
    expect(heading(gpt)).to_have_text("3 nodes selected")
    expect(gpt).to_have_url(re.compile(r"s=export\.0:layer_norm_\d+,linear_\d+,gelu(&|$)"))
    gpt.keyboard.press("Escape")
    expect(gpt.locator(".graph-canvas")).to_be_focused()
    gpt.keyboard.press("n")
    expect(found(gpt)).to_have_text("2 of 4")
    gpt.keyboard.press("N")
    expect(found(gpt)).to_have_text("1 of 4")
    expect(gpt).to_have_url(re.compile("q=layer_norm"))
    gpt.reload()
    expect(found(gpt)).to_have_text("4 found")


def test_values_of_a_field_are_offered_and_taken_by_keys(gpt: Page) -> None:
    box(gpt).focus()
    gpt.keyboard.type("dt")
    expect(rows(gpt)).to_contain_text(["dtype:"])
    gpt.keyboard.press("ArrowDown")
    gpt.keyboard.press("Enter")
    expect(box(gpt)).to_have_value("dtype:")
    expect(rows(gpt).first).to_contain_text(re.compile(r"f32\d+ nodes"))
    gpt.keyboard.press("ArrowDown")
    gpt.keyboard.press("ArrowDown")
    expect(box(gpt)).to_have_attribute("aria-activedescendant", "hit-1")
    gpt.keyboard.press("Enter")
    expect(box(gpt)).to_have_value("dtype:i64")
    expect(found(gpt)).to_have_text(re.compile(r"^[1-9]\d* found$"))


def test_what_was_found_is_drawn_alone_listed_and_selected(gpt: Page) -> None:
    box(gpt).fill("op:gelu")
    actions = gpt.get_by_role("group", name="With all that was found")
    actions.get_by_role("button", name="Select all 4").click()
    expect(heading(gpt)).to_have_text("4 nodes selected")
    box(gpt).press("End")
    box(gpt).fill("op:gelu ")
    actions.get_by_role("button", name="Only these").click()
    expect(strip(gpt)).to_contain_text("Only the nodes found by “op:gelu”")
    expect(strip(gpt)).to_contain_text("4 of 136 nodes")
    expect(gpt).to_have_url(re.compile(r"i=found:export\.0:op%3Agelu:0"))
    gpt.reload()
    expect(strip(gpt)).to_contain_text("4 of 136 nodes")
    strip(gpt).get_by_role("button", name="One step more around (i)").click()
    expect(strip(gpt)).to_contain_text("1 step")
    expect(strip(gpt).get_by_role("button", name="One step more around (i)")).to_be_focused()
    strip(gpt).get_by_role("button", name="Show the whole graph").click()
    expect(strip(gpt)).to_be_hidden()
    box(gpt).fill("op:gelu")
    actions.get_by_role("button", name="List").click()
    expect(gpt.locator(".trace-nodes tbody tr")).to_have_count(4)


def test_where_nothing_is_found_other_graphs_are_named(gpt: Page) -> None:
    gpt.keyboard.press("4")
    expect(gpt.get_by_role("region", name="Graph core_aten.0")).to_be_visible()
    gpt.keyboard.press("3")
    expect(gpt.get_by_role("region", name="Graph export.0")).to_be_visible()
    box(gpt).fill("op:addmm")
    expect(gpt.locator(".search-empty")).to_contain_text("Nothing of that name")
    gpt.locator(".search-empty").get_by_role("button", name=re.compile(r"^Core ATen 12$")).click()
    expect(gpt.get_by_role("region", name="Graph core_aten.0")).to_be_visible()
    expect(found(gpt)).to_have_text("12 found")


def test_the_neighbourhood_grows_by_the_same_key_and_goes_by_another(gpt: Page) -> None:
    gpt.locator(".graph-canvas").focus()
    gpt.keyboard.press("i")
    expect(gpt.locator("#toast")).to_contain_text("Select a node")
    box(gpt).fill("name:gelu_1")
    box(gpt).press("Enter")
    box(gpt).press("Escape")
    gpt.keyboard.press("i")
    expect(strip(gpt)).to_contain_text("Only the neighbourhood of gelu_1")
    expect(strip(gpt)).to_contain_text("1 step")
    expect(gpt).to_have_url(re.compile(r"i=near:export\.0:gelu_1:1"))
    box(gpt).fill("name:embedding")
    box(gpt).press("Enter")
    expect(gpt.locator("#toast")).to_contain_text("embedding: not among what is drawn")
    box(gpt).fill("name:gelu_1")
    box(gpt).press("Enter")
    box(gpt).press("Escape")
    gpt.keyboard.press("i")
    expect(strip(gpt)).to_contain_text("2 steps")
    gpt.keyboard.press("w")
    expect(strip(gpt)).to_be_hidden()
    gpt.go_back()
    expect(strip(gpt)).to_contain_text("neighbourhood of gelu_1")


def test_a_phone_has_room_for_the_list(visit: Visit, captured: Captured) -> None:
    page = visit(
        f"/c/{captured('04_gpt')}#v1?p=export.0", viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True
    )
    box(page).tap()
    box(page).fill("layer_norm -> linear -> gelu")
    expect(rows(page)).to_have_count(4)
    for shape in (rows(page).first.bounding_box(), page.locator(".search-actions").bounding_box()):
        assert shape is not None
        assert shape["x"] >= 0
        assert shape["x"] + shape["width"] <= 390
    assert (rows(page).first.bounding_box() or {})["height"] >= 30
    rows(page).nth(1).tap()
    expect(heading(page)).to_have_text("3 nodes selected")


# --------------------------------------------------------------------------------------------------- outline and keys


def test_the_outline_opens_and_closes_with_the_drawing(gpt: Page) -> None:
    gpt.get_by_role("tab", name="Outline").click()
    said = gpt.locator(".outline-said")
    expect(said).to_have_text(re.compile(r"^export\.0: 136 nodes; (\d+) of \1 groups open\.$"))
    gpt.get_by_role("button", name="Close all groups").click()
    expect(said).to_have_text(re.compile(r"; 0 of \d+ groups open\.$"))
    token = gpt.get_by_role("treeitem", name=re.compile("^token ?, Embedding"))
    expect(token).to_have_attribute("aria-expanded", "false")
    token.locator(".chevron").click()
    expect(token).to_have_attribute("aria-expanded", "true")
    expect(said).to_have_text(re.compile(r"; 1 of \d+ groups open\.$"))
    expect(gpt).to_have_url(re.compile(r"o=token(&|$)"))
    embedding = gpt.get_by_role("treeitem", name=re.compile("^embedding ?, "))
    expect(embedding).to_have_attribute("aria-level", "2")
    expect(embedding).to_have_accessible_name(re.compile(r"reads p_head_weight, slice_1; read by add; in token\.$"))
    gpt.get_by_role("button", name="Close all groups").click()
    expect(token).to_have_attribute("aria-expanded", "false")


def test_the_outline_is_of_what_alone_is_drawn(gpt: Page) -> None:
    gpt.get_by_role("tab", name="Outline").click()
    box(gpt).fill("name:embedding")
    box(gpt).press("Enter")
    box(gpt).press("Escape")
    gpt.keyboard.press("i")
    expect(gpt.locator(".outline-said")).to_contain_text("the neighbourhood of embedding, 5 nodes")
    expect(gpt.get_by_role("treeitem")).to_have_count(6)
    chosen = gpt.get_by_role("treeitem", selected=True)
    expect(chosen).to_have_accessible_name(re.compile("^embedding ?, .* Found\\.$"))
    expect(gpt.get_by_role("tree")).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")


def test_the_outline_of_a_mirror_has_both_halves_which_open_together(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=mirror.0&x=*&t=modules")
    ahead = page.get_by_role("treeitem", name=re.compile("^token ?, Embedding"))
    back = page.get_by_role("treeitem", name=re.compile("^backward token ?, Embedding"))
    expect(ahead).to_have_attribute("aria-expanded", "false", timeout=20_000)
    expect(back).to_have_attribute("aria-expanded", "false")
    ahead.locator(".chevron").click()
    expect(ahead).to_have_attribute("aria-expanded", "true")
    expect(back).to_have_attribute("aria-expanded", "true")
    expect(page).to_have_url(re.compile("o=token(&|$)"))
    back.locator(".outline-line").click()
    expect(heading(page)).to_have_text("token")
    expect(page).to_have_url(re.compile(r"s=backward\.0:&g=token"))


def test_the_outline_holds_thousands_of_rows(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=eager.0&o=*&t=modules&u=")
    tree = page.get_by_role("tree")
    expect(tree).to_be_visible()
    assert page.get_by_role("treeitem").count() < 100
    tree.focus()
    page.keyboard.press("End")
    last = page.locator(f"#{tree.get_attribute('aria-activedescendant')}")
    expect(last).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Home")
    expect(page.locator("#outline-0")).to_be_in_viewport()


def test_f6_goes_around_the_page(gpt: Page) -> None:
    gpt.locator(".graph-canvas").focus()
    seen = []
    for _ in range(7):
        gpt.keyboard.press("F6")
        seen.append(gpt.evaluate("document.activeElement.closest('header, nav, section[id], main, aside').id"))
        if seen[-1] == "panes":
            break
    assert seen == ["details", "drawer", "header", "rail", "side", "panes"]
    expect(gpt.locator(".graph-canvas")).to_be_focused()
    gpt.keyboard.press("Shift+F6")
    assert gpt.evaluate("document.activeElement.closest('section').id") == "side"
    box(gpt).focus()
    gpt.keyboard.press("F6")
    expect(box(gpt)).not_to_be_focused()


def test_the_help_lists_keys_and_searches_and_can_turn_letters_off(gpt: Page) -> None:
    gpt.keyboard.press("?")
    dialog = gpt.get_by_role("dialog")
    for words in ("On the drawing", "Backspace", "F6", "layer_norm -> linear", "dtype:bf16", "shape:[8, *, 64]"):
        expect(dialog).to_contain_text(words)
    dialog.get_by_label("Keys of one character work outside the drawing").uncheck()
    dialog.get_by_role("button", name="Close").click()
    gpt.keyboard.press("5")
    gpt.keyboard.press("/")
    expect(box(gpt)).not_to_be_focused()
    expect(gpt.get_by_role("region", name="Graph export.0")).to_be_visible()
    gpt.keyboard.press("F6")
    gpt.reload()
    expect(gpt.locator(".graph-canvas")).to_be_visible()
    gpt.keyboard.press("?")
    expect(dialog).to_be_hidden()
    gpt.get_by_role("button", name=re.compile("help|Keys", re.IGNORECASE)).first.click()
    expect(dialog.get_by_label("Keys of one character work outside the drawing")).not_to_be_checked()


def test_a_group_that_opens_is_said(gpt: Page) -> None:
    gpt.get_by_role("button", name="Close all groups").click()
    gpt.locator(".graph-canvas").focus()
    box(gpt).fill("name:embedding")
    box(gpt).press("Enter")
    box(gpt).press("Escape")
    gpt.keyboard.press("Backspace")
    expect(heading(gpt)).to_have_text("token")
    gpt.keyboard.press("Enter")
    expect(gpt.locator("#live")).to_have_text("token closed")
