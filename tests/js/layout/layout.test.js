import assert from "node:assert/strict";
import { test } from "node:test";

import { LayoutCache, layout } from "../../../static/js/layout/layout.js";
import { allClosed, allOpen, groupTree, toggled } from "../../../static/js/model/groups.js";
import { crossedBoxes, faults } from "./faults.js";
import { Sketch, chain, jointGraph, lstm, mlp, random, randomGraph, transformer } from "./samples.js";

/** @typedef {import("../../../static/js/model/graph.js").GraphModel} GraphModel */

/**
 * @param {GraphModel} model
 * @param {(tree: import("../../../static/js/model/types.js").GroupTree) => Uint8Array} [choose]
 */
function laidOut(model, choose = allOpen) {
  const tree = groupTree(model);
  const open = choose(tree);
  const scene = layout(model, tree, open);
  assert.deepEqual(faults(model, tree, open, scene), []);
  if (model.count < 150) {
    const turned = layout(model, tree, open, new LayoutCache(), { flow: "right" });
    assert.deepEqual(faults(model, tree, open, turned), [], "from left to right");
  }
  return { model, tree, open, scene };
}

/** @param {import("../../../static/js/base/scene/scene.js").Scene} scene */
const stubs = (scene) => scene.edges.stub.reduce((sum, each) => sum + each, 0);

/** @param {import("../../../static/js/base/scene/scene.js").Scene} scene @param {number} e */
const bends = (scene, e) => scene.edges.start[e + 1] - scene.edges.start[e] - 2;

test("an empty graph is an empty scene", () => {
  const { scene } = laidOut(new Sketch().model());
  assert.equal(scene.items.count, 0);
  assert.equal(scene.edges.count, 0);
});

test("one node", () => {
  const g = new Sketch();
  g.input("x");
  assert.equal(laidOut(g.model()).scene.items.count, 1);
});

test("a chain is one straight vertical line, however wide its nodes are", () => {
  const { scene } = laidOut(chain(30));
  for (let e = 0; e < scene.edges.count; e++) assert.equal(bends(scene, e), 0, `edge ${e}`);
});

test("a chain through nested groups is straight as well", () => {
  const { scene } = laidOut(mlp());
  for (let e = 0; e < scene.edges.count; e++) assert.equal(bends(scene, e), 0, `edge ${e}`);
});

test("residual lines run beside a straight spine, all drawn whole", () => {
  const { scene, model } = laidOut(transformer(2));
  assert.equal(stubs(scene), 0);
  assert.deepEqual(crossedBoxes(scene), []);
  const middles = new Set();
  for (let i = 0; i < scene.items.count; i++) {
    if (scene.items.kind[i] === 0 && model.labelOf(scene.items.ref[i]) === "add")
      middles.add(scene.items.x[i] + scene.items.w[i] / 2);
  }
  assert.equal(middles.size, 1, "all additions stand below each other");
});

test("random graphs: all open, all closed, as they open, and half open", () => {
  for (let seed = 1; seed <= 120; seed++) {
    const model = randomGraph(seed, 1 + Math.floor(random(seed * 7)() ** 3 * 400));
    const next = random(seed);
    laidOut(model);
    laidOut(model, allClosed);
    laidOut(model, (tree) => tree.open);
    laidOut(model, (tree) => allOpen(tree).map((open, group) => (group && next() < 0.5 ? 0 : open)));
  }
});

test("random graphs of 2,000 nodes", () => {
  for (const seed of [201, 202, 203]) laidOut(randomGraph(seed, 2000));
});

test("no line runs through a box", () => {
  for (let seed = 300; seed < 340; seed++)
    assert.deepEqual(crossedBoxes(laidOut(randomGraph(seed, 60)).scene), [], `seed ${seed}`);
  for (const model of [lstm(3), jointGraph(1), jointGraph(1, false)])
    assert.deepEqual(crossedBoxes(laidOut(model).scene), []);
});

test("edges of a graph without groups all run down", () => {
  const g = new Sketch();
  const next = random(9);
  for (let i = 0; i < 300; i++) g.node("op", i ? [Math.floor(next() * i), Math.floor(next() * i)] : []);
  const { scene } = laidOut(g.model());
  const { items, edges } = scene;
  for (let e = 0; e < edges.count; e++) assert.ok(items.y[edges.from[e]] + items.h[edges.from[e]] < items.y[edges.to[e]]);
});

test("groups that depend on each other in a circle: one of the edges runs up", () => {
  const g = new Sketch();
  const x = g.input("x");
  const y = g.input("y");
  const first = g.node("first", [x], "a");
  const second = g.node("second", [y], "b");
  g.output([g.node("third", [first], "b"), g.node("fourth", [second], "a")]);
  const { scene, model } = laidOut(g.model(), allClosed);
  const { items, edges } = scene;
  const runsUp = (/** @type {number} */ e) => edges.points[2 * edges.start[e] + 1] === items.y[edges.from[e]];
  const upwards = Array.from({ length: edges.count }, (_, e) => e)
    .filter(runsUp)
    .map((e) => model.labelOf(model.edges.src[edges.edge[e]]));
  assert.deepEqual(upwards, ["second"]);
  laidOut(g.model(), allOpen);
});

