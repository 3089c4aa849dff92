import assert from "node:assert/strict";
import { test } from "node:test";
import { Filled, drawLine } from "../../../static/js/render/draw/lines/straight.js";

/** @param {number[]} points @param {{rounded?: boolean, width?: number, times?: number, view?: import("../../../static/js/render/lens/camera.js").Rect}} [options] */
function draw(points, { rounded = true, width = 2, times = 1, view = { x: 0, y: 0, w: 1000, h: 1000 } } = {}) {
  /** @type {number[][]} */ const rects = [];
  /** @type {[string, ...number[]][]} */ const path = [];
  const step = (/** @type {string} */ name) => (/** @type {number[]} */ ...at) => path.push([name, ...at]);
  const ink = /** @type {any} */ ({ fillRect: (/** @type {number[]} */ ...rect) => rects.push(rect), moveTo: step("M"), lineTo: step("L"), quadraticCurveTo: step("Q"), bezierCurveTo: step("C") });
  const pen = { ink, view, width, rounded, k: 1, filled: new Filled() };
  for (let i = 0; i < times; i++) drawLine(pen, Float32Array.from(points), 0, points.length / 2);
  return { rects, path };
}

test("a straight line is one rectangle, however many points it has, either way", () => {
  for (const points of [[50, 10, 50, 110], [50, 10, 50, 30, 50, 30, 50, 110], [50, 110, 50, 60, 50, 10]]) {
    assert.deepEqual(draw(points), { rects: [[49, 10, 2, 100]], path: [] });
  }
  assert.deepEqual(draw([10, 50, 60, 50, 110, 50]).rects, [[10, 49, 100, 2]]);
});

test("a rounded corner is a curve between two rectangles", () => {
  const { rects, path } = draw([50, 10, 50, 60, 150, 60]);
  assert.deepEqual(rects, [[49, 10, 2, 41], [59, 59, 91, 2]]);
  assert.deepEqual(path, [["M", 50, 51], ["Q", 50, 60, 59, 60]]);
});

test("a corner that is not seen is sharp and has no gap", () => {
  const { rects, path } = draw([50, 10, 50, 60, 150, 60], { rounded: false });
  assert.deepEqual(rects, [[49, 10, 2, 51], [49, 59, 101, 2]]);
  assert.deepEqual(path, []);
});

test("between two corners close to each other a line stays whole", () => {
  const { rects, path } = draw([50, 10, 50, 60, 58, 60, 58, 110]);
  assert.deepEqual(rects, [[49, 10, 2, 46], [57, 64, 2, 46]]);
  assert.deepEqual(path, [["M", 50, 56], ["Q", 50, 60, 54, 60], ["M", 54, 60], ["Q", 58, 60, 58, 64]]);
});

test("only what is in the view is filled", () => {
  const { rects, path } = draw([50, -1e6, 50, 1e6, 9000, 1e6, 9000, 2e6]);
  assert.deepEqual(rects, [[49, -2, 2, 1004]]);
  assert.deepEqual(path, []);
});

test("a line that comes in from outside has its corner, once", () => {
  for (const points of [[-500, 20, 50, 20, 50, 110], [-500, -900, -500, 20, -20, 20, 50, 20, 50, 110]]) {
    const { rects, path } = draw(points);
    assert.deepEqual(rects, [[-2, 19, 43, 2], [49, 29, 2, 81]]);
    assert.deepEqual(path, [["M", 41, 20], ["Q", 50, 20, 50, 29]]);
  }
  const { path } = draw([-6, -200, -6, -6, 300, -6, 300, 50]);
  assert.deepEqual(path, [["M", -6, -15], ["Q", -6, -6, 3, -6], ["M", 291, -6], ["Q", 300, -6, 300, 3]]);
});

test("what lines have in common is filled once", () => {
  assert.equal(draw([50, 10, 50, 110], { times: 300 }).rects.length, 1);
  const filled = new Filled();
  let again = 0;
  for (let round = 0; round < 2; round++) for (let i = 0; i < 1000; i++) again += filled.has(i, 7 * i, i + 3, 1) ? 1 : 0;
  assert.ok(again > 800 && again <= 1000, `${again} of 1000 known the second time, none the first`);
});

test("a slanting line is a path", () => {
  const { rects, path } = draw([50, 10, 150, 110]);
  assert.deepEqual(rects, []);
  assert.deepEqual(path.map(([name]) => name), ["M", "C"]);
});
