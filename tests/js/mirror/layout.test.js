// The layout of a mirror: rows stand side by side, the backward flows up, nothing lies over anything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ITEM } from "../../../static/js/base/scene/scene.js";
import { GROUP_BOX } from "../../../static/js/base/scene/boxes.js";
import { heaviestChain } from "../../../static/js/layout/mirror/chain.js";
import { allClosed, allOpen } from "../../../static/js/model/groups.js";
import { boxFaults, crossedBoxes, treeFaults } from "../layout/faults.js";
import { Tape, laidOut, randomHalves, transformerHalves } from "./halves.js";

/** @typedef {import("../../../static/js/model/mirror/mirror.js").MirrorModel} MirrorModel */
/** @typedef {ReturnType<typeof laidOut>} LaidOut */

/** Whether a node item of the joined scene is of the backward. @param {LaidOut} out @param {number} item */
const isBack = (out, item) => item >= out.items;

/** Ends of lines, lines along the axes, the way they flow. @param {LaidOut} out @returns {string[]} */
function lineFaults(out) {
  const { items, edges } = out.scene;
  const { y, h, x, w } = items;
  /** @type {string[]} */
  const found = [];
  const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 0.01;
  for (let e = 0; e < edges.count; e++) {
    const [a, b] = [edges.from[e], edges.to[e]];
    const fail = (/** @type {string} */ what) => found.push(`line ${e} from ${a} to ${b}: ${what}`);
    const first = edges.start[e];
    const last = edges.start[e + 1] - 1;
    const at = (/** @type {number} */ p) => [edges.points[2 * p], edges.points[2 * p + 1]];
    const [[x1, y1], [x2, y2]] = [at(first), at(last)];
    const down = near(y1, y[a] + h[a]) && near(y2, y[b]);
    const up = near(y1, y[a]) && near(y2, y[b] + h[b]);
    if (!down && !up) fail(`runs from y ${y1} to ${y2}`);
    const around = edges.owner[e];
    const holds = (/** @type {number} */ end) => around < 0 || (end > around && end < items.end[around]);
    if (isBack(out, a) !== isBack(out, b) || !holds(a) || !holds(b)) fail(`is owned by ${around}`);
    if (x1 < x[a] || x1 > x[a] + w[a] || x2 < x[b] || x2 > x[b] + w[b]) fail("does not touch its boxes");
    for (let p = first; p < last; p++) {
      const [[px, py], [qx, qy]] = [at(p), at(p + 1)];
      const middle = edges.stub[e] && p === first + 1;
      if (middle) continue;
      if (!near(px, qx) && !near(py, qy)) fail(`slants between ${px},${py} and ${qx},${qy}`);
      if (down ? qy < py - 0.01 : qy > py + 0.01) fail("turns back");
    }
  }
  return found;
}

/** Lines of a half that run against its flow, as part of all. @param {LaidOut} out @param {boolean} back */
function against(out, back) {
  const { items, edges } = out.scene;
  let all = 0;
  let wrong = 0;
  for (let e = 0; e < edges.count; e++) {
    if (isBack(out, edges.from[e]) !== back) continue;
    all++;
    const falls = items.y[edges.to[e]] > items.y[edges.from[e]];
    if (falls === back) wrong++;
  }
  return wrong / Math.max(all, 1);
}

/** Pairs that do not stand side by side, equally high. @param {LaidOut} out @returns {number[]} items */
function crooked({ scene: { items }, beside }) {
  /** @type {number[]} */
  const found = [];
  beside.forEach((mate, item) => {
    if (mate >= 0 && (Math.abs(items.y[item] - items.y[mate]) > 0.01 || Math.abs(items.h[item] - items.h[mate]) > 0.01))
      found.push(item);
  });
  return found;
}

/** @param {MirrorModel} mirror */
function states(mirror) {
  return {
    asItOpens: mirror.tree.open,
    closed: mirror.ledBy(allClosed(mirror.tree)),
    open: mirror.ledBy(allOpen(mirror.tree)),
  };
}

