"""What is drawn, when, and as SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from canvaspage import Canvas, OpenCanvas

pytestmark = pytest.mark.browser


def test_it_is_drawn_at_the_devices_resolution(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(device_scale_factor=2)
    canvas.show("small")
    assert canvas.run("() => [document.querySelector('canvas').width, document.querySelector('canvas').height]") == [
        2400,
        1600,
    ]
    canvas.click("view_6")
    assert canvas.calls("select") == [["select", [canvas.index("view_6")], {"add": False}]]


def test_a_slow_machine_draws_coarsely_while_moving_and_sharply_at_rest(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(device_scale_factor=2)
    canvas.show("small")
    canvas.run("() => { harness.view.port.frames.slow = true; }")
    canvas.page.mouse.move(600, 400)
    canvas.page.mouse.wheel(0, -50)
    canvas.page.wait_for_function("() => document.querySelector('canvas').width === 1200")
    canvas.page.wait_for_function("() => document.querySelector('canvas').width === 2400")


def test_nothing_is_drawn_while_nothing_changes(canvas: Canvas) -> None:
    canvas.show(10)
    canvas.page.wait_for_timeout(300)
    canvas.run(
        """() => {
          const { frames } = harness.view.port;
          const { draw } = frames;
          window.drawn = 0;
          frames.draw = (coarse) => { window.drawn += 1; draw(coarse); };
        }"""
    )
    canvas.page.wait_for_timeout(300)
    assert canvas.run("() => window.drawn") == 0
    canvas.run("() => { for (let i = 0; i < 9; i++) harness.view.setHighlights([]); }")
    canvas.settle()
    assert canvas.run("() => window.drawn") == 1


def test_the_theme_changes_with_the_page(canvas: Canvas) -> None:
    canvas.show("small")
    light = canvas.colour("surface")
    assert canvas.pixels(light, 0) > 500_000
    canvas.run("() => { document.documentElement.dataset.theme = 'dark'; window.dispatchEvent(new Event('themechange')); }")
    canvas.settle()
    dark = canvas.colour("surface")
    assert dark != light
    assert canvas.pixels(dark, 0) > 500_000
    assert canvas.pixels(light, 0) == 0


def test_the_edges_of_what_is_selected_stand_out_in_two_colours(canvas: Canvas) -> None:
    canvas.show("small")
    tones = canvas.colour("edge-in"), canvas.colour("edge-out"), canvas.colour("accent")
    before = [canvas.pixels(tone) for tone in tones]
    canvas.run("(node) => harness.view.setSelection([node])", canvas.index("view_6"))
    canvas.settle()
    after = [canvas.pixels(tone) for tone in tones]
    assert all(now > was + 100 for now, was in zip(after, before, strict=True))
    canvas.run("() => harness.view.setSelection([])")
    canvas.settle()
    assert [canvas.pixels(tone) for tone in tones] == before


@pytest.mark.parametrize(("style", "colour"), [("exact", "accent"), ("line", "accent"), ("search", "search-fill")])
def test_highlights_are_seen_near_and_from_afar(canvas: Canvas, style: str, colour: str) -> None:
    canvas.show(30, expanded=True)
    tone = canvas.colour(colour)
    for k in (1, 0.05):
        canvas.run("(k) => { harness.view.setHighlights([]); harness.view.setCamera({ x: 300, y: 200, k }); }", k)
        canvas.settle()
        before = canvas.pixels(tone)
        canvas.run(
            "([node, style]) => harness.view.setHighlights([{ nodes: [node], style }])",
            [canvas.index("layer_norm_2"), style],
        )
        canvas.settle()
        assert canvas.pixels(tone) > before + 40, k


def test_a_node_inside_a_closed_group_marks_the_group(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.centre("h.0")
    tone = canvas.colour("accent")
    before = canvas.pixels(tone)
    canvas.run("(node) => harness.view.setSelection([node])", canvas.index("layer_norm_2"))
    canvas.settle()
    assert canvas.pixels(tone) > before + 300


def test_selection_is_of_one_graph_and_survives_a_new_layout_of_it(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.centre("h.0")
    canvas.run("(node) => harness.view.setSelection([node])", canvas.index("x_0"))
    canvas.page.mouse.dblclick(*canvas.point("h.0"))
    canvas.run("() => harness.view.setSelection([0])")
    assert canvas.run(
        "() => [...harness.view.marked.selected.items.keys()].map((item) => harness.view.drawing.nameOf(item))"
    ) == ["x_0"]
    canvas.show("small")
    assert canvas.run("() => harness.view.marked.nodes") == []


def test_the_canvas_follows_its_host(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.run("() => { document.getElementById('host').style.width = '500px'; }")
    canvas.page.wait_for_function("() => document.querySelector('canvas').width === 500")
    canvas.page.mouse.click(10, 10)
    assert len(canvas.calls("select")) == 1


def test_a_graph_set_while_the_pane_is_hidden_gets_its_first_look_when_it_appears(canvas: Canvas) -> None:
    canvas.run("() => { document.getElementById('host').style.display = 'none'; }")
    canvas.settle()
    canvas.show(30, expanded=True)
    canvas.run("() => { document.getElementById('host').style.display = ''; }")
    canvas.page.wait_for_function("() => !harness.view.port.unplaced")
    assert 0 < canvas.where("x_0")["y"] < 60


def test_ten_thousand_nodes_are_drawn_open(canvas: Canvas) -> None:
    made = canvas.show(345, expanded=True, column=20_000)
    assert made["nodes"] > 10_000
    canvas.run("() => harness.view.fit()")
    canvas.settle()
    ground = canvas.pixels(canvas.colour("surface"), 0)
    assert ground < 700_000, "the graph covers a good part of the canvas"
    x, y = canvas.point("h.5")
    canvas.page.mouse.click(x, y)
    assert canvas.calls("group", "select") != []


def test_destroy_leaves_the_host_as_it_was(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.run("() => { harness.view.setHighlights([]); harness.view.fit(); harness.view.destroy(); }")
    canvas.settle()
    assert canvas.run(
        "() => [document.getElementById('host').children.length, document.getElementById('host').className]"
    ) == [0, ""]


SVG = "{http://www.w3.org/2000/svg}"


def test_svg_holds_every_text_of_the_graph(canvas: Canvas) -> None:
    canvas.show(2, expanded=True)
    root = ET.fromstring(canvas.run("() => harness.view.toSVG()"))
    assert root.tag == f"{SVG}svg"
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("linear") == 12
    assert texts.count("weight f32[768, 768]") == 12
    assert {"h.0", "h.1", "attn", "f32[8, 12, 128, 128]", "output"} <= set(texts)
    assert len(list(root.iter(f"{SVG}path"))) > 100


def test_svg_escapes_what_a_stranger_wrote(canvas: Canvas) -> None:
    canvas.show("small")
    evil = '<script>alert("x")</script>&\u0001'
    canvas.run("(text) => { harness.view.drawing.model.strings[0] = text; harness.view.drawing.texts.length = 0; }", evil)
    text = canvas.run("() => harness.view.toSVG()")
    assert "<script" not in text
    found = [element.text for element in ET.fromstring(text).iter(f"{SVG}text")]
    assert any(re.match(r"<script>alert\(", each or "") for each in found)
