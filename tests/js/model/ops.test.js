import assert from "node:assert/strict";
import { test } from "node:test";

import { allClosed, allOpen, groupByPath, groupTree, openDifference, openFrom, toggled } from "../../../static/js/model/groups.js";
import { groupTexts } from "../../../static/js/model/texts.js";
import { layout } from "../../../static/js/layout/layout.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import { faults } from "../layout/faults.js";
import { Sketch, random, randomGraph } from "../layout/samples.js";

/** Norm and a linear layer in a block, each decomposed, and an add that was not. */
function decomposed() {
  const g = new Sketch("core_aten.0");
  const x = g.input("x");
  g.module("blocks.0", "Block");
  const normed = g.decomposed("layer_norm_3", "layer_norm", () => {
    const y = g.node("native_layer_norm", [x, g.parameter("w", "blocks.0.norm")], "blocks.0.norm");
    return g.node("getitem", [y], "blocks.0.norm");
  });
  const wide = g.decomposed("linear", "linear", () => {
    const flat = g.node("view", [normed], "blocks.0");
    return g.node("view", [g.node("mm", [flat], "blocks.0")], "blocks.0");
  });
  const sum = g.node("add", [wide, x], "blocks.0");
  const loss = g.decomposed("cross_entropy", "cross_entropy", () => g.node("mean", [g.node("log_softmax", [sum])]));
  g.output([loss]);
  return g.model();
}

/** @param {GraphModel} model @param {string} path @returns {string[]} */
function inside(model, path) {
  const tree = groupTree(model, "op");
  const group = groupByPath(tree, path);
  assert.ok(group >= 0, `${path} among ${tree.path}`);
  return model.name.filter((_, i) => tree.groupOf[i] === group).map((name) => name.replace(/_\d+$/, ""));
}

test("nodes decomposed from one call are a group inside their module's", () => {
  const model = decomposed();
  const tree = groupTree(model, "op");
  assert.deepEqual(inside(model, "blocks.0.norm/layer_norm_3"), ["native_layer_norm", "getitem"]);
  assert.deepEqual(inside(model, "blocks.0/linear"), ["view", "mm", "view"]);
  assert.deepEqual(inside(model, "/cross_entropy"), ["log_softmax", "mean"]);
  assert.equal(tree.parent[groupByPath(tree, "blocks.0/linear")], groupByPath(tree, "blocks.0"));
  assert.equal(groupTree(model).path.some((path) => path.includes("/")), false, "by module there is none");
});

test("a group by op is titled by its op, and merged with a module that holds nothing else", () => {
  const tree = groupTree(decomposed(), "op");
  const norm = groupByPath(tree, "blocks.0.norm/layer_norm_3");
  assert.equal(tree.shown[groupByPath(tree, "blocks.0.norm")], norm);
  assert.deepEqual(groupTexts(tree, norm), { title: "norm / layer_norm", detail: "original op · 2 nodes" });
  assert.equal(tree.title[groupByPath(tree, "blocks.0/linear")], "linear");
  assert.equal(tree.title[groupByPath(tree, "/cross_entropy")], "cross_entropy");
});

test("modules open by themselves, ops stay closed: each stands for what the model called", () => {
  const tree = groupTree(decomposed(), "op");
  const open = [...tree.open.keys()].filter((group) => group > 0 && tree.open[group]).map((group) => tree.path[group]);
  assert.deepEqual(open, ["blocks", "blocks.0"].filter((path) => tree.shown[groupByPath(tree, path)] === groupByPath(tree, path)));
  assert.ok(open.includes("blocks.0"));
});

test("an op opens into its nodes where it stands: what is around it keeps its order", () => {
  const model = decomposed();
  const tree = groupTree(model, "op");
  const group = groupByPath(tree, "blocks.0/linear");
  const scene = layout(model, tree, toggled(tree, tree.open, group));
  const of = (/** @type {number} */ kind, /** @type {number} */ ref) =>
    [...scene.items.ref.keys()].find((item) => scene.items.ref[item] === ref && (scene.items.kind[item] === 0) === (kind === 0)) ?? -1;
  const item = of(2, group);
  const norm = of(1, groupByPath(tree, "blocks.0.norm/layer_norm_3"));
  const add = of(0, model.name.findIndex((name) => name.startsWith("add")));
  assert.ok(scene.items.y[norm] + scene.items.h[norm] <= scene.items.y[item], "below the norm that feeds it");
  assert.ok(scene.items.y[item] + scene.items.h[item] <= scene.items.y[add], "above the sum that reads it");
  assert.equal(scene.items.end[item] - item - 1, 3, "its three nodes stand inside");
});

