"""The map in the corner of the canvas."""

from __future__ import annotations

import pytest
from canvaspage import Canvas, OpenCanvas
from playwright.sync_api import FloatRect, Locator

pytestmark = pytest.mark.browser

COLOURS = """
() => {
  const canvas = document.querySelector(".graph-map > canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const hex = "#" + [0, 1, 2].map((i) => data[at + i].toString(16).padStart(2, "0")).join("");
    if (data[at + 3] === 255) seen.set(hex, (seen.get(hex) ?? 0) + 1);
  }
  return Object.fromEntries(seen);
}
"""


def map_of(canvas: Canvas) -> Locator:
    return canvas.page.locator(".graph-map")


def box_of(found: Locator) -> FloatRect:
    box = found.bounding_box()
    assert box is not None
    return box


def show_large(canvas: Canvas) -> None:
    """A graph that is larger than the canvas, and its map."""
    canvas.show(30, expanded=True, column=9000)
    canvas.page.wait_for_function(f"() => Object.keys(({COLOURS})()).length > 3", timeout=60_000)


def test_the_map_shows_all_of_the_graph_and_what_is_seen_of_it(canvas: Canvas) -> None:
    show_large(canvas)
    whole, frame = box_of(map_of(canvas)), box_of(map_of(canvas).locator(".graph-map-frame"))
    assert whole["x"] + whole["width"] <= 1200
    assert whole["height"] <= 800 * 0.4 + 2
    assert frame["y"] < whole["y"] + 20, "the first look is at the top"
    assert frame["height"] < whole["height"] / 3
    canvas.run("() => harness.view.port.pan(0, -9000)")
    canvas.settle()
    assert box_of(map_of(canvas).locator(".graph-map-frame"))["y"] > frame["y"] + 20


def test_there_is_no_map_of_what_is_all_in_sight_or_where_it_is_not_wanted(canvas: Canvas) -> None:
    show_large(canvas)
    canvas.run("() => harness.view.setMap(false)")
    assert map_of(canvas).is_hidden()
    canvas.run("() => harness.view.setMap(true)")
    assert map_of(canvas).is_visible()
    canvas.run("() => harness.view.fit()")
    canvas.settle()
    assert map_of(canvas).is_hidden()


def test_a_press_on_the_map_goes_there(canvas: Canvas) -> None:
    show_large(canvas)
    box = box_of(map_of(canvas))
    canvas.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    canvas.settle()
    at = canvas.camera()
    height = canvas.run("() => harness.view.port.rect.h")
    assert at["y"] > height * 0.9
    assert canvas.calls("select", "group") == [], "the graph below was not clicked"


def test_the_frame_is_dragged_from_where_it_is_taken(canvas: Canvas) -> None:
    show_large(canvas)
    before = canvas.camera()
    frame = box_of(map_of(canvas).locator(".graph-map-frame"))
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] - 3
    canvas.page.mouse.move(x, y)
    canvas.page.mouse.down()
    canvas.settle()
    assert canvas.camera() == before, "taking it moves nothing"
    canvas.page.mouse.move(x, y + 100, steps=5)
    canvas.page.mouse.up()
    canvas.settle()
    after = canvas.camera()
    assert after["k"] == before["k"]
    assert (after["y"] - before["y"]) * canvas.run("() => harness.view.map.place.k.y") == pytest.approx(100, abs=2)
    canvas.page.mouse.move(x, y + 150)
    assert canvas.camera() == after, "it was let go"
    canvas.page.wait_for_function("() => harness.calls.some(([name]) => name === 'camera')")


def test_a_finger_drags_it_too(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(has_touch=True, viewport={"width": 390, "height": 700})
    show_large(canvas)
    box = box_of(map_of(canvas))
    before = canvas.camera()
    canvas.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    canvas.settle()
    assert canvas.camera()["y"] > before["y"] + 1000
    assert canvas.calls("select", "group") == []


def test_what_is_selected_and_found_is_marked_on_the_map(canvas: Canvas) -> None:
    show_large(canvas)
    accent, search = canvas.colour("accent"), canvas.colour("search")
    assert not {accent, search} & set(canvas.run(COLOURS))
    canvas.select("x_0")
    assert canvas.run(COLOURS)[accent] >= 9
    last = canvas.index(canvas.names()[-1])
    canvas.run("(node) => harness.view.setHighlights([{ nodes: [node], style: 'search' }])", last)
    canvas.settle()
    assert canvas.run(COLOURS)[search] >= 9


def test_the_map_follows_the_theme(canvas: Canvas) -> None:
    show_large(canvas)
    light = set(canvas.run(COLOURS))
    canvas.run("() => { document.documentElement.dataset.theme = 'dark'; window.dispatchEvent(new Event('themechange')); }")
    canvas.page.wait_for_function(f"(group) => group in ({COLOURS})()", arg=canvas.colour("group"))
    assert canvas.colour("group") not in light


def test_a_large_graph_has_a_map(canvas: Canvas) -> None:
    canvas.show(345, expanded=True, column=20_000)
    canvas.page.wait_for_function(f"() => Object.keys(({COLOURS})()).length > 3", timeout=60_000)
    assert sum(canvas.run(COLOURS).values()) > 500


def test_the_wheel_over_the_map_zooms_what_is_seen(canvas: Canvas) -> None:
    show_large(canvas)
    before = canvas.camera()
    frame = box_of(map_of(canvas).locator(".graph-map-frame"))
    canvas.page.mouse.move(frame["x"] + 2, frame["y"] + 2)
    canvas.page.mouse.wheel(0, -120)
    canvas.page.wait_for_function("(k) => harness.view.camera().k > k", arg=before["k"])
    after = canvas.camera()
    assert (after["x"], after["y"]) == (pytest.approx(before["x"]), pytest.approx(before["y"]))
    assert box_of(map_of(canvas).locator(".graph-map-frame"))["width"] < frame["width"]
