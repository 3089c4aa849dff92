"""What moves the camera, and what it shows then."""

from __future__ import annotations

import pytest
from canvaspage import HEIGHT, WIDTH, Canvas, OpenCanvas

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("control", [False, True])
def test_the_wheel_zooms_at_the_pointer(canvas: Canvas, control: bool) -> None:
    canvas.show(30)
    x, y = (round(value) for value in canvas.point("mask_1"))
    canvas.page.mouse.move(x, y)
    before, zoom = canvas.world(x, y), canvas.camera()["k"]
    if control:
        canvas.page.keyboard.down("Control")
    for delta in (-10, -20, -100) if control else (-120, -120):
        canvas.page.mouse.wheel(0, delta)
    canvas.page.wait_for_function("(zoom) => harness.view.camera().k > zoom * 1.15", arg=zoom)
    assert canvas.world(x, y) == (pytest.approx(before[0], abs=0.01), pytest.approx(before[1], abs=0.01))


def test_zoom_has_limits(canvas: Canvas) -> None:
    canvas.show("small")
    canvas.run("() => { for (let i = 0; i < 100; i++) harness.view.zoomBy(2); }")
    assert canvas.camera()["k"] == 4
    canvas.run("() => { for (let i = 0; i < 100; i++) harness.view.zoomBy(0.5); }")
    assert 0.05 <= canvas.camera()["k"] <= 0.5


def test_a_drag_pans_and_chooses_nothing(canvas: Canvas) -> None:
    canvas.show(30)
    x, y = canvas.point("mask_1")
    before = canvas.where("mask_1")
    canvas.page.mouse.move(x, y)
    canvas.page.mouse.down()
    canvas.page.mouse.move(x - 40, y + 60, steps=4)
    canvas.page.mouse.up()
    after = canvas.where("mask_1")
    assert (after["x"] - before["x"], after["y"] - before["y"]) == (pytest.approx(-40), pytest.approx(60))
    assert canvas.calls("select", "group", "toggle") == []


def test_a_press_that_slips_a_little_is_a_click(canvas: Canvas) -> None:
    canvas.show("small")
    x, y = canvas.point("relu_4")
    canvas.page.mouse.move(x, y)
    canvas.page.mouse.down()
    canvas.page.mouse.move(x + 2, y + 1)
    canvas.page.mouse.up()
    assert len(canvas.calls("select")) == 1


def test_two_fingers_pan_and_zoom(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(has_touch=True)
    canvas.show(30)
    session = canvas.page.context.new_cdp_session(canvas.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]},
        )

    before, k = canvas.world(600, 400), canvas.camera()["k"]
    touch("touchStart", (550, 400))
    touch("touchStart", (550, 400), (650, 400))
    for step in range(1, 6):
        touch("touchMove", (550 - 10 * step, 400 + 10 * step), (650 + 10 * step, 400 + 10 * step))
    touch("touchEnd")
    assert canvas.camera()["k"] == pytest.approx(2 * k, rel=0.02)
    assert canvas.world(600, 450) == (pytest.approx(before[0], abs=2), pytest.approx(before[1], abs=2))
    assert canvas.calls("select", "group") == []


