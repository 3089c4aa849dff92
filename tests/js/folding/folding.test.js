import assert from "node:assert/strict";
import { test } from "node:test";

import { foldedModel, nodeOfRefolded } from "../../../static/js/model/folding/folded.js";
import { foldFacts, restText, rowWith } from "../../../static/js/model/folding/facts.js";
import { foldsIn, withFold } from "../../../static/js/model/folding/folds.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import { groupByPath, groupTree, openDifference, openFrom, openPathTo } from "../../../static/js/model/groups.js";
import { layout } from "../../../static/js/layout/layout.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { edgeTip, tipOf } from "../../../static/js/render/tips.js";
import { Sketch, randomGraph, transformer } from "../layout/samples.js";

/** @typedef {import("../../../static/js/model/folding/folds.js").Fold} Fold */

/** @param {readonly Fold[]} folds @param {string[]} [unfolded] */
const folding = (folds, unfolded = []) => ({ folds, unfolded });

/** A model with its identical blocks told, as the server does. @param {GraphModel} model @param {string[][]} rows paths of modules @param {boolean} [backward] */
function repeating(model, rows, backward = false) {
  const { modules, group } = model;
  const repeats = rows.map((paths) => ({
    backward,
    copies: paths.map((path) => {
      const inside = modules.map((each) => each.path === path || each.path.startsWith(`${path}.`));
      const nodes = [...group.keys()].filter((node) => inside[group[node]] && Boolean(model.backward[node]) === backward);
      return { module: modules.findIndex((each) => each.path === path), nodes: nodes.flatMap((node) => [node, 1]) };
    }),
  }));
  return new GraphModel({ ...model.columns, repeats: [...model.repeats, ...repeats] });
}

/** @param {number} layers */
const blocks = (layers) => Array.from({ length: layers }, (_, i) => `h.${i}`);

/** @param {GraphModel} model */
const drawnNodes = (model) => [...model.folded.keys()].filter((node) => !model.folded[node]);

/** @param {GraphModel} model */
const spelt = ({ edges, name }) => Array.from(edges.src, (src, e) => `${name[src]} > ${name[edges.dst[e]]}`);

test("identical blocks are drawn once, with one block's nodes, edges and parameters", () => {
  const model = repeating(transformer(12), [blocks(12)]);
  const folded = foldedModel(model, folding(["repeats"]));
  const one = transformer(1);
  assert.equal(drawnNodes(folded).length, drawnNodes(one).length);
  assert.deepEqual(new Set(drawnNodes(folded).map((node) => folded.labelOf(node))), new Set(drawnNodes(one).map((node) => one.labelOf(node))));
  assert.equal(folded.edges.count, one.edges.count);
  assert.equal(folded.chips.node.length, one.chips.node.length);
  assert.equal(folded.base, model);
});

test("what follows the last block follows the one that is drawn; a block that follows another does not lead back into it", () => {
  const model = repeating(transformer(4), [blocks(4)]);
  const folded = foldedModel(model, folding(["repeats"]));
  const head = drawnNodes(folded).find((node) => folded.modulePathOf(node) === "lm_head") ?? -1;
  const ends = folded.sourcesOf(head).filter((node) => !folded.folded[node]);
  assert.deepEqual(ends.map((node) => folded.modulePathOf(node)), ["h.0"]);
  folded.edges.src.forEach((src, e) => assert.ok(src < folded.edges.dst[e], `${spelt(folded)[e]} leads back`));
});

test("a node of a block that is not drawn is found on the one that is", () => {
  const model = repeating(transformer(4), [blocks(4)]);
  const folded = foldedModel(model, folding(["repeats"]));
  const tree = groupTree(folded);
  const open = openFrom(tree, { opened: ["*"], closed: [] });
  const drawing = new Drawing(folded, tree, layout(folded, tree, open));
  for (let node = 0; node < model.count; node++) {
    const [label, path] = [model.labelOf(node).replace(/^h\.\d+/, "h.0"), model.modulePathOf(node).replace(/^h\.\d+/, "h.0")];
    for (const item of drawing.itemsOf(node)) {
      assert.ok(drawing.isNode(item));
      const shown = drawing.scene.items.ref[item];
      if (!model.folded[node]) assert.deepEqual([folded.labelOf(shown), folded.modulePathOf(shown)], [label, path]);
    }
    assert.ok(drawing.itemsOf(node).length > 0, `${model.name[node]} is shown`);
  }
});

