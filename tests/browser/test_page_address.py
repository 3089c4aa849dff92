"""The address holds the whole view: a second person sees the same, and Back goes back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import let_pass, settled

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]


def hash_of(page: Page) -> str:
    return str(page.evaluate("location.hash"))


def make_a_view(page: Page) -> str:
    """Two panes, one with its camera moved and its groups closed, a selection, panels, a search."""
    page.keyboard.press("6")
    page.get_by_role("button", name="Show a second graph beside this one").click()
    expect(page.locator(".graph-canvas")).to_have_count(2)
    first = page.get_by_role("region", name="Graph forward.0")
    first.get_by_title("More").click()
    first.get_by_role("button", name="Close all groups").click()
    let_pass(page, 300)
    box = first.locator(".graph-canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.wheel(0, -240)
    page.get_by_role("tab", name="Text").click()
    page.locator(".text-line", has_text="addmm").first.click()
    page.get_by_role("tab", name="Guards").click()
    page.get_by_role("combobox", name=re.compile("^Search")).fill("mm")
    page.keyboard.press("Tab")
    return settled(page)


@pytest.mark.parametrize("size", [(1400, 900), (1100, 700)])
def test_a_link_shows_the_same_in_another_browser(visit: Visit, captured: Captured, size: tuple[int, int]) -> None:
    path = f"/c/{captured('04_gpt')}"
    first = visit(path)
    expect(first.locator(".graph-canvas")).to_be_visible()
    link = make_a_view(first)
    assert len(re.findall(r"[?&]p=", link)) == 2, link
    assert re.search(r"&c=", link), link
    assert "&d=guards" in link and "&q=mm" in link and "&t=text" in link, link

    second = visit(path + link, viewport={"width": size[0], "height": size[1]})
    expect(second.locator(".graph-canvas")).to_have_count(2)
    expect(second.get_by_role("complementary").get_by_role("heading", level=2)).to_have_text(re.compile("addmm"))
    expect(second.get_by_role("combobox", name=re.compile("^Search"))).to_have_value("mm")
    expect(second.get_by_role("tab", name="Guards")).to_have_attribute("aria-selected", "true")
    expect(second.locator(".text-line.lit")).to_have_count(1)
    assert settled(second) == link


def test_back_and_forward_go_through_graphs_and_selections(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.locator("#side").get_by_role("tab", name="Operators").click()
    page.locator(".op-name").first.click()
    expect(page).to_have_url(re.compile("s=export.0"))
    page.keyboard.press("5")
    expect(page.get_by_role("region", name="Graph joint.0")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("region", name="Graph export.0")).to_be_visible()
    expect(page).to_have_url(re.compile("s=export.0"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("s=export.0"))
    expect(page.get_by_role("complementary").get_by_role("heading", level=2)).to_have_text("Export")
    page.go_forward()
    page.go_forward()
    expect(page.get_by_role("region", name="Graph joint.0")).to_be_visible()


def test_panning_leaves_no_history(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    let_pass(page, 300)
    before = page.evaluate("history.length")
    box = page.locator(".graph-canvas").bounding_box()
    assert box is not None
    for _ in range(3):
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(box["x"] + 240, box["y"] + 160, steps=4)
        page.mouse.up()
        let_pass(page, 400)
    assert "&c=" in settled(page)
    assert page.evaluate("history.length") == before


def test_a_link_into_what_is_not_there_falls_back(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=t9.export.0&s=export.0:gone&d=nothing&t=nowhere&zz=1")
    expect(page.locator(".graph-canvas")).to_be_visible()
    expect(page.get_by_role("complementary")).to_contain_text("has no node called gone")


def test_a_link_of_a_newer_version_opens_the_default_view(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v99?whatever")
    expect(page.get_by_role("region", name="Graph export.0")).to_be_visible()


def test_copy_link_copies_the_present_view(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}", permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.keyboard.press("6")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".top-copy")).to_contain_text("Copied")
    assert "p=forward.0" in page.evaluate("navigator.clipboard.readText()")


def test_a_link_with_a_selection_shows_its_line(visit: Visit, captured: Captured) -> None:
    page = visit(
        f"/c/{captured('04_gpt')}#v1?p=export.0&s=export.0:cross_entropy_loss", viewport={"width": 1400, "height": 500}
    )
    line = page.locator(".code-place .lit")
    expect(line).to_contain_text("cross_entropy")
    expect(line).to_be_in_viewport()


def test_everything_open_makes_a_short_link(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=joint.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.get_by_role("button", name="Close all groups").click()
    link = settled(page)
    assert "x=*" in link and len(link) < 60, link
    page.get_by_role("button", name="Open all groups").click()
    assert len(settled(page)) < len(link) + 20, hash_of(page)
    assert "o=*" in hash_of(page)
    page.reload()
    expect(page.locator(".graph-canvas")).to_be_visible()
    assert "o=*" in settled(page)