def test_the_camera_is_reported_once_it_rests_and_only_when_moved_by_hand(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.run("() => harness.view.setCamera({ x: 100, y: 200, k: 0.5 })")
    canvas.page.wait_for_timeout(300)
    assert canvas.calls("camera") == []
    canvas.page.mouse.move(600, 400)
    for _ in range(5):
        canvas.page.mouse.wheel(0, -30)
    canvas.page.wait_for_function("() => harness.calls.some(([name]) => name === 'camera')")
    assert canvas.calls("camera") == [["camera", canvas.camera()]]


def test_fit_shows_everything_but_does_not_blow_up_a_small_graph(canvas: Canvas) -> None:
    canvas.show(0)
    canvas.run("() => harness.view.fit()")
    canvas.settle()
    assert canvas.camera()["k"] == 1.5
    canvas.show(10, expanded=True)
    canvas.run("() => harness.view.fit()")
    canvas.settle()
    top, bottom = canvas.where("x_0"), canvas.where("output_313")
    assert top["y"] == pytest.approx(28, abs=1)
    assert bottom["y"] + bottom["h"] == pytest.approx(HEIGHT - 28, abs=1)


def test_the_first_look_at_a_tall_graph_is_its_top_at_a_readable_zoom(canvas: Canvas) -> None:
    canvas.show(30, expanded=True)
    assert canvas.camera()["k"] >= 0.7
    box = canvas.where("x_0")
    assert 0 < box["y"] < 60
    assert 0 < box["x"] < WIDTH - box["w"]


def test_reveal_leaves_the_camera_alone_when_the_node_is_in_sight(canvas: Canvas) -> None:
    canvas.show(10, expanded=True)
    before = canvas.camera()
    canvas.run("(node) => harness.view.reveal(node)", canvas.index("x_0"))
    canvas.settle()
    assert canvas.camera() == before
    canvas.run("(node) => harness.view.reveal(node)", canvas.index("output_313"))
    canvas.settle()
    box = canvas.where("output_313")
    assert 0 <= box["y"] <= HEIGHT - box["h"]


def test_a_flight_passes_between_and_arrives(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(reduced_motion="no-preference")
    canvas.show(10, expanded=True)
    seen = canvas.run(
        """async () => {
          const seen = [];
          harness.view.fit();
          while (harness.view.port.frames.animation) {
            await new Promise(requestAnimationFrame);
            seen.push(harness.view.camera().k);
          }
          return seen;
        }"""
    )
    assert len(seen) >= 2
    assert seen == sorted(seen, reverse=True)
    assert canvas.camera() == canvas.run("() => harness.fitted()")


def test_presses_of_plus_add_up_while_it_flies(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(reduced_motion="no-preference")
    canvas.show(30)
    k = canvas.camera()["k"]
    canvas.page.locator("canvas").first.focus()
    for _ in range(3):
        canvas.page.keyboard.press("+")
    canvas.page.wait_for_function("() => !harness.view.port.frames.animation")
    assert canvas.camera()["k"] == pytest.approx(k * 1.25**3)


def test_without_motion_fit_arrives_in_one_step(canvas: Canvas) -> None:
    canvas.show(10, expanded=True)
    canvas.run("() => { harness.view.fit(); }")
    canvas.settle()
    assert canvas.camera() == canvas.run("() => harness.fitted()")


@pytest.mark.parametrize("lost", [(1e308, 1e308, 1e308), (99999, 99999, 1), (0, 0, 1e-9), (10, 10, 9999)])
def test_a_camera_that_shows_nothing_is_not_taken(canvas: Canvas, lost: tuple[float, float, float]) -> None:
    canvas.show("small")
    first = canvas.camera()
    canvas.run("([x, y, k]) => harness.view.setCamera({ x, y, k })", list(lost))
    assert canvas.camera() == first


def test_the_middle_button_pans_and_the_right_one_does_nothing(canvas: Canvas) -> None:
    canvas.show(30)
    for button, moved in (("right", 0), ("middle", 50)):
        before = canvas.where("mask_1")
        canvas.page.mouse.move(600, 400)
        canvas.page.mouse.down(button=button)
        canvas.page.mouse.move(650, 400, steps=5)
        canvas.page.mouse.up(button=button)
        assert canvas.where("mask_1")["x"] - before["x"] == pytest.approx(moved)
    assert canvas.calls("select", "group", "toggle") == []


def test_the_wheel_with_shift_pans_sideways(canvas: Canvas) -> None:
    canvas.show(30)
    before = canvas.camera()
    canvas.page.mouse.move(600, 400)
    canvas.page.keyboard.down("Shift")
    canvas.page.mouse.wheel(0, 100)
    canvas.page.wait_for_function("(x) => harness.view.camera().x !== x", arg=before["x"])
    after = canvas.camera()
    assert (after["x"] > before["x"], after["y"], after["k"]) == (True, before["y"], before["k"])
