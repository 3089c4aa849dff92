"""How the canvas looks while it moves, and when what it shows changes."""

from __future__ import annotations

import pytest
from canvaspage import Canvas, OpenCanvas

pytestmark = pytest.mark.browser

MARK = 8
"""A grey level apart from this is another one, to the eye."""

ROW = """
(x) => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(x, 0, 1, canvas.height);
  return Array.from({ length: canvas.height }, (_, y) => data[4 * y + 1]);
}
"""


def column(canvas: Canvas, x: int) -> list[int]:
    """The greens of one column of pixels."""
    return list(canvas.run(ROW, x))


def show_much(canvas: Canvas) -> None:
    """Everything of a large graph on the screen, at rest."""
    canvas.show(345, expanded=True, column=20_000)
    canvas.run("() => harness.view.setCamera(harness.fitted())")
    canvas.page.wait_for_timeout(400)


def test_a_move_over_much_shows_the_picture_of_it_and_the_drawing_at_rest(canvas: Canvas) -> None:
    show_much(canvas)
    before = column(canvas, 600)
    assert len(set(before)) > 20, "the graph is seen there"
    canvas.run(
        """() => {
          const { painter, port } = harness.view;
          const all = painter.paintAll.bind(painter);
          window.painted = 0;
          painter.paintAll = (coarse) => { window.painted += 1; all(coarse); };
          port.pan(0, 40);
        }"""
    )
    canvas.settle()
    assert canvas.run("() => window.painted") == 0
    moved = column(canvas, 600)
    off = [abs(a - b) for a, b in zip(before[:-40], moved[40:], strict=True)]
    assert max(off) <= MARK, "the same picture, 40 pixels further down"
    canvas.page.wait_for_function("() => window.painted > 0")


def test_zooming_over_much_brings_the_next_picture_without_the_whole_drawing_in_any_frame(canvas: Canvas) -> None:
    show_much(canvas)
    painted, pictures = canvas.run(
        """async () => {
          const { painter } = harness.view;
          const all = painter.paintAll.bind(painter);
          let painted = 0;
          painter.paintAll = (coarse) => { painted += 1; all(coarse); };
          const pictures = new Set();
          for (let i = 0; i < 40; i++) {
            harness.view.zoomBy(i < 12 ? 1.06 : 1.0001);
            await new Promise(requestAnimationFrame);
            if (painter.picture) pictures.add(painter.picture.view);
          }
          return [painted, pictures.size];
        }"""
    )
    assert painted == 0
    assert pictures > 1


def test_a_jump_to_another_place_is_drawn_at_once(canvas: Canvas) -> None:
    show_much(canvas)
    canvas.run("() => harness.view.setCamera({ x: 300, y: 400, k: 1 })")
    canvas.settle()
    assert canvas.run("() => harness.view.painter.picture") is None
    assert len(set(column(canvas, 600))) > 5


def test_the_picture_of_another_theme_is_not_shown(canvas: Canvas) -> None:
    show_much(canvas)
    canvas.run(
        """() => {
          document.documentElement.dataset.theme = "dark";
          window.dispatchEvent(new Event("themechange"));
          harness.view.port.pan(0, 10);
        }"""
    )
    canvas.settle()
    assert canvas.pixels(canvas.colour("surface"), 0) > 10_000


def test_a_sharp_screen_is_drawn_coarsely_while_much_moves(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(device_scale_factor=2)
    show_much(canvas)
    assert canvas.run("() => document.querySelector('canvas').width") == 2400
    canvas.run("() => harness.view.port.pan(0, 10)")
    canvas.settle()
    assert canvas.run("() => document.querySelector('canvas').width") == 1200
    canvas.page.wait_for_function("() => document.querySelector('canvas').width === 2400")
