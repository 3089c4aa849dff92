import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../../static/js/layout/layout.js";
import { allClosed, toggled } from "../../../static/js/model/groups.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { Passage } from "../../../static/js/render/motion/passage.js";
import { load, transformer } from "./synthetic.js";

const { model, tree } = load(transformer(3));
const group = tree.path.indexOf("h.1");
const closed = drawingOf(allClosed(tree));
const open = drawingOf(toggled(tree, allClosed(tree), group));
const NOWHERE = { x: 0, y: 0 };

/** @param {Uint8Array} groups */
function drawingOf(groups) {
  return new Drawing(model, tree, layout(model, tree, groups));
}

/** @param {Drawing} drawing @param {string} name */
function itemOf(drawing, name) {
  for (let item = 0; item < drawing.scene.items.count; item++) if (drawing.nameOf(item) === name) return item;
  return assert.fail(`no item ${name}`);
}

/** @param {Drawing} drawing @param {string} name */
const rectOf = (drawing, name) => drawing.rectOf(itemOf(drawing, name));

/** @param {{x: number, y: number, w: number, h: number}} a @param {{x: number, y: number, w: number, h: number}} b @param {{x: number, y: number}} [shift] */
function same(a, b, shift = NOWHERE) {
  for (const [one, other] of [[a.x, b.x + shift.x], [a.y, b.y + shift.y], [a.w, b.w], [a.h, b.h]]) assert.ok(Math.abs(one - other) < 0.05, `${JSON.stringify(a)}, expected ${JSON.stringify(b)}`);
}

/** Are lines along the axes wherever they were? @param {Drawing} moving @param {Drawing} full */
function slanting(moving, full) {
  const { edges } = full.scene;
  const found = [];
  for (let e = 0; e < edges.count; e++) {
    for (let at = edges.start[e] + 1; at < edges.start[e + 1]; at++) {
      const [x, y] = [0, 1].map((axis) => Math.abs(moving.scene.edges.points[2 * at + axis] - moving.scene.edges.points[2 * at - 2 + axis]));
      const whole = edges.start[e + 1] - edges.start[e] > 2;
      if (whole && !edges.stub[e] && x > 0.5 && y > 0.5) found.push(e);
    }
  }
  return found;
}

test("a group that opens begins at its closed box, and ends as laid out", () => {
  const shift = { x: -30, y: 12 };
  const passage = new Passage(closed, open, shift);
  assert.ok(passage.opens);
  const { drawing } = passage;
  for (const name of ["h.0", "h.1", "x_0"]) same(rectOf(drawing, name), rectOf(closed, name), shift);
  assert.deepEqual(passage.veils, [{ item: itemOf(open, "h.1"), strength: 1 }]);
  passage.at(1);
  for (const key of /** @type {const} */ (["x", "y", "w", "h"])) assert.deepEqual(drawing.scene.items[key], open.scene.items[key]);
  assert.deepEqual(drawing.scene.edges.points, open.scene.edges.points);
  assert.equal(passage.veils[0].strength, 0);
});

test("a group that closes goes the same way back, seen in the new places", () => {
  const shift = { x: 5, y: -40 };
  const passage = new Passage(open, closed, shift);
  assert.ok(!passage.opens);
  for (const name of ["h.0", "h.1", "h.2", "x_0"]) same(rectOf(passage.drawing, name), rectOf(open, name), shift);
  passage.at(1);
  for (const name of ["h.0", "h.1", "h.2", "x_0"]) same(rectOf(passage.drawing, name), rectOf(closed, name));
  assert.equal(passage.veils[0].strength, 1);
});

test("what stays on the screen does not move, at any time", () => {
  const before = rectOf(closed, "h.1");
  const after = rectOf(open, "h.1");
  const passage = new Passage(closed, open, { x: after.x - before.x, y: after.y - before.y });
  for (const t of [0, 0.2, 0.5, 0.9, 1]) {
    passage.at(t);
    const now = rectOf(passage.drawing, "h.1");
    assert.ok(Math.abs(now.x - after.x) < 0.05 && Math.abs(now.y - after.y) < 0.05);
  }
});

