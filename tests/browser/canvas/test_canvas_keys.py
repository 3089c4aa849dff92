"""The keyboard on the focused canvas."""

from __future__ import annotations

import pytest
from canvaspage import Canvas
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_arrows_walk_along_edges_and_ranks(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.focus("canvas")
    names = canvas.run("() => harness.names()")

    def walk(key: str) -> str:
        canvas.page.keyboard.press(key)
        ((_, nodes, _),) = canvas.calls("select")
        return str(names[nodes[0]])

    assert walk("ArrowDown") == "x_0"
    assert walk("ArrowDown") == "conv2d_3"
    assert walk("ArrowDown") == "relu_4"
    assert walk("ArrowDown") == "sym_size_5"
    assert walk("ArrowDown") == "view_6"
    assert walk("ArrowDown") == "any_7"
    assert walk("ArrowRight") == "dropout_9"
    assert walk("ArrowLeft") == "any_7"
    assert walk("ArrowUp") == "view_6"
    assert walk("ArrowUp") == "relu_4"


def test_back_the_way_one_came_and_to_other_ends_of_edges(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.focus("canvas")
    said = canvas.page.locator(".graph-live")
    canvas.click("view_6")
    canvas.calls("select")

    def press(key: str) -> str:
        canvas.page.keyboard.press(key)
        return (said.text_content() or "").split(",")[0]

    assert press("ArrowDown") == "any_7"
    assert press("]") == "cond_8"
    expect(said).to_contain_text("2 of 3 that read view_6")
    assert press("]") == "dropout_9"
    assert press("]") == "any_7", "around the end"
    assert press("[") == "dropout_9"
    assert press("ArrowUp") == "view_6"
    assert press("]") == "view_6"
    expect(said).to_contain_text("no other end to turn to")


def test_home_end_and_out_of_a_group(canvas: Canvas) -> None:
    canvas.show(10, expanded=True)
    canvas.page.focus("canvas")
    canvas.page.keyboard.press("End")
    names = canvas.run("() => harness.names()")
    last = canvas.calls("select")[-1][1][0]
    assert last == len(names) - 1
    canvas.page.keyboard.press("Home")
    assert canvas.calls("select")[-1][1] == [0]
    canvas.click("layer_norm_2")
    canvas.calls("group")
    canvas.page.keyboard.press("Backspace")
    ((_, group),) = canvas.calls("group")
    assert canvas.group(group) == "h.0"


def test_c_goes_through_what_is_folded_into_a_node(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.focus("canvas")
    canvas.click("conv2d_3")
    canvas.calls("select")
    canvas.page.keyboard.press("c")
    canvas.page.keyboard.press("c")
    canvas.page.keyboard.press("c")
    chosen = [canvas.run("() => harness.names()")[nodes[0]] for _, nodes, _ in canvas.calls("select")]
    assert chosen == ["p_conv_weight", "p_conv_bias", "p_conv_weight"]
    canvas.page.keyboard.press("ArrowDown")
    assert canvas.calls("select")[-1][1] == [canvas.index("relu_4")], "one is still at the node"


def test_c_leads_to_every_body_of_a_higher_order_op(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.focus("canvas")
    canvas.click("cond_8")
    said = canvas.page.locator(".graph-live")
    canvas.calls("body")
    canvas.page.keyboard.press("c")
    expect(said).to_contain_text("Enter goes into true_graph_0. 1 of 2 in it.")
    canvas.page.keyboard.press("c")
    expect(said).to_contain_text("Enter goes into false_graph_0")
    expect(canvas.page.get_by_role("tooltip")).to_have_text("Enter goes into false_graph_0")
    canvas.page.keyboard.press("Enter")
    assert canvas.calls("body") == [["body", "export.0/false_graph_0"]]
    canvas.page.keyboard.press("ArrowUp")
    canvas.page.keyboard.press("ArrowDown")
    expect(canvas.page.get_by_role("tooltip")).to_be_hidden()


def test_page_keys_scroll_by_windows(canvas: Canvas) -> None:
    canvas.show(30, expanded=True)
    canvas.page.focus("canvas")
    before = canvas.camera()
    canvas.page.keyboard.press("PageDown")
    after = canvas.camera()
    assert after["y"] > before["y"]
    canvas.page.keyboard.press("PageUp")
    assert canvas.camera()["y"] == pytest.approx(before["y"], abs=1)


def test_walking_says_where_one_is(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.focus("canvas")
    canvas.page.keyboard.press("ArrowDown")
    canvas.page.keyboard.press("ArrowDown")
    said = canvas.page.text_content(".graph-live")
    assert said == "conv2d_3, conv conv2d; f32[s0, 16, 30, 30]; reads x_0, p_conv_weight, p_conv_bias; read by relu_4."
    canvas.page.keyboard.press("ArrowLeft")
    assert canvas.calls("select")[-1][1] == [canvas.index("conv2d_3")], "there is nothing to the left"


def test_enter_opens_a_group_and_enters_a_body(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.page.focus("canvas")
    canvas.page.keyboard.press("ArrowDown")
    canvas.page.keyboard.press("ArrowDown")
    ((_, group),) = canvas.calls("group")
    assert canvas.group(group) == "h.0"
    canvas.page.keyboard.press("Enter")
    assert canvas.calls("toggle") == [["toggle", group]]
    canvas.page.keyboard.press("ArrowDown")
    assert canvas.calls("select")[-1][1] == [canvas.index("layer_norm_2")], "down from an open group goes into it"
    canvas.show("small")
    canvas.click("cond_8")
    canvas.page.keyboard.press("Enter")
    assert canvas.calls("body") == [["body", "export.0/true_graph_0"]]


def test_plus_minus_f_and_escape(canvas: Canvas) -> None:
    canvas.show(10, expanded=True)
    canvas.page.focus("canvas")
    k = canvas.camera()["k"]
    canvas.page.keyboard.press("+")
    assert canvas.camera()["k"] == pytest.approx(1.25 * k)
    canvas.page.keyboard.press("-")
    assert canvas.camera()["k"] == pytest.approx(k)
    canvas.page.keyboard.press("f")
    canvas.settle()
    assert canvas.camera() == canvas.run("() => harness.fitted()")
    canvas.run("() => void document.addEventListener('keydown', (e) => (window.kept = [e.key, e.defaultPrevented]))")
    canvas.page.keyboard.press("Escape")
    assert canvas.run("() => window.kept") == ["Escape", False]  # the page's: it ends what was begun last
    canvas.page.keyboard.press("f")
    assert canvas.run("() => window.kept") == ["f", True]


def test_the_canvas_can_be_reached_by_tab_and_says_what_it_is(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.keyboard.press("Tab")
    assert canvas.run("() => document.activeElement.tagName") == "CANVAS"
    element = canvas.page.locator(".graph-canvas")
    assert element.get_attribute("role") == "application"
    assert "12 nodes" in (element.get_attribute("aria-label") or "")
    border = canvas.run("() => getComputedStyle(document.getElementById('host'), '::after').borderTopWidth")
    assert border == "2px"