test("rows of a transformer stand side by side at every depth", () => {
  const mirror = transformerHalves(4);
  for (const [name, open] of Object.entries(states(mirror))) {
    const out = laidOut(mirror, open);
    assert.deepEqual(crooked(out), [], name);
    const paired = out.beside.filter((mate) => mate >= 0).length;
    const groups = Array.from(out.scene.items.kind.subarray(0, out.items)).filter((kind) => kind !== ITEM.NODE).length;
    assert.equal(paired, groups, `${name}: every module of the forward has its row in the backward`);
  }
});

test("the forward flows down, the backward up", () => {
  const out = laidOut(transformerHalves(3));
  assert.equal(against(out, false), 0);
  assert.equal(against(out, true), 0);
  const { items } = out.scene;
  const blocks = Array.from(items.ref.keys()).filter(
    (i) => items.kind[i] !== ITEM.NODE && items.parent[i] < 0 && !isBack(out, i),
  );
  const tops = blocks.map((i) => items.y[i]);
  assert.deepEqual(
    tops,
    [...tops].sort((a, b) => a - b),
  );
});

test("the halves stand apart, each as wide as it was", () => {
  const out = laidOut(transformerHalves(2));
  const { items } = out.scene;
  for (let i = 0; i < items.count; i++) {
    if (isBack(out, i)) assert.ok(items.x[i] >= out.right);
    else assert.ok(items.x[i] + items.w[i] <= out.left);
  }
  assert.equal(out.left, out.halves.forward.width);
  assert.equal(out.scene.width, out.right + out.halves.backward.width);
});

test("a backward without modules is the forward's picture upside down", () => {
  const g = new Tape();
  const x = g.ahead.input("x");
  const parts = [0, 1, 2].map((i) => g.call("part", [x], "", i === 1));
  const mirror = g.mirror([g.call("join", [g.call("more", [parts[0]], "", true), parts[1], parts[2]], "")]);
  const out = laidOut(mirror);
  const { items } = out.scene;
  const own = out.halves.backward;
  assert.ok(new Set(own.items.h).size > 1, "boxes differ in height");
  for (let i = 0; i < own.items.count; i++) {
    assert.equal(items.y[out.items + i], own.height - own.items.y[i] - own.items.h[i]);
    assert.equal(items.x[out.items + i] - out.right, own.items.x[i]);
  }
});

test("open groups keep their title bar free", () => {
  const mirror = transformerHalves(2);
  const { scene } = laidOut(mirror, mirror.ledBy(allOpen(mirror.tree)));
  const { items } = scene;
  for (let i = 0; i < items.count; i++) {
    const around = items.parent[i];
    if (around >= 0) assert.ok(items.y[i] - items.y[around] >= GROUP_BOX.title, `item ${i}`);
  }
});

for (let seed = 1; seed <= 60; seed++) {
  test(`nothing lies over anything in random mirror ${seed}`, () => {
    const mirror = randomHalves(seed, 6 + seed * 2);
    for (const [name, open] of Object.entries(states(mirror))) {
      const out = laidOut(mirror, open);
      assert.deepEqual(treeFaults(out.scene), [], name);
      assert.deepEqual(boxFaults(out.scene), [], name);
      assert.deepEqual(lineFaults(out), [], name);
      assert.deepEqual(crossedBoxes(out.scene), [], name);
      assert.ok(against(out, false) <= against({ ...out, scene: out.halves.forward, items: Infinity }, false));
    }
  });
}

test("pairs that both halves order alike are never given up", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const mirror = transformerHalves(1 + (seed % 5));
    assert.deepEqual(crooked(laidOut(mirror, mirror.ledBy(allOpen(mirror.tree)))), []);
  }
});

test("the heaviest chain never descends and weighs most", () => {
  assert.deepEqual(heaviestChain([], []), []);
  assert.deepEqual(heaviestChain([2, 0, 1, 1], [1, 1, 1, 1]), [1, 2, 3]);
  assert.deepEqual(heaviestChain([2, 0, 1, 1], [9, 1, 1, 1]), [0]);
  assert.deepEqual(heaviestChain([0, 0, 0], [1, 1, 1]), [0, 1, 2]);
});

test("a mirror of 10,000 nodes is placed", () => {
  const mirror = transformerHalves(250);
  assert.ok(mirror.model.count > 7000, String(mirror.model.count));
  const out = laidOut(mirror, mirror.ledBy(allOpen(mirror.tree)));
  assert.deepEqual(crooked(out), []);
  assert.deepEqual(lineFaults(out), []);
});
