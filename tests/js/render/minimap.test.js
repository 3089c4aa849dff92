import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf, placeOf, worldAt } from "../../../static/js/render/minimap/place.js";

const size = { width: 1200, height: 800 };
const part = { x: 0, y: 0, w: 100, h: 100 };

/** @param {number} w @param {number} h */
const graph = (w, h) => ({ x: 0, y: 0, w, h });

/** @param {ReturnType<typeof placeOf>} place */
function there(place) {
  assert.ok(place);
  return place;
}

test("there is a map only of what is not all in sight, and only where there is room", () => {
  const whole = graph(1000, 5000);
  assert.equal(placeOf(whole, { x: -10, y: -10, w: 2000, h: 6000 }, size), null);
  assert.equal(placeOf(graph(0, 0), part, size), null);
  assert.equal(placeOf(whole, part, { width: 200, height: 800 }), null);
  assert.ok(placeOf(whole, { x: -10, y: -10, w: 2000, h: 4000 }, size));
  assert.ok(placeOf(whole, part, { width: 390, height: 560 }), "on a phone too");
});

test("the map keeps the graph's shape unless it were a thread then, and its own bounds", () => {
  for (const [w, h] of [[1000, 5000], [8000, 300], [200, 400_000], [3000, 3000]]) {
    for (const canvas of [size, { width: 390, height: 560 }]) {
      const { width, height, k, left, top } = there(placeOf(graph(w, h), part, canvas));
      assert.ok(width >= 32 && width <= Math.max(32, canvas.width * 0.3) && height >= 32 && height <= Math.max(32, canvas.height * 0.4), `${width} x ${height}`);
      assert.ok(left >= 3.4 && top >= 3.4 && left + w * k.x <= width && top + h * k.y <= height);
      assert.ok(Math.min(w * k.x, h * k.y) >= 23.9);
      if (Math.min(w * k.x, h * k.y) > 24.1) assert.equal(k.x, k.y);
    }
  }
});

test("a point of the map leads to where the frame's middle is", () => {
  const whole = { x: 40, y: -60, w: 1000, h: 5000 };
  const view = { x: 300, y: 2000, w: 400, h: 800 };
  const place = there(placeOf(whole, view, size));
  const { x, y, w, h } = frameOf(place, whole, view);
  const at = worldAt(place, whole, x + w / 2, y + h / 2);
  assert.ok(Math.abs(at.x - 500) < 1 && Math.abs(at.y - 2400) < 1, JSON.stringify(at));
});

test("the frame stays on the map, and large enough to be found", () => {
  const whole = graph(3000, 400_000);
  for (const view of [{ x: -9000, y: -9000, w: 20_000, h: 50_000 }, { x: 2990, y: 399_990, w: 300, h: 200 }, { x: 100, y: 7, w: 1, h: 1 }]) {
    const place = there(placeOf(whole, view, size));
    const { x, y, w, h } = frameOf(place, whole, view);
    assert.ok(x >= 0 && y >= 0 && w >= 8 && h >= 8 && x + w <= place.width + 1e-9 && y + h <= place.height + 1e-9, JSON.stringify([x, y, w, h]));
  }
});
