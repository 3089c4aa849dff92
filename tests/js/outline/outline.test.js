import assert from "node:assert/strict";
import { test } from "node:test";

import { allClosed, allOpen, groupTree } from "../../../static/js/model/groups.js";
import { outlineOf } from "../../../static/js/model/outline/inside.js";
import { rowAround, rowOf, rowsOf } from "../../../static/js/model/outline/rows.js";
import { describeDrawing, describeGroup, describeNode } from "../../../static/js/model/outline/words.js";
import { Sketch, transformer } from "../layout/samples.js";

test("modules stand in the order they run, wherever their parameters do", () => {
  const g = new Sketch();
  const late = g.parameter("late.weight", "late");
  const early = g.parameter("early.weight", "early");
  const x = g.input("x");
  const first = g.node("mul", [x, early], "early");
  g.node("mul", [first, late], "late");
  const model = g.model();
  const tree = groupTree(model);
  const inside = outlineOf(model, tree);
  const groups = inside[0].filter((entry) => entry.group > 0).map((entry) => tree.title[entry.group]);
  assert.deepEqual(groups, ["early", "late"]);
  const shown = inside.flat().filter((entry) => entry.node >= 0);
  assert.equal(shown.length, model.count, "every node once, parameters too");
});

const model = transformer(2);
const tree = groupTree(model);
const inside = outlineOf(model, tree);
const named = (/** @type {import("../../../static/js/model/outline/rows.js").Rows} */ rows) =>
  Array.from(
    { length: rows.count },
    (_, row) =>
      `${"  ".repeat(rows.level[row] - 1)}${rows.node[row] >= 0 ? model.labelOf(rows.node[row]) : tree.title[rows.group[row]]}`,
  );

test("a closed group is one row, an open one has its own below it", () => {
  const closed = rowsOf(inside, allClosed(tree));
  assert.deepEqual(named(closed), ["ids", "wte", "add", "h", "lm_head", "output", "wpe.weight"]);
  const open = allClosed(tree);
  const block = tree.path.indexOf("h.1");
  open[block] = open[tree.path.indexOf("h")] = 1;
  const rows = rowsOf(inside, open);
  const at = rowOf(rows, { group: block, node: -1 });
  assert.deepEqual(named(rows).slice(at, at + 4), ["  1", "    ln_1", "    attn", "    add"]);
  assert.deepEqual([rows.place[at], rows.size[at], rows.place[at + 3], rows.level[at + 3]], [2, 2, 3, 3]);
  assert.equal(rowAround(rows, at + 3), at);
  assert.equal(rowAround(rows, 0), -1);
});

test("with everything open every node and group has one row", () => {
  const rows = rowsOf(inside, allOpen(tree));
  const nodes = [...rows.node].filter((node) => node >= 0);
  assert.equal(new Set(nodes).size, model.count);
  assert.equal(nodes.length, model.count);
  const groups = tree.shown.filter((shown, group) => group > 0 && shown === group).length;
  assert.equal(rows.count, model.count + groups);
});

test("groups nested deeper than any stack hold", () => {
  const g = new Sketch();
  const path = Array.from({ length: 3000 }, (_, i) => `m${i}`);
  let x = g.input("x");
  for (let depth = 1; depth <= 60; depth++) x = g.node("relu", [x], path.slice(0, depth).join("."));
  const deep = g.model();
  const deepTree = groupTree(deep);
  assert.equal(Math.max(...rowsOf(outlineOf(deep, deepTree), allOpen(deepTree)).level), 61);
});

test("a node, a group and a drawing in words", () => {
  const linear = model.name.findIndex((name) => name.startsWith("linear"));
  assert.match(
    describeNode(model, linear),
    /^linear_\d+, matmul linear; f32\[8, 64\]; reads layer_norm_\d+, .+; read by view_\d+; in h\.0\.attn\.q_proj\.$/,
  );
  assert.match(describeGroup(tree, tree.path.indexOf("h.0"), true), /^Group 0, Block · \d+ nodes, open\.$/);
  assert.match(describeDrawing(model, tree, allClosed(tree), ""), /^export\.0: \d+ nodes; 0 of \d+ groups open\.$/);
  assert.match(
    describeDrawing(model, tree, allOpen(tree), "ancestors of x"),
    /^export\.0: the ancestors of x, \d+ nodes; (\d+) of \1 groups open\.$/,
  );
});