test("the gradients of a call are a group of their own", () => {
  const g = new Sketch("backward.0");
  const x = g.input("tangents_1");
  const again = g.decomposed("gelu", "gelu", () => g.node("erf", [g.node("mul", [x], "act")], "act"));
  g.backward = 1;
  g.decomposed("gelu", "gelu", () => g.node("exp", [g.node("mul", [again], "act")], "act"));
  const tree = groupTree(g.model(), "op");
  const [forward, backward] = ["act/gelu", "backward:act/gelu"].map((path) => groupByPath(tree, path));
  assert.deepEqual([tree.backward[forward], tree.backward[backward]], [0, 1]);
  assert.equal(groupTexts(tree, backward).detail, "original op · backward · 2 nodes");
});

test("a call that needs itself through another is cut into parts", () => {
  const g = new Sketch("joint.0");
  const x = g.input("x");
  g.call = g.calls.push({ name: "linear", op: "linear", backward: false }) - 1;
  const first = g.node("t", [g.node("mm", [x], "fc")], "fc");
  const own = g.call;
  g.call = -1;
  const between = g.node("add", [first, x], "fc");
  g.call = own;
  g.node("view", [g.node("sum", [between], "fc")], "fc");
  const tree = groupTree(g.model(), "op");
  assert.deepEqual(inside(g.model(), "fc/linear"), ["mm", "t"]);
  assert.deepEqual(inside(g.model(), "fc/linear@1"), ["sum", "view"]);
  assert.equal(tree.title[groupByPath(tree, "fc/linear@1")], "linear (part 2)");
});

test("a lone node of a call is no group, and a module may be called like one", () => {
  const g = new Sketch("core_aten.0");
  const x = g.input("x");
  g.decomposed("relu", "relu", () => g.node("relu", [x], "act"));
  g.decomposed("gelu", "gelu", () => g.node("erf", [g.node("mul", [x], "act")], "act"));
  g.node("sin", [x], "act/gelu");
  const tree = groupTree(g.model(), "op");
  assert.equal(groupByPath(tree, "act/relu"), -1);
  assert.equal(new Set(tree.path).size, tree.count);
  assert.deepEqual(tree.path.filter((path) => path.startsWith("act/gelu")), ["act/gelu", "act/gelu~2"]);
});

test("what was opened and closed comes back from the address", () => {
  const tree = groupTree(decomposed(), "op");
  const open = toggled(tree, toggled(tree, tree.open, groupByPath(tree, "blocks.0/linear")), groupByPath(tree, "/cross_entropy"));
  const difference = openDifference(tree, open);
  assert.deepEqual(openFrom(tree, difference), open);
  assert.deepEqual([...difference.opened, ...difference.closed].filter((path) => path !== "*").length > 0, true);
});

test("random graphs with random calls: every node in one group, paths unique, and everything is laid out", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const plain = randomGraph(seed, 40);
    const calls = Array.from({ length: 12 }, (_, i) => ({ name: `c${i >> 1}`, op: "c", backward: i % 2 === 1 }));
    const model = Object.assign(Object.create(GraphModel.prototype), plain, {
      calls,
      call: Int32Array.from({ length: plain.count }, () => (next() < 0.3 ? -1 : Math.floor(next() * 12))),
    });
    const tree = groupTree(model, "op");
    assert.equal(new Set(tree.path).size, tree.count, `seed ${seed}`);
    for (let group = 1; group < tree.count; group++) {
      if (tree.op[group] < 0) continue;
      const its = [...tree.groupOf.keys()].filter((node) => tree.groupOf[node] === group);
      for (const node of its) if (!model.folded[node]) assert.equal(model.call[node], tree.op[group], `seed ${seed}`);
    }
    for (const open of [allOpen(tree), allClosed(tree), tree.open]) {
      assert.deepEqual(faults(model, tree, open, layout(model, tree, open)), [], `seed ${seed}`);
    }
  }
});
