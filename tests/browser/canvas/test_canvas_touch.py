"""Fingers on the screen and on a trackpad."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest
from canvaspage import Canvas, OpenCanvas

pytestmark = pytest.mark.browser

Touch = Callable[..., None]

WHEEL = """
([x, y, options]) => {
  const event = new WheelEvent("wheel", { clientX: x, clientY: y, bubbles: true, cancelable: true, ...options });
  document.querySelector("canvas").dispatchEvent(event);
  return event.defaultPrevented;
}
"""

PINCH = """
([type, scale]) => {
  const event = Object.assign(new MouseEvent(type, { clientX: 600, clientY: 300, cancelable: true }), { scale });
  document.querySelector("canvas").dispatchEvent(event);
}
"""


def touched(open_canvas: OpenCanvas, **options: object) -> tuple[Canvas, Touch]:
    """A page for fingers, and a hand: `touch("touchStart", (x, y), ...)`."""
    canvas = open_canvas(has_touch=True, **options)
    session = canvas.page.context.new_cdp_session(canvas.page)
    hand = itertools.count(time.time(), 0.03)  # its own clock: a slow machine is no slow hand

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, "timestamp": next(hand)})

    return canvas, touch


def beside(canvas: Canvas) -> tuple[float, float]:
    """A point just left of the graph."""
    left = canvas.run("() => harness.view.port.rect.x")
    now = canvas.camera()
    return round(600 + (left - now["x"]) * now["k"]) - 12, 300


def test_two_fingers_on_a_trackpad_pan(canvas: Canvas) -> None:
    canvas.show(30)
    before = canvas.camera()
    assert canvas.run(WHEEL, [600, 400, {"deltaX": 12, "deltaY": 7.5}])
    after = canvas.camera()
    assert after["k"] == before["k"]
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (
        pytest.approx(12 / after["k"]),
        pytest.approx(7.5 / after["k"]),
    )


def test_a_pinch_on_a_trackpad_zooms_at_the_pointer(canvas: Canvas) -> None:
    canvas.show(30)
    before, k = canvas.world(700, 300), canvas.camera()["k"]
    canvas.run(WHEEL, [700, 300, {"deltaY": -10, "ctrlKey": True}])
    assert canvas.camera()["k"] == pytest.approx(k * 1.105, rel=0.01)
    assert canvas.world(700, 300) == (pytest.approx(before[0]), pytest.approx(before[1]))


def test_safaris_pinch_zooms_too(canvas: Canvas) -> None:
    canvas.show(30)
    before, k = canvas.world(600, 300), canvas.camera()["k"]
    canvas.run(PINCH, ["gesturestart", 1])
    canvas.run(PINCH, ["gesturechange", 1.2])
    canvas.run(PINCH, ["gesturechange", 1.5])
    assert canvas.camera()["k"] == pytest.approx(1.5 * k)
    assert canvas.world(600, 300) == (pytest.approx(before[0]), pytest.approx(before[1]))


def test_a_finger_pans_and_a_tap_chooses(open_canvas: OpenCanvas) -> None:
    canvas, touch = touched(open_canvas)
    canvas.show("small")
    before = canvas.where("relu_4")
    touch("touchStart", (600, 500))
    for step in range(1, 6):
        touch("touchMove", (600 + 10 * step, 500 - 20 * step))
    touch("touchEnd")
    after = canvas.where("relu_4")
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (pytest.approx(50, abs=1), pytest.approx(-100, abs=1))
    assert canvas.calls("select") == []
    canvas.page.wait_for_timeout(300)  # Chrome takes a tap right after a throw for the end of the throw
    canvas.page.touchscreen.tap(*canvas.point("relu_4"))
    canvas.page.wait_for_function("() => harness.calls.some(([name]) => name === 'select')", timeout=60_000)
    assert canvas.calls("select") == [["select", [canvas.index("relu_4")], {"add": False}]]


def test_a_finger_that_rests_asks_what_is_under_it_and_chooses_nothing(open_canvas: OpenCanvas) -> None:
    canvas, touch = touched(open_canvas)
    canvas.show("small")
    tip = canvas.page.locator(".graph-tooltip")
    touch("touchStart", canvas.point("conv2d_3"))
    tip.wait_for(state="visible")
    touch("touchEnd")
    assert tip.is_visible(), "it can be read when the finger is gone"
    assert canvas.calls("select") == []
    touch("touchStart", (30, 600))
    assert tip.is_hidden()
    touch("touchEnd")


def test_a_double_tap_beside_the_graph_zooms_in_and_a_tap_with_two_fingers_out(open_canvas: OpenCanvas) -> None:
    canvas, touch = touched(open_canvas)
    canvas.show("small")
    at = beside(canvas)
    before, k = canvas.world(*at), canvas.camera()["k"]
    for _ in range(2):
        touch("touchStart", at)
        touch("touchEnd")
    canvas.settle()
    assert canvas.camera()["k"] == pytest.approx(2 * k)
    assert canvas.world(*at) == (pytest.approx(before[0], abs=1), pytest.approx(before[1], abs=1))
    canvas.calls()
    touch("touchStart", (500, 300))
    touch("touchStart", (500, 300), (700, 300))
    touch("touchEnd")
    canvas.settle()
    assert canvas.camera()["k"] == pytest.approx(k)
    assert canvas.calls("select", "group", "toggle") == []


def test_a_drag_after_a_tap_zooms_with_one_finger(open_canvas: OpenCanvas) -> None:
    canvas, touch = touched(open_canvas)
    canvas.show("small")
    at = beside(canvas)
    before, k = canvas.world(*at), canvas.camera()["k"]
    touch("touchStart", at)
    touch("touchEnd")
    touch("touchStart", at)
    for step in range(1, 6):
        touch("touchMove", (at[0], at[1] + 20 * step))
    touch("touchEnd")
    assert canvas.camera()["k"] > 1.8 * k
    assert canvas.world(*at) == (pytest.approx(before[0], abs=1), pytest.approx(before[1], abs=1))


THROW = """
async () => {
  const canvas = document.querySelector("canvas");
  const send = (type, y) => canvas.dispatchEvent(
    new PointerEvent(type, { pointerId: 7, pointerType: "touch", clientX: 600, clientY: y, bubbles: true }));
  const frame = () => new Promise(requestAnimationFrame);
  send("pointerdown", 600);
  for (let y = 580; y >= 500; y -= 20) {
    await frame();
    send("pointermove", y);
  }
  send("pointerup", 500);
  return harness.view.camera().y;
}
"""


def test_what_is_thrown_glides_on_until_it_rests_or_is_held(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(has_touch=True, reduced_motion="no-preference")
    canvas.show(30, expanded=True)
    let_go = canvas.run(THROW)
    canvas.page.wait_for_function("() => !harness.view.port.frames.animation")
    rest = canvas.camera()["y"]
    assert rest > let_go + 30
    canvas.page.wait_for_function("() => harness.calls.some(([name]) => name === 'camera')")
    canvas.run(THROW)
    canvas.run(
        """() => document.querySelector("canvas").dispatchEvent(
          new PointerEvent("pointerdown", { pointerId: 7, pointerType: "touch", clientX: 600, clientY: 300 }))"""
    )
    held = canvas.camera()
    canvas.settle()
    assert canvas.camera() == held


def test_nothing_glides_where_motion_is_unwelcome(canvas: Canvas) -> None:
    canvas.show(30, expanded=True)
    let_go = canvas.run(THROW)
    canvas.page.wait_for_timeout(100)
    assert canvas.camera()["y"] == let_go


def test_a_double_click_beside_the_graph_zooms_and_with_shift_back(canvas: Canvas) -> None:
    canvas.show("small")
    k = canvas.camera()["k"]
    canvas.page.mouse.dblclick(30, 300)
    canvas.settle()
    assert canvas.camera()["k"] == pytest.approx(2 * k)
    canvas.page.keyboard.down("Shift")
    canvas.page.mouse.dblclick(30, 300)
    canvas.page.keyboard.up("Shift")
    canvas.settle()
    assert canvas.camera()["k"] == pytest.approx(k)
