"""The keyboard on the focused canvas."""

from __future__ import annotations

import pytest
from canvaspage import Canvas

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
    canvas.page.keyboard.press("Escape")
    assert canvas.calls("select") == [["select", [], {"add": False}]]


def test_the_canvas_can_be_reached_by_tab_and_says_what_it_is(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.keyboard.press("Tab")
    assert canvas.run("() => document.activeElement.tagName") == "CANVAS"
    element = canvas.page.locator("canvas")
    assert element.get_attribute("role") == "application"
    assert "12 nodes" in (element.get_attribute("aria-label") or "")
    border = canvas.run("() => getComputedStyle(document.getElementById('host'), '::after').borderTopWidth")
    assert border == "2px"
