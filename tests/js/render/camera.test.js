import assert from "node:assert/strict";
import { test } from "node:test";
import { between, clamp, fit, initial, leastZoom, panBy, reveal, shows, toScreen, toWorld, viewOf, zoomAt } from "../../../static/js/render/lens/camera.js";

const size = { width: 1000, height: 600 };
const camera = { x: 50, y: -20, k: 0.5 };

/** @param {number} actual @param {number} expected */
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}, expected ${expected}`);

test("screen and world are each other's inverse, the camera's point in the middle", () => {
  assert.deepEqual(toScreen(camera, size, 50, -20), { x: 500, y: 300 });
  assert.deepEqual(toWorld(camera, size, 0, 0), { x: -950, y: -620 });
  const there = toScreen(camera, size, 123, 456);
  assert.deepEqual(toWorld(camera, size, there.x, there.y), { x: 123, y: 456 });
});

test("the view is what the canvas covers", () => {
  assert.deepEqual(viewOf(camera, size), { x: -950, y: -620, w: 2000, h: 1200 });
});

test("a pan moves the world with the hand", () => {
  const moved = panBy(camera, 30, -10);
  assert.deepEqual(toScreen(moved, size, 50, -20), { x: 530, y: 290 });
});

test("a zoom leaves the point under the pointer where it is, also at the limits", () => {
  for (const factor of [1.3, 0.2, 1000, 1e-9]) {
    const before = toWorld(camera, size, 710, 90);
    const after = zoomAt(camera, size, { x: 710, y: 90 }, factor, 0.01);
    const screen = toScreen(after, size, before.x, before.y);
    near(screen.x, 710);
    near(screen.y, 90);
    assert.ok(after.k >= 0.01 && after.k <= 4);
  }
});

test("fit holds all of it between margins and stops at 1.5", () => {
  const rect = { x: 0, y: 0, w: 4000, h: 9000 };
  const { k, x, y } = fit(rect, size);
  near(k, (600 - 56) / 9000);
  assert.deepEqual([x, y], [2000, 4500]);
  assert.equal(fit({ x: 0, y: 0, w: 80, h: 40 }, size).k, 1.5);
});

test("the first look: all of a small graph at 1, the readable top of a tall one", () => {
  assert.deepEqual(initial({ x: 0, y: 0, w: 300, h: 400 }, size, 150), { x: 150, y: 200, k: 1 });
  const tall = initial({ x: 0, y: 0, w: 600, h: 50_000 }, size, 300);
  assert.equal(tall.k, 1);
  near(toScreen(tall, size, 300, 0).y, 28);
  near(toScreen(tall, size, 300, 0).x, 500);
});

test("the first look at a graph wider than the canvas begins at what stands at the top, and never beyond the border", () => {
  const wide = { x: 0, y: 0, w: 20_000, h: 50_000 };
  const look = initial(wide, size, 9000);
  assert.equal(look.k, 0.7);
  near(toScreen(look, size, 9000, 0).x, 500);
  near(toScreen(initial(wide, size, 10), size, 0, 0).x, 28);
  near(toScreen(initial(wide, size, 19_990), size, 20_000, 0).x, 972);
});

test("the middle of the canvas stays on the graph and the zoom within its limits", () => {
  const rect = { x: 0, y: 0, w: 100, h: 200 };
  assert.deepEqual(clamp({ x: -50, y: 500, k: 9 }, rect, 0.1), { x: 0, y: 200, k: 4 });
  assert.deepEqual(clamp({ x: 30, y: 40, k: 0.01 }, rect, 0.1), { x: 30, y: 40, k: 0.1 });
});

test("one can always zoom out to twice the graph's size", () => {
  const rect = { x: 0, y: 0, w: 500, h: 1_000_000 };
  near(leastZoom(rect, size), fit(rect, size).k / 2);
  assert.equal(leastZoom({ x: 0, y: 0, w: 10, h: 10 }, size), 0.1);
});

test("between two cameras a common fixed point does not move", () => {
  const a = { x: 0, y: 0, k: 0.2 };
  const b = zoomAt(a, size, { x: 900, y: 100 }, 10, 0.01);
  const point = toWorld(a, size, 900, 100);
  for (const t of [0, 0.3, 0.7, 1]) {
    const screen = toScreen(between(a, b, t), size, point.x, point.y);
    near(screen.x, 900);
    near(screen.y, 100);
  }
  assert.deepEqual(between(a, { x: 10, y: 20, k: 0.2 }, 0.5), { x: 5, y: 10, k: 0.2 });
});

test("reveal: nothing when it is in sight, else centred and legible; a tall box from its top", () => {
  const now = { x: 500, y: 300, k: 1 };
  assert.equal(reveal(now, { x: 100, y: 100, w: 80, h: 40 }, size, 0.6), now);
  assert.deepEqual(reveal(now, { x: 5000, y: 100, w: 80, h: 40 }, size, 0.6), { x: 5040, y: 120, k: 1 });
  assert.equal(reveal({ ...now, k: 0.1 }, { x: 100, y: 100, w: 80, h: 40 }, size, 0.6).k, 0.6);
  const tall = reveal(now, { x: 0, y: 2000, w: 80, h: 9000 }, size, 0.6);
  near(toScreen(tall, size, 0, 2000).y, 28);
});

test("a camera from elsewhere is taken where it shows something of the graph", () => {
  const rect = { x: 0, y: 0, w: 300, h: 2000 };
  for (const fine of [{ x: 150, y: 40, k: 1 }, { x: -100, y: 0, k: 4 }, { x: 150, y: 1000, k: 0.03 }])
    assert.ok(shows(fine, rect, size), JSON.stringify(fine));
  const lost = [
    { x: 1e308, y: 1e308, k: 1e308 },
    { x: 9999, y: 40, k: 1 },
    { x: 150, y: -301, k: 1 },
    { x: 150, y: 1000, k: 1e-9 },
    { x: 150, y: 40, k: 9999 },
  ];
  for (const each of lost) {
    assert.ok(!shows(each, rect, size), JSON.stringify(each));
    assert.ok(shows(each, { ...rect, w: 0, h: 0 }, size), "no graph yet");
    assert.ok(shows(each, rect, { width: 0, height: 0 }), "no canvas yet");
  }
});