test("forward and backward of a joint graph are apart, so that even all closed everything runs down", () => {
  for (const choose of [allOpen, allClosed]) {
    const { scene } = laidOut(jointGraph(2), choose);
    for (let e = 0; e < scene.edges.count; e++) {
      assert.ok(scene.items.y[scene.edges.from[e]] < scene.items.y[scene.edges.to[e]], `edge ${e}`);
    }
  }
});

test("the same graph gives the same scene, laid out at once or step by step", () => {
  const model = jointGraph(2);
  const tree = groupTree(model);
  const cache = new LayoutCache();
  let open = tree.open;
  const next = random(4);
  for (let k = 0; k < 25; k++) {
    assert.deepEqual(layout(model, tree, open, cache), layout(model, tree, open));
    open = toggled(tree, open, 1 + Math.floor(next() * (tree.count - 1)));
  }
});

test("opening a group lays out only it and what is around it", () => {
  const model = transformer(12);
  const tree = groupTree(model);
  const cache = new LayoutCache();
  const open = tree.path.map((path) => (path === "" || path === "h" ? 1 : 0));
  layout(model, tree, Uint8Array.from(open), cache);
  const before = cache.solved;
  layout(model, tree, toggled(tree, Uint8Array.from(open), tree.path.indexOf("h.5")), cache);
  assert.equal(cache.solved - before, 3, "h.5, h and the top");
  layout(model, tree, Uint8Array.from(open), cache);
  layout(model, tree, toggled(tree, Uint8Array.from(open), tree.path.indexOf("h.5")), cache);
  assert.equal(cache.solved - before, 3, "closing it and opening it once more costs nothing");
});

test("a wide rank is wrapped", () => {
  const wide = new Sketch();
  const inputs = Array.from({ length: 300 }, (_, i) => wide.input(`x${i}`));
  wide.output([wide.node("cat", inputs)]);
  assert.ok(laidOut(wide.model()).scene.width < 4000);
  const fan = new Sketch();
  const x = fan.input("x");
  for (let i = 0; i < 500; i++) fan.node("relu", [x]);
  assert.ok(laidOut(fan.model()).scene.width < 4000);
  const chains = new Sketch();
  for (let i = 0; i < 300; i++) chains.node("relu", [chains.node("sin", [chains.input(`x${i}`)])]);
  const { scene } = laidOut(chains.model());
  assert.ok(scene.width < 4000);
  assert.equal(stubs(scene), 0, "chains are stacked whole");
});

test("a tall graph stands in columns, or where it flows to the right in rows; without wrapping it is one piece", () => {
  for (const model of [chain(2000), jointGraph(12), jointGraph(12, false), transformer(24), lstm(60)]) {
    const { scene, tree, open } = laidOut(model);
    assert.ok(scene.wrapped, model.id);
    assert.ok(scene.height < 24_000 && scene.width < 40_000, `${scene.width} x ${scene.height}`);
    const piece = layout(model, tree, open, new LayoutCache(), { wrap: false });
    assert.equal(piece.wrapped, 0);
    assert.ok(piece.height > 24_000);
    const rows = layout(model, tree, open, new LayoutCache(), { flow: "right" });
    assert.deepEqual(faults(model, tree, open, rows), []);
    assert.ok(rows.wrapped && rows.width < 24_000 && rows.height < 24_000, `${rows.width} x ${rows.height}`);
  }
});

test("no line runs through a box where a graph stands in columns", () => {
  for (const model of [chain(800), transformer(16), lstm(40), jointGraph(5)]) {
    for (const flow of /** @type {const} */ (["down", "right"])) {
      const tree = groupTree(model);
      const scene = layout(model, tree, allOpen(tree), new LayoutCache(), { flow });
      assert.ok(scene.wrapped);
      assert.deepEqual(crossedBoxes(scene), []);
    }
  }
});

test("values saved for the backward: at most so many lines pass a rank, the others are stubs", () => {
  const model = jointGraph(8, false);
  const tree = groupTree(model);
  laidOut(model);
  const scene = layout(model, tree, allOpen(tree), new LayoutCache(), { wrap: false });
  assert.ok(stubs(scene) > 0);
  assert.ok(scene.width < 6000);
  const { scene: small } = laidOut(jointGraph(1));
  assert.equal(stubs(small), 0, "a small joint graph is drawn whole");
});

test("100,000 nodes: a chain, a hub, a joint graph, deep groups", () => {
  const long = chain(100_000);
  assert.equal(layout(long, groupTree(long), allOpen(groupTree(long))).items.count, long.count);
  const hub = new Sketch();
  const x = hub.input("x");
  hub.output(Array.from({ length: 50_000 }, () => hub.node("relu", [x])));
  const star = hub.model();
  assert.equal(layout(star, groupTree(star), allOpen(groupTree(star))).items.count, star.count);
  const joint = jointGraph(940);
  assert.ok(joint.count > 99_000);
  const tree = groupTree(joint);
  assert.ok(layout(joint, tree, allOpen(tree)).items.count > 99_000);
  const deep = new Sketch();
  let y = deep.input("x");
  for (let i = 0, path = "m"; i < 64; i++, path += ".m") y = deep.node("relu", [deep.node("sin", [y], path)], path);
  laidOut(deep.model());
});
