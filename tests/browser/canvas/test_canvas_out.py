"""Pictures of any size: what is drawn tile by tile is what is drawn at once."""

from __future__ import annotations

from typing import Any

import pytest
from canvaspage import Canvas

COMPARED = """async ([scale, area, tile]) => {
  const pixels = async (options) => {
    const blob = await harness.view.pictures().png({ area, theme: "", marks: true }, scale, options);
    const image = await createImageBitmap(blob);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const whole = await pixels({});
  const parts = await pixels({ tile, band: tile * whole.width });
  let apart = 0;
  const tones = new Set();
  for (let i = 0; i < whole.data.length; i += 4) {
    const far = Math.max(...[0, 1, 2].map((c) => Math.abs(whole.data[i + c] - parts.data[i + c])));
    if (far > 32) apart += 1;
    tones.add((whole.data[i] << 16) | (whole.data[i + 1] << 8) | whole.data[i + 2]);
  }
  return { width: whole.width, height: whole.height, same: parts.width === whole.width && parts.height === whole.height,
    apart: apart / (whole.width * whole.height), tones: tones.size };
}"""


@pytest.mark.parametrize(
    ("scale", "area", "most"),
    [(1, "whole", 0.001), (0.2, "whole", 0.001), (2, "sight", 0.006)],  # an edge's label stands wholly in one tile
)
def test_tiles_join_without_a_seam(canvas: Canvas, scale: float, area: str, most: float) -> None:
    canvas.show(2, expanded=True)
    found: dict[str, Any] = canvas.run(COMPARED, [scale, area, 97])
    assert found["same"]
    assert min(found["width"], found["height"]) > 97, "there are several tiles"
    assert found["tones"] > 20, "something is drawn"
    assert found["apart"] < most


def test_a_picture_that_is_stopped_is_not_made(canvas: Canvas) -> None:
    canvas.show("small")
    said = canvas.run("""async () => {
      const stop = new AbortController();
      const parts = [];
      const work = harness.view.pictures().png({ area: "whole", theme: "", marks: false }, 4,
        { signal: stop.signal, band: 20000, onProgress: (part) => { parts.push(part); stop.abort(); } });
      return [await work.then(() => "made", (error) => error.name), parts.length, parts[0] < 1];
    }""")
    assert said == ["AbortError", 1, True]


def test_marks_are_in_a_picture_where_they_are_wanted(canvas: Canvas) -> None:
    canvas.show("small")
    plain, marked = canvas.run("""() => {
      harness.view.setSelection([1]);
      return [false, true].map((marks) => harness.view.pictures().svg({ area: "whole", theme: "", marks }));
    }""")
    accent = canvas.run("() => harness.view.theme.accent")
    assert accent in marked
    assert accent not in plain