test("what a group holds is seen only where the group has room for it", () => {
  const passage = new Passage(closed, open, NOWHERE);
  const { items } = passage.drawing.scene;
  const at = itemOf(open, "h.1");
  const seen = (/** @type {number} */ t) => {
    passage.at(t);
    let count = 0;
    for (let i = at + 1; i < items.end[at]; i++) {
      if (items.x[i] > 1e8) continue;
      count++;
      assert.ok(items.x[i] >= items.x[at] && items.x[i] + items.w[i] <= items.x[at] + items.w[at]);
      assert.ok(items.y[i] >= items.y[at] && items.y[i] + items.h[i] <= items.y[at] + items.h[at]);
    }
    return count;
  };
  const counts = [0, 0.3, 0.6, 1].map(seen);
  assert.equal(counts[0], 0);
  assert.equal(counts[3], items.end[at] - at - 1);
  assert.deepEqual(counts, [...counts].sort((a, b) => a - b));
  assert.ok(counts[1] < counts[2], `${counts}`);
});

test("lines keep to the axes and to their boxes on the way", () => {
  const passage = new Passage(closed, open, NOWHERE);
  const { edges } = open.scene;
  for (const t of [0.25, 0.5, 0.75]) {
    passage.at(t);
    const { drawing } = passage;
    assert.deepEqual(slanting(drawing, open).filter((e) => !slanting(open, open).includes(e)), []);
    for (let e = 0; e < edges.count; e++) {
      if (passage.boxes.within[edges.from[e]] >= 0 || edges.stub[e]) continue;
      const { x, y, w, h } = drawing.rectOf(edges.from[e]);
      const [px, py] = drawing.scene.edges.points.subarray(2 * edges.start[e], 2 * edges.start[e] + 2);
      assert.ok(px >= x - 0.6 && px <= x + w + 0.6 && Math.abs(py - (y + h)) < 0.6, `edge ${e} leaves its box at ${t}`);
    }
  }
});

test("the bounds by which lines are picked hold all of the way", () => {
  const passage = new Passage(open, closed, { x: 70, y: 7 });
  const { drawing } = passage;
  const hidden = new Set(passage.inner);
  for (const t of [0, 0.4, 1]) {
    passage.at(t);
    drawing.order.forEach((e, at) => {
      if (hidden.has(e)) return;
      for (let point = drawing.scene.edges.start[e]; point < drawing.scene.edges.start[e + 1]; point++) {
        const [x, y] = drawing.scene.edges.points.subarray(2 * point, 2 * point + 2);
        assert.ok(x >= drawing.bounds[4 * at] - 0.1 && x <= drawing.bounds[4 * at + 2] + 0.1, `edge ${e}`);
        assert.ok(y >= drawing.bounds[4 * at + 1] - 0.1 && y <= drawing.bounds[4 * at + 3] + 0.1, `edge ${e}`);
      }
    });
  }
});

test("the scenes themselves are left as they are", () => {
  const points = open.scene.edges.points.slice();
  const x = open.scene.items.x.slice();
  new Passage(closed, open, { x: 3, y: 4 }).at(0.5);
  new Passage(open, closed, { x: 3, y: 4 }).at(0.5);
  assert.deepEqual(open.scene.edges.points, points);
  assert.deepEqual(open.scene.items.x, x);
});

test("a box that is still hidden stands for its group: what leads to it ends there", () => {
  const passage = new Passage(closed, open, NOWHERE);
  const group = itemOf(open, "h.1");
  const inside = group + 1;
  const now = passage.ends();
  assert.deepEqual([now.x[inside], now.y[inside], now.w[inside], now.h[inside]], [now.x[group], now.y[group], now.w[group], now.h[group]]);
  passage.at(1);
  assert.deepEqual(passage.ends().x, open.scene.items.x);
});
