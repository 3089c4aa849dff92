import assert from "node:assert/strict";
import { test } from "node:test";

import { ENDLESS } from "../../../../static/js/layout/budget.js";
import { layeredSteps } from "../../../../static/js/layout/layered/layered.js";
import { finish, problem } from "./made.js";

const LENGTH = 200;

/** A chain of 200 boxes, and at some places one more line from a box to the one after the next. @param {number[]} skips */
function chain(skips) {
  const lines = Array.from({ length: LENGTH - 1 }, (_, i) => /** @type {[number, number]} */ ([i, i + 1]));
  for (const i of skips) lines.push([i, i + 2]);
  const asked = problem(
    Array.from({ length: LENGTH }, (_, rank) => [rank, 80]),
    lines,
  );
  return finish(layeredSteps({ ...asked, tall: 8_000 }, ENDLESS));
}

/** Which boxes are the last of a column. @param {import("../../../../static/js/layout/layered/problem.js").Layout} layout */
const feet = ({ y }) => Array.from(y.keys()).filter((v) => v + 1 < y.length && y[v + 1] < y[v]);

test("a tall chain stands in columns of one height, from left to right", () => {
  const layout = chain([]);
  assert.ok(layout.wrapped);
  assert.ok(layout.h < 8_000);
  const last = feet(layout);
  assert.ok(last.length > 0);
  for (const v of last) assert.ok(layout.x[v + 1] > layout.x[v] + 80);
  const heights = [...last.map((v, i) => v - (last[i - 1] ?? -1))];
  assert.equal(new Set(heights).size, 1, "as many boxes in each, but for the last");
});

test("it is cut where the fewest lines cross", () => {
  const plain = feet(chain([]))[0];
  assert.equal(feet(chain([plain - 1]))[0], plain - 1, "one box earlier, where nothing else passes");
});

test("what crosses a cut turns below its column and comes into the next one from above", () => {
  const layout = chain([]);
  const v = feet(layout)[0];
  const points = Array.from({ length: layout.start[v + 1] - layout.start[v] }, (_, i) => [
    layout.points[2 * (layout.start[v] + i)],
    layout.points[2 * (layout.start[v] + i) + 1],
  ]);
  assert.equal(points.length, 6);
  const [out, below, right, up, over, into] = points;
  assert.deepEqual(out, [layout.x[v] + 40, layout.y[v] + 40]);
  assert.ok(below[1] > out[1] && right[1] === below[1]);
  assert.ok(right[0] > layout.x[v] + 80 && right[0] < layout.x[v + 1]);
  assert.ok(up[0] === right[0] && up[1] < layout.y[v + 1]);
  assert.deepEqual([over[0], into[0]], [layout.x[v + 1] + 40, layout.x[v + 1] + 40]);
  assert.equal(into[1], layout.y[v + 1]);
});

test("what is not tall, or is tall for one box only, stays in one piece", () => {
  const asked = problem(
    Array.from({ length: 20 }, (_, rank) => [rank, 80]),
    Array.from({ length: 19 }, (_, i) => [i, i + 1]),
  );
  assert.equal(finish(layeredSteps({ ...asked, tall: 8_000 }, ENDLESS)).wrapped, false);
  const h = asked.h.slice();
  h[5] = 20_000;
  assert.equal(finish(layeredSteps({ ...asked, h, tall: 8_000 }, ENDLESS)).wrapped, false);
});

test("every column is as wide as what stands in it: a line holds its distance from a wide box in no column but the box's", () => {
  const wide = 1_000;
  const boxes = Array.from({ length: LENGTH }, (_, rank) => /** @type {[number, number]} */ ([rank, rank === 3 ? wide : 80]));
  const lines = Array.from({ length: LENGTH - 1 }, (_, i) => /** @type {[number, number]} */ ([i, i + 1]));
  lines.push([0, LENGTH - 1]);
  const layout = finish(layeredSteps({ ...problem(boxes, lines), tall: 8_000 }, ENDLESS));
  const last = feet(layout);
  assert.ok(last.length > 1);
  const pitch = last.slice(1).map((v) => layout.x[v + 1] - layout.x[v]);
  for (const each of pitch) assert.ok(each < 300, `${each} units from a column of boxes of 80 to the next`);
});

test("several lines that come from the column before enter their box beside each other, around its middle", () => {
  const boxes = Array.from({ length: LENGTH }, (_, rank) => /** @type {[number, number]} */ ([rank, 80]));
  const lines = boxes.flatMap(([to]) => [1, 2, 3].map((back) => /** @type {[number, number]} */ ([to - back, to]))).filter(([from]) => from >= 0);
  const layout = finish(layeredSteps({ ...problem(boxes, lines), tall: 8_000 }, ENDLESS));
  const cut = feet(layout)[0] + 1;
  const entered = lines
    .map((_, e) => e)
    .filter((e) => lines[e][1] === cut)
    .map((e) => layout.points[2 * (layout.start[e + 1] - 1)]);
  assert.ok(entered.length > 1);
  assert.equal(new Set(entered).size, entered.length);
  const middle = entered.reduce((sum, x) => sum + x, 0) / entered.length;
  assert.ok(Math.abs(middle - (layout.x[cut] + 40)) <= 1);
});
