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


MOVING = """
async (dy) => {
  const { painter, port } = harness.view;
  port.frames.rest = () => {}; // however slow the machine, the move goes on
  const all = painter.paintAll.bind(painter);
  let painted = 0;
  painter.paintAll = (coarse) => { painted += 1; all(coarse); };
  port.pan(0, dy);
  await new Promise(requestAnimationFrame);
  return { painted, width: document.querySelector("canvas").width, picture: painter.picture !== null };
}
"""
"""One frame of a move over what was drawn at rest."""

RESTED = "() => { const { frames } = harness.view.port; delete frames.rest; frames.rest(); }"


def show_much(canvas: Canvas) -> None:
    """Everything of a large graph on the screen, at rest."""
    canvas.show(345, expanded=True, column=20_000)
    canvas.run("() => harness.view.setCamera(harness.fitted())")
    canvas.page.wait_for_timeout(400)


def test_a_move_over_much_shows_the_picture_of_it_and_the_drawing_at_rest(canvas: Canvas) -> None:
    show_much(canvas)
    before = column(canvas, 600)
    assert len(set(before)) > 20, "the graph is seen there"
    assert canvas.run(MOVING, 40) == {"painted": 0, "width": 1200, "picture": True}
    moved = column(canvas, 600)
    off = [abs(a - b) for a, b in zip(before[:-40], moved[40:], strict=True)]
    assert max(off) <= MARK, "the same picture, 40 pixels further down"
    canvas.run(RESTED)
    canvas.settle()
    assert canvas.run("() => harness.view.painter.picture") is None


def test_zooming_over_much_brings_the_next_picture_without_the_whole_drawing_in_any_frame(canvas: Canvas) -> None:
    show_much(canvas)
    painted, pictures = canvas.run(
        """async () => {
          const { painter, port } = harness.view;
          port.frames.rest = () => {};
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
    assert canvas.run(MOVING, 10) == {"painted": 0, "width": 1200, "picture": True}
    canvas.run(RESTED)
    canvas.page.wait_for_function("() => document.querySelector('canvas').width === 2400")


WATCH = """
(name) => {
  const { view } = harness;
  const { frames } = view.port;
  const { clock } = frames;
  frames.clock = { ...clock, frame: (run) => requestAnimationFrame((now) => run(now / 10)) }; // ten times as slow
  window.seen = [];
  const look = () => {
    const { passage } = view.mover;
    if (passage) {
      const { items } = passage.drawing.scene;
      const item = Array.from({ length: items.count }, (_, i) => i).find((i) => passage.drawing.nameOf(i) === name);
      const { x, y, k } = view.camera();
      window.seen.push([(items.x[item] - x) * k, (items.y[item] - y) * k, items.h[item]]);
    } else if (window.seen.length) return (frames.clock = clock);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def watched(canvas: Canvas, name: str, at: tuple[float, float]) -> list[list[float]]:
    """Where a group is and how high, from a click on its button until nothing moves any more."""
    canvas.run(WATCH, name)
    canvas.page.mouse.click(*at)
    canvas.page.wait_for_function("() => window.seen.length > 0 && !harness.view.mover.passage")
    return list(canvas.run("() => window.seen"))


def test_a_group_grows_and_shrinks_where_it_was_clicked(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(reduced_motion="no-preference")
    canvas.show(30)
    canvas.centre("h.2")
    low = canvas.where("h.2")
    button = low["x"] + 15, low["y"] + 14
    grown = watched(canvas, "h.2", button)
    high = canvas.where("h.2")
    assert (high["x"], high["y"]) == (pytest.approx(low["x"], abs=0.5), pytest.approx(low["y"], abs=0.5))
    assert all((x, y) == (pytest.approx(grown[0][0], abs=0.5), pytest.approx(grown[0][1], abs=0.5)) for x, y, _ in grown)
    heights = [height for *_, height in grown]
    assert heights == sorted(heights)
    assert low["h"] - 1 <= heights[0] < high["h"] - 1, "it begins from where it was"
    assert any(low["h"] + 1 < height < high["h"] - 1 for height in heights), "it passes between"
    canvas.page.wait_for_timeout(600)  # so that the next click is no double click
    shrunk = [height for *_, height in watched(canvas, "h.2", button)]
    assert shrunk == sorted(shrunk, reverse=True)
    assert len(set(shrunk)) > 2
    assert canvas.where("h.2")["h"] == pytest.approx(low["h"])


def test_clicks_meet_what_will_be_there_while_a_group_opens(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(reduced_motion="no-preference")
    canvas.show(30)
    canvas.centre("h.2")
    box = canvas.where("h.2")
    canvas.page.mouse.click(box["x"] + 15, box["y"] + 14)
    canvas.page.mouse.click(box["x"] + 60, box["y"] + 14)
    assert [name for name, *_ in canvas.calls("toggle", "group", "select")] == ["toggle", "group"]


def test_nothing_moves_by_itself_where_motion_is_unwelcome(canvas: Canvas) -> None:
    canvas.show(30)
    canvas.centre("h.2")
    canvas.page.mouse.dblclick(*canvas.point("h.2"))
    assert len(canvas.calls("toggle")) == 1
    assert canvas.run("() => harness.view.mover.passage") is None


def test_too_much_to_move_is_not_moved(open_canvas: OpenCanvas) -> None:
    canvas = open_canvas(reduced_motion="no-preference")
    show_much(canvas)
    canvas.run("() => harness.view.callbacks.onToggle(harness.tree().path.indexOf('h.5'))")
    assert canvas.run("() => harness.view.mover.passage") is None


OTHER_SCREEN = """
async () => {
  const { Surface } = await import("/static/js/render/lens/surface.js");
  const media = new EventTarget();
  const asked = [];
  window.matchMedia = (query) => asked.push(query) && media;
  let changes = 0;
  const surface = new Surface(document.getElementById("host"), () => { changes += 1; });
  const seen = [2, 1.5].map((ratio) => {
    Object.defineProperty(window, "devicePixelRatio", { value: ratio, configurable: true });
    media.dispatchEvent(new Event("change"));
    return changes;
  });
  surface.end();
  media.dispatchEvent(new Event("change"));
  return [asked, seen, changes];
}
"""


def test_a_window_moved_to_another_screen_is_drawn_anew_until_the_end(canvas: Canvas) -> None:
    assert canvas.run(OTHER_SCREEN) == [[f"(resolution: {ratio}dppx)" for ratio in ("1", "2", "1.5")], [1, 2], 2]


def test_no_pictures_are_kept_at_rest(canvas: Canvas) -> None:
    show_much(canvas)
    assert canvas.run(MOVING, 40)["picture"]
    canvas.run(RESTED)
    canvas.settle()
    assert canvas.run("() => harness.view.painter.spare.map(({ width }) => width)") == [0]
