"""The page by keyboard alone: no part of it traps or loses the focus."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]
SLOW = "import time\ntime.sleep(60)\n"


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Python code")


def press(button: Locator) -> None:
    button.focus()
    button.press("Enter")


def test_tab_passes_by_the_editor_and_changes_nothing(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator(".code-editor")).to_be_visible()
    before = editor(page).inner_text()
    page.locator("#folder").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".code-editor")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".code-editor")).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#folder")).to_be_focused()
    assert editor(page).inner_text() == before


def test_escape_then_tab_leaves_the_editor_which_says_so(visit: Visit) -> None:
    page = visit("/")
    editor(page).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("x = 1")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    expect(editor(page)).to_have_text("    x = 1")
    expect(editor(page)).to_have_attribute("aria-description", re.compile("Esc, then Tab"))
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(".code-editor")).not_to_be_focused()
    expect(editor(page)).to_have_text("    x = 1")


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_a_field_at_fault_and_what_is_wrong_with_it_lie_above_the_foot(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/", viewport={"width": size[0], "height": size[1]}, expect="status of 400")
    field = page.get_by_label("Inputs", exact=True)
    field.focus()
    page.keyboard.insert_text("x: f32[2, 3]\ny: [f32[4")
    page.keyboard.press("Control+Enter")
    said = page.locator("#inputs-error")
    expect(said).to_contain_text("Line 2, column 4")
    expect(said.locator("code").first).to_be_visible()  # the hint's own examples, not its backticks
    foot = page.locator(".form-foot").bounding_box()
    box, words = field.bounding_box(), said.bounding_box()
    assert foot and box and words
    assert box["y"] >= 0
    assert words["y"] + words["height"] <= foot["y"]
    expect(field).to_be_focused()


def test_removing_files_keeps_the_focus_and_the_choice(visit: Visit, tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("x = 1\n")
    page = visit("/")
    page.locator("#file").set_input_files([tmp_path / name for name in ("a.py", "b.py", "c.py")])
    page.get_by_label("File to capture").select_option("c.py")
    press(page.get_by_role("button", name="Remove a.py"))
    expect(page.get_by_role("button", name="Remove b.py")).to_be_focused()
    expect(page.get_by_label("File to capture")).to_have_value("c.py")
    press(page.get_by_role("button", name="Remove all"))
    expect(page.locator("#file")).to_be_focused()


def test_cancel_keep_and_delete_leave_the_focus_beside_them(visit: Visit) -> None:
    page = visit("/")
    editor(page).focus()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SLOW)
    page.keyboard.press("Control+Enter")
    press(page.get_by_role("button", name="Cancel"))
    delete = page.get_by_role("button", name="Delete this capture")
    expect(delete).to_be_focused(timeout=60_000)
    delete.press("Enter")
    press(page.get_by_role("button", name="Keep"))
    expect(delete).to_be_focused()
    press(page.get_by_role("link", name="New"))
    row = page.get_by_role("button", name="Delete model.py")
    press(row)
    press(page.get_by_role("button", name="Keep"))
    expect(row).to_be_focused()
    row.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#recent")).to_be_focused()


def test_what_a_key_did_away_with_leaves_the_focus_near(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=dynamo.0", viewport={"width": 1600, "height": 900})
    line = page.get_by_role("region", name="Fragments of this stage")
    press(line.get_by_role("button", name="Fragment 3"))
    expect(line.get_by_role("button", name="Fragment 3")).to_be_focused()
    press(page.get_by_role("button", name="Fold this side away"))
    expect(page.get_by_role("tab", name="Source")).to_be_focused()
    page.get_by_role("tab", name="Guards").press("Enter")
    press(page.get_by_role("button", name="Close the drawer"))
    expect(page.get_by_role("tab", name="Guards")).to_be_focused()
    press(page.get_by_role("button", name="Show a second graph"))
    expect(page.locator(".pane").nth(1).locator(":focus")).to_have_count(1)
    press(page.locator(".pane").nth(1).get_by_role("button", name="Close this pane"))
    expect(page.locator(".pane :focus")).to_have_count(1)
    details = page.get_by_role("complementary", name="Details of the selection")
    press(details.locator("button.node-row").first)
    expect(details).to_be_focused()


def test_escape_on_the_drawing_ends_the_selection_then_the_trace_then_the_drawer(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=forward.0&s=forward.0:addmm_1&h=ancestors:forward.0:addmm_1&d=guards")
    strip = page.get_by_role("group", name="What is traced")
    details = page.get_by_role("complementary", name="Details of the selection")
    expect(strip).to_be_visible()
    expect(details.get_by_role("heading", level=2)).to_have_text("addmm_1")
    canvas = page.locator(".graph-canvas")
    canvas.press("Escape")
    expect(details.get_by_role("heading", level=2)).to_have_text("Forward")
    expect(strip).to_be_visible()
    canvas.press("Escape")
    expect(strip).to_be_hidden()
    canvas.press("Escape")
    expect(page.get_by_role("button", name="Close the drawer")).to_be_hidden()


def test_lines_of_second_inputs_stay_lines(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=story", expect="status of 400")
    field = page.get_by_label("Second inputs")
    field.focus()
    low = field.bounding_box()
    page.keyboard.insert_text("x: f32[5]")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("y: f32[")
    high = field.bounding_box()
    assert low and high and high["height"] > low["height"]
    page.keyboard.press("Control+Enter")
    expect(page.locator("#story-second-said")).to_contain_text("line 2, column 4")
    expect(field).to_be_focused()
    expect(field).to_have_value("x: f32[5]\ny: f32[")