test("a block that is not drawn is opened, closed and named as the one that is", () => {
  const folded = foldedModel(repeating(transformer(12), [blocks(12)]), folding(["repeats"]));
  const tree = groupTree(folded);
  const [first, seventh] = ["h.0", "h.7"].map((path) => groupByPath(tree, path));
  assert.equal(tree.title[first], "h.0 … 11 ×12");
  assert.equal(tree.times[first], 12);
  assert.equal(tree.shown[seventh], first);
  assert.equal(tree.shown[groupByPath(tree, "h.7.attn")], groupByPath(tree, "h.0.attn"));
  const closed = openFrom(tree, { opened: [], closed: ["*"] });
  const open = openFrom(tree, { opened: ["h.7.attn", "h.3"], closed: ["*"] });
  assert.deepEqual(openDifference(tree, open).opened.filter((path) => path !== "*").sort(), ["h.0", "h.0.attn"]);
  const node = [...folded.group.keys()].find((each) => !folded.columns.nodes.chip[each] && folded.modulePathOf(each) === "h.9.attn") ?? -1;
  assert.deepEqual(openPathTo(tree, closed, node), open);
});

test("rows are unfolded one by one", () => {
  const model = repeating(transformer(3), [blocks(3)]);
  const unfolded = folding(["repeats"], ["h.0"]);
  assert.equal(foldedModel(model, unfolded), model, "nothing is folded: the graph itself");
  const folded = foldedModel(model, folding(["repeats"]));
  assert.equal(foldedModel(model, folding(["repeats"])), folded, "the same each time");
  const anchor = nodeOfRefolded(folded, model);
  assert.ok(anchor >= 0 && !folded.folded[anchor] && !model.folded[anchor] && model.modulePathOf(anchor).startsWith("h.0"));
  assert.equal(nodeOfRefolded(model, model), -1);
});

/** Blocks of heads in a row, each of which reads the one before. */
function nested() {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 3; i++) for (let head = 0; head < 3; head++) for (const op of ["sin", "cos"]) x = g.node(op, [x], `h.${i}.head.${head}`);
  g.output([x]);
  const heads = [0, 1, 2].map((i) => [0, 1, 2].map((head) => `h.${i}.head.${head}`));
  return repeating(g.model(), [["h.0", "h.1", "h.2"], ...heads]);
}

test("rows inside rows", () => {
  const model = nested();
  const all = foldedModel(model, folding(["repeats"]));
  assert.deepEqual(spelt(all), ["x_0 > sin_1", "sin_1 > cos_2", "cos_2 > output_19"]);
  const outer = foldedModel(model, folding(["repeats"], ["h.0.head.0"]));
  assert.equal(drawnNodes(outer).length, 8);
  const inner = foldedModel(model, folding(["repeats"], ["h.0"]));
  assert.deepEqual(spelt(inner).slice(0, 4), ["x_0 > sin_1", "sin_1 > cos_2", "cos_2 > sin_7", "sin_7 > cos_8"]);
  assert.deepEqual(foldFacts(model).rows.map(({ words, times }) => `${words} ${times}`).slice(0, 2), ["h.0 … 2 3", "h.0.head.0 … 2 3"]);
  assert.equal(rowWith(model, "h.2.head.1")?.path, "h.2.head.0");
  assert.equal(rowWith(model, "x"), null);
});

test("forward and backward halves fold each for itself, and what is between them leads from one to the other", () => {
  const g = new Sketch("joint.0");
  let x = g.input("x");
  /** @type {number[]} */
  const saved = [];
  for (let i = 0; i < 3; i++) saved.push((x = g.node("sin", [g.node("neg", [x], `h.${i}`)], `h.${i}`)));
  g.backward = 1;
  for (let i = 2; i >= 0; i--) x = g.node("mul", [g.node("cos", [saved[i]], `h.${i}`), x], `h.${i}`);
  g.output([x]);
  const both = repeating(repeating(g.model(), [["h.0", "h.1", "h.2"]]), [["h.0", "h.1", "h.2"]], true);
  const folded = foldedModel(both, folding(["repeats"]));
  assert.equal(drawnNodes(folded).length, 6);
  const tree = groupTree(folded);
  assert.equal(tree.title[groupByPath(tree, "backward:h.0")], "h.0 … 2 ×3");
  assert.equal(groupByPath(tree, "backward:h.2"), groupByPath(tree, "backward:h.0"), "it has no group of its own");
  const crossing = spelt(folded).filter((each) => /^sin.*> cos/.test(each));
  assert.equal(new Set(crossing).size, 1);
  const half = foldedModel(both, folding(["repeats"], ["backward:h.0"]));
  assert.equal(drawnNodes(half).length, 10, "the other half is drawn block by block");
});

