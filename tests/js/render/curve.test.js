import assert from "node:assert/strict";
import { test } from "node:test";
import { arrival, distance, trace } from "../../../static/js/render/draw/lines/curve.js";

/** @param {number[]} points @returns {string[]} what was drawn */
function traced(points) {
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ name) => (/** @type {number[]} */ ...at) => { said.push(`${name} ${at.join(" ")}`); };
  const ink = { moveTo: say("M"), lineTo: say("L"), bezierCurveTo: say("C"), quadraticCurveTo: say("Q") };
  trace(ink, Float32Array.from(points), 0, points.length / 2);
  return said;
}

test("a straight edge is a line", () => {
  assert.deepEqual(traced([0, 0, 0, 50]), ["M 0 0", "L 0 50"]);
});

test("corners are round, and the path goes on from where the corner ends", () => {
  assert.deepEqual(traced([0, 0, 0, 50, 60, 50, 60, 90]), ["M 0 0", "L 0 41", "Q 0 50 9 50", "L 51 50", "Q 60 50 60 59", "L 60 90"]);
});

test("a corner takes no more than half of a short piece, and none at points on a straight line", () => {
  assert.deepEqual(traced([0, 0, 0, 8, 60, 8]), ["M 0 0", "L 0 4", "Q 0 8 4 8", "L 60 8"]);
  assert.deepEqual(traced([0, 0, 0, 20, 0, 50]), ["M 0 0", "L 0 20", "L 0 50"]);
});

test("the slanting middle of a far edge leaves and arrives vertically", () => {
  assert.deepEqual(traced([0, 0, 0, 10, 100, 90, 100, 100]), ["M 0 0", "L 0 10", "C 0 50 100 50 100 90", "L 100 100"]);
});

test("arrows point the way an edge arrives, up too", () => {
  const arrive = (/** @type {number[]} */ ...points) => arrival(Float32Array.from(points), 0, points.length / 2);
  assert.deepEqual(arrive(0, 0, 0, 50, 60, 50), [1, 0]);
  assert.deepEqual(arrive(0, 0, 0, 50), [0, 1]);
  assert.deepEqual(arrive(0, 50, 0, 0), [0, -1]);
  assert.deepEqual(arrive(0, 0, 0, 50, 0, 50), [0, 1], "a last piece of no length does not count");
});

test("distance is measured from the line that is drawn", () => {
  const far = (/** @type {number[]} */ points, /** @type {number} */ x, /** @type {number} */ y) => distance(Float32Array.from(points), 0, points.length / 2, x, y);
  assert.equal(far([0, 0, 0, 100], 7, 50), 7);
  assert.equal(far([0, 0, 0, 100], 3, 104), 5);
  assert.equal(far([0, 0, 0, 50, 60, 50], 40, 46), 4);
  assert.ok(far([0, 0, 100, 100], 50, 50) < 1e-6, "the middle of the curve");
  assert.ok(far([0, 0, 100, 100], 0, 8) < 1.5, "it leaves vertically");
});
