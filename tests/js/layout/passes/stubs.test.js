import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_PASSING } from "../../../../static/js/layout/passing.js";
import { LayoutCache, layout } from "../../../../static/js/layout/layout.js";
import { allOpen, groupTree } from "../../../../static/js/model/groups.js";
import { Sketch, jointGraph } from "../samples.js";

/** A chain that is walked back: every value of the way there is read once more, the last first. @param {number} length */
function thereAndBack(length) {
  const g = new Sketch();
  const values = [g.input("x")];
  for (let i = 1; i < length; i++) values.push(g.node("relu", [values[i - 1]]));
  let back = values[length - 1];
  for (let i = length - 2; i >= 0; i--) back = g.node("mul", [back, values[i]]);
  g.output([back]);
  const model = g.model();
  const tree = groupTree(model);
  return layout(model, tree, allOpen(tree));
}

/** @param {import("../../../../static/js/base/scene/flow.js").Flow} flow */
function joint(flow) {
  const model = jointGraph(8);
  const tree = groupTree(model);
  return layout(model, tree, allOpen(tree), new LayoutCache(), { flow });
}

/** How many ranks every edge but those of the chain spans, and whether it is a stub. @param {ReturnType<typeof layout>} scene */
function spans({ edges }) {
  return Array.from(edges.from, (from, e) => ({ span: edges.to[e] - from, stub: edges.stub[e] })).filter(({ span }) => span > 1);
}

test("as many lines pass a rank as may; those that pass the most ranks are not drawn", () => {
  const all = spans(thereAndBack(MAX_PASSING + 20));
  const drawn = all.filter(({ stub }) => !stub);
  assert.equal(drawn.length, MAX_PASSING);
  const longestDrawn = Math.max(...drawn.map(({ span }) => span));
  assert.ok(all.every(({ span, stub }) => stub || span <= longestDrawn));
  assert.ok(all.filter(({ stub }) => stub).every(({ span }) => span > longestDrawn));
});

test("below that everything is drawn", () => {
  assert.ok(spans(thereAndBack(MAX_PASSING)).every(({ stub }) => !stub));
});

test("in a group of hundreds nothing passes more than a dozen ranks", () => {
  for (const { span, stub } of spans(thereAndBack(210))) assert.equal(stub === 1, span > 12, `span ${span}`);
});

test("the labels of what is not drawn have room: inside the border, and between two ranks for both", () => {
  for (const scene of [thereAndBack(210), joint("down"), joint("right")]) {
    const { items, edges } = scene;
    for (let e = 0; e < edges.count; e++) {
      if (!edges.stub[e]) continue;
      for (const [end, below] of /** @type {const} */ ([
        [edges.from[e], true],
        [edges.to[e], false],
      ])) {
        const around = items.parent[end];
        const [top, bottom] = around < 0 ? [0, scene.height] : [items.y[around] + 28, items.y[around] + items.h[around]];
        const label = below ? items.y[end] + items.h[end] + 26 : items.y[end] - 26;
        assert.ok(label >= top && label <= bottom, `of edge ${e}`);
      }
    }
  }
});

test("what reads one value shares a trunk, however many read it", () => {
  const g = new Sketch();
  const x = g.input("x");
  let y = x;
  for (let i = 0; i < 60; i++) y = g.node("add", [y, x]);
  g.output([y]);
  const model = g.model();
  const tree = groupTree(model);
  const { edges } = layout(model, tree, allOpen(tree));
  assert.equal(
    edges.stub.reduce((sum, each) => sum + each, 0),
    0,
  );
  const columns = new Set();
  for (let e = 0; e < edges.count; e++) {
    if (edges.from[e] !== 0 || edges.to[e] < 3) continue;
    columns.add(edges.points[2 * edges.start[e] + 4]); // the second bend: where the trunk runs down
  }
  assert.equal(columns.size, 1);
});