test("hidden views lead what they are of to what reads them; types and outputs on the edges stay right", () => {
  const g = new Sketch();
  const x = g.input("x", "f32[4, 8]");
  const w = g.parameter("w");
  const t = g.node("t", [w], "", { kind: "view", type: "f32[64, 64]" });
  const size = g.node("sym_size", [x], "", { kind: "symbolic", type: "sym(s0)" });
  const view = g.node("view", [x, size], "", { kind: "view", type: "f32[32]" });
  const cast = g.node("_to_copy", [view], "", { kind: "pointwise", type: "f16[32]" });
  const mm = g.node("mm", [cast, t], "", { kind: "matmul" });
  const split = g.node("split", [mm], "", { type: "(f32[1], f32[2])" });
  const item = g.node("getitem[1]", [split], "", { kind: "view", type: "f32[2]" });
  const out = g.output([item]);
  const columns = g.columns();
  columns.edges.output = columns.edges.src.map((src, e) => (src === split && columns.edges.dst[e] === item ? 1 : 0));
  const model = new GraphModel(columns);
  const folded = foldedModel(model, folding(["views"]));
  const rows = Array.from(folded.edges.src, (src, e) => [src, folded.edges.dst[e], folded.typeOnEdge(e), folded.edges.output[e]]);
  assert.deepEqual(rows, [
    [x, size, "f32[4, 8]", 0],
    [x, mm, "f16[32]", 0],
    [size, mm, "sym(s0)", 0],
    [w, mm, "f32[64, 64]", 0],
    [mm, split, "f32[8, 64]", 0],
    [split, out, "f32[2]", 1],
  ]);
  assert.deepEqual(Array.from(folded.chipsOf(mm)), [w], "a view of a parameter is that parameter, on what reads the view");
  assert.deepEqual(Array.from(folded.stand ?? [], (at) => folded.name[at]).slice(view, mm), [model.name[x], model.name[x]]);
  assert.equal(foldFacts(model).views, 4);
});

test("a tooltip says what an edge leads past, and that a block stands for several", () => {
  const g = new Sketch();
  const view = g.node("view", [g.input("x")], "", { kind: "view", type: "f32[9]" });
  g.output([g.node("sin", [view])]);
  const draw = (/** @type {GraphModel} */ folded) => {
    const tree = groupTree(folded);
    return new Drawing(folded, tree, layout(folded, tree, openFrom(tree, { opened: [], closed: ["*"] })));
  };
  const words = edgeTip(draw(foldedModel(g.model(), folding(["views"]))), 0).map(({ text }) => text);
  assert.deepEqual(words, ["x_0 → sin_2", "f32[9]", "argument 0 of sin_2", "by way of view_1, which is hidden"]);
  const drawing = draw(foldedModel(repeating(transformer(12), [blocks(12)]), folding(["repeats"])));
  const item = drawing.itemOfGroup[groupByPath(drawing.tree, "h.4")] ?? -1;
  assert.equal(item, -1, "only the first block has an item");
  const first = drawing.itemOfGroup[drawing.tree.shown[groupByPath(drawing.tree, "h.4")]];
  const tip = tipOf(drawing, /** @type {any} */ ({ item: first, part: "body" }), -1).map(({ text }) => text);
  assert.ok(tip.some((text) => /^Drawn once for 12 identical blocks/.test(text)), tip.join("; "));
});

test("a view that reads nothing is drawn", () => {
  const g = new Sketch();
  g.output([g.node("empty_view", [], "", { kind: "view" })]);
  assert.equal(drawnNodes(foldedModel(g.model(), folding(["views"]))).length, 2);
});

