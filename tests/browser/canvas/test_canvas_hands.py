"""What mouse and fingers do on the canvas, and what it reports."""

from __future__ import annotations

import pytest
from canvaspage import Canvas

pytestmark = pytest.mark.browser

ONE_FAR_USER = """
() => {
  const { drawing } = harness.view;
  const { edges } = drawing.scene;
  const far = (item) => drawing.edgesOf(item, "out").filter((edge) => edges.stub[edge]);
  return drawing.nameOf([...drawing.stubbed].find((item) => drawing.isNode(item) && far(item).length === 1));
}
"""


def test_a_click_chooses_the_node_under_it(canvas: Canvas) -> None:
    canvas.show("small")
    for name in ("conv2d_3", "view_6", "output_11"):
        canvas.click(name)
        assert canvas.calls("select") == [["select", [canvas.index(name)], {"add": False}]]


def test_a_click_beside_everything_chooses_nothing(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.mouse.click(20, 20)
    assert canvas.calls("select") == [["select", [], {"add": False}]]


@pytest.mark.parametrize("key", ["Shift", "Control"])
def test_with_shift_or_control_a_click_adds(canvas: Canvas, key: str) -> None:
    canvas.show("small")
    canvas.page.keyboard.down(key)
    canvas.click("relu_4")
    canvas.page.mouse.click(20, 20)
    canvas.page.keyboard.up(key)
    assert canvas.calls("select") == [["select", [canvas.index("relu_4")], {"add": True}]]


def test_a_click_on_a_chip_chooses_the_folded_parameter(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.click("conv2d_3", down=0.6)
    assert canvas.calls("select") == [["select", [canvas.index("p_conv_weight")], {"add": False}]]


def test_the_chip_of_a_body_leads_into_it(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.click("cond_8", down=0.6)
    canvas.click("cond_8", down=0.85)
    assert canvas.calls("body", "select") == [["body", "export.0/true_graph_0"], ["body", "export.0/false_graph_0"]]


def test_a_double_click_on_a_higher_order_op_enters_its_first_body(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.mouse.dblclick(*canvas.point("cond_8"))
    assert canvas.calls("body") == [["body", "export.0/true_graph_0"]]


def test_a_double_click_opens_a_closed_group_and_closes_an_open_one(canvas: Canvas) -> None:
    closed = canvas.show(30)["items"]
    canvas.centre("h.2")
    canvas.page.mouse.dblclick(*canvas.point("h.2"))
    (call,) = canvas.calls("toggle")
    assert canvas.group(call[1]) == "h.2"
    canvas.settle()
    assert canvas.items() > closed
    box = canvas.where("h.2")
    canvas.page.mouse.dblclick(box["x"] + 60, box["y"] + 14)
    assert canvas.calls("toggle") == [call]
    assert canvas.items() == closed


def test_the_button_toggles_at_the_first_click_only_and_stays_under_the_pointer(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.centre("h.2")
    box = canvas.where("h.2")
    at = box["x"] + 15, box["y"] + 14
    canvas.page.mouse.dblclick(*at)
    assert len(canvas.calls("toggle")) == 1
    now = canvas.where("h.2")
    assert (now["x"], now["y"]) == (pytest.approx(box["x"], abs=0.5), pytest.approx(box["y"], abs=0.5))
    assert now["h"] > box["h"]
    canvas.page.wait_for_timeout(600)  # so that the next click is no third one
    canvas.page.mouse.click(*at)
    assert len(canvas.calls("toggle")) == 1
    assert canvas.where("h.2")["h"] == pytest.approx(box["h"])


def test_a_click_on_a_group_chooses_the_group(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.centre("h.2")
    canvas.click("h.2")
    (call,) = canvas.calls("group")
    assert canvas.group(call[1]) == "h.2"
    assert canvas.run("() => harness.view.marked.group") == call[1]


def test_the_title_of_a_tall_group_stays_on_the_screen_and_works(canvas: Canvas) -> None:
    canvas.show(1, expanded=True)
    canvas.centre(canvas.first("softmax"))
    box = canvas.where("h.0")
    assert box["y"] < 0
    at = max(box["x"], 0) + 15, 14
    canvas.page.mouse.click(*at)
    (call,) = canvas.calls("toggle")
    assert canvas.group(call[1]) == "h.0"
    now = canvas.where("h.0")
    assert now["x"] < at[0] < now["x"] + 30 and now["y"] < at[1] < now["y"] + 30, "its button is where it was clicked"


def test_the_label_of_a_far_edge_leads_to_its_other_end(canvas: Canvas) -> None:
    canvas.show(1, expanded=True, longest=300)
    name = canvas.run(ONE_FAR_USER)
    canvas.centre(name)
    box = canvas.where(name)
    canvas.page.mouse.click(box["x"] + box["w"] / 2, box["y"] + box["h"] + 21)
    (call,) = canvas.calls("select")
    assert call[1] != [canvas.index(name)]
    assert canvas.fits(canvas.where(canvas.names()[call[1][0]]))


def test_hovering_reports_the_node_and_shows_a_tip_after_a_moment(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.page.mouse.move(*canvas.point("conv2d_3"))
    assert canvas.calls("hover") == [["hover", canvas.index("conv2d_3")]]
    tip = canvas.page.locator(".graph-tooltip")
    tip.wait_for(state="visible")
    assert tip.locator("div").all_text_contents() == ["conv2d_3", "f32[s0, 16, 30, 30]", "conv · aten.conv2d.default"]
    canvas.page.mouse.move(20, 20)
    assert canvas.calls("hover") == [["hover", -1]]
    assert tip.is_hidden()


def test_an_edge_says_what_flows_through_it(canvas: Canvas) -> None:
    canvas.show("small")
    top, bottom = canvas.where("conv2d_3"), canvas.where("relu_4")
    canvas.page.mouse.move(top["x"] + top["w"] / 2 + 2, (top["y"] + top["h"] + bottom["y"]) / 2)
    tip = canvas.page.locator(".graph-tooltip")
    tip.wait_for(state="visible")
    assert tip.locator("div").all_text_contents() == ["conv2d_3 → relu_4", "f32[s0, 16, 30, 30]", "argument 0 of relu_4"]