test("what a hidden view is returned as is said of what it is a view of", () => {
  const g = new Sketch();
  const w = g.parameter("w");
  const mm = g.node("mm", [w], "", { kind: "matmul" });
  const view = g.node("t", [mm], "", { kind: "view" });
  g.output([view]);
  const folded = foldedModel(new GraphModel({ ...g.columns(), returns: [[view, "gradient", "w"]] }), folding(["views"]));
  assert.deepEqual([...folded.returned], [[mm, [{ kind: "gradient", name: "w", into: w }]]]);
  assert.deepEqual([...folded.writers], [[w, [mm]]]);
});

/** Whether one node reaches another, by edges. @param {GraphModel} model @returns {Set<string>} */
function reach(model) {
  /** @type {Set<string>} */
  const found = new Set();
  const { src, dst, count } = model.edges;
  const before = Array.from({ length: model.count }, () => new Set([-1]));
  const order = [...Array(count).keys()].sort((a, b) => dst[a] - dst[b]);
  for (const e of order) for (const each of [src[e], ...before[src[e]]]) if (each >= 0) before[dst[e]].add(each) && found.add(`${each} ${dst[e]}`);
  return found;
}

for (let seed = 1; seed <= 25; seed++) {
  test(`with views hidden, the nodes that are left reach the same ones: random graph ${seed}`, () => {
    const { columns } = randomGraph(seed, 60);
    const kind = columns.nodes.kind.map((each, i) => (i % 5 < 3 ? columns.kinds.indexOf("view") : each));
    const model = new GraphModel({ ...columns, nodes: { ...columns.nodes, kind } });
    const folded = foldedModel(model, folding(["views"]));
    const left = new Set(drawnNodes(folded));
    assert.ok(left.size < drawnNodes(model).length - 10);
    const [before, after] = [reach(model), reach(folded)];
    const among = (/** @type {Set<string>} */ pairs) => [...pairs].filter((pair) => pair.split(" ").every((node) => left.has(Number(node)))).sort();
    assert.deepEqual(among(after), among(before));
  });
}

test("a long chain is one closed group, from its first node to the one that others read", () => {
  const g = new Sketch();
  let x = g.input("x");
  x = g.node("mm", [x], "a", { kind: "matmul" });
  for (const op of ["view", "permute", "mul", "view"]) x = g.node(op, [x], "a", { kind: op === "mul" ? "pointwise" : "view" });
  const y = g.node("relu", [x], "a", { kind: "pointwise" });
  const end = g.node("add", [x, y], "b", { kind: "pointwise" });
  g.output([end]);
  const tree = groupTree(foldedModel(g.model(), folding(["chains"])));
  const group = groupByPath(tree, "a/view-permute-mul-view");
  assert.equal(tree.title[group], "view → permute → mul → view");
  assert.equal(tree.cls[group], "chain");
  assert.equal(tree.open[group], 0);
  assert.deepEqual([...tree.groupOf.keys()].filter((node) => tree.groupOf[node] === group), [2, 3, 4, 5]);
  assert.equal(groupByPath(groupTree(g.model()), "a/view-permute-mul-view"), -1);
});

test("chains stay inside the group of their op", () => {
  const g = new Sketch();
  let x = g.input("x");
  for (const name of ["first", "second"])
    g.decomposed(name, "gelu", () => {
      for (let i = 0; i < 5; i++) x = g.node(`mul${i}`, [x], "a", { kind: "pointwise" });
    });
  g.output([x]);
  const tree = groupTree(foldedModel(g.model(), folding(["chains"])), "op");
  const chains = [...tree.chain.keys()].filter((group) => tree.chain[group] >= 0);
  assert.deepEqual(chains.map((group) => tree.nodes[group]), [5, 5]);
  assert.equal(new Set(chains.map((group) => tree.path[group])).size, 2);
});

test("folding 100,000 nodes does not recurse", () => {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 100_000; i++) x = g.node("view", [x], "", { kind: "view" });
  g.output([x]);
  const folded = foldedModel(g.model(), folding(["views", "chains"]));
  assert.equal(folded.edges.count, 1);
});

test("words of the address", () => {
  assert.deepEqual(foldsIn(["views", "nonsense", "repeats"]), ["repeats", "views"]);
  assert.deepEqual(withFold(["repeats"], "views", true), ["repeats", "views"]);
  assert.deepEqual(withFold(["repeats", "views"], "repeats", false), ["views"]);
  assert.equal(restText(["h.0", "h.1", "h.2"]), " … 2");
  assert.equal(restText(["h.0", "h.2", "h.5"]), ", 2, 5");
});
