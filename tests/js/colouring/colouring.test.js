import assert from "node:assert/strict";
import { test } from "node:test";

import { classCounts, nodesOf, orderedColour, rampColour } from "../../../static/js/model/colouring/classes.js";
import { MODES, isReady, modeFor, modesFor } from "../../../static/js/model/colouring/modes.js";
import { fateGraphs } from "../../../static/js/model/colouring/fate.js";
import { COLOURS } from "../../../static/js/render/theme.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import { Sketch, jointGraph, mlp, randomGraph, transformer } from "../layout/samples.js";

/** @typedef {import("../../../static/js/model/colouring/types.js").Around} Around */

/** @type {Around} */
const ALONE = { has: () => false, graph: () => null };

/** @param {GraphModel[]} models @returns {Around} */
const among = (models) => ({
  has: (gid) => models.some((model) => model.id === gid),
  graph: (gid) => models.find((model) => model.id === gid) ?? null,
});

/** @param {GraphModel} model @param {string} id @param {Around} [around] @returns {{[title: string]: string[]}} names by class */
function classes(model, id, around = ALONE) {
  const { classes: found, of } = modeFor(id, model, around).colour(model, around);
  return Object.fromEntries(found.map(({ title }, at) => [title, model.name.filter((_, node) => of[node] === at)]));
}

/** @param {GraphModel} model @param {string} id @returns {{[title: string]: number}} */
function counts(model, id) {
  return Object.fromEntries(Object.entries(classes(model, id)).map(([title, names]) => [title, names.length]));
}

test("every mode puts every node into one class that is not empty, in a colour of the theme", () => {
  const models = [mlp(), transformer(3), jointGraph(2), ...Array.from({ length: 10 }, (_, seed) => randomGraph(seed + 1, 80))];
  for (const model of models) {
    for (const mode of modesFor(model, ALONE)) {
      const colouring = mode.colour(model, ALONE);
      assert.equal(colouring.of.length, model.count);
      assert.ok(classCounts(colouring).every((nodes) => nodes > 0), `${mode.id} of ${model.id}`);
      assert.equal(new Set(colouring.classes.map(({ id }) => id)).size, colouring.classes.length, "ids name one class each");
      for (const { colour } of colouring.classes) assert.ok(COLOURS.includes(colour), colour);
    }
  }
});

test("ids and titles of modes are unique, and the first fits every graph", () => {
  assert.equal(new Set(MODES.map(({ id }) => id)).size, MODES.length);
  assert.equal(new Set(MODES.map(({ title }) => title)).size, MODES.length);
  assert.equal(modeFor("weather", new Sketch().model(), ALONE).id, MODES[0].id);
  assert.equal(modeFor("saved", mlp(), ALONE).id, MODES[0].id, "one that does not fit gives way to the first");
});

test("by module: the outermost ones that hold nodes of their own, in the order in which they run", () => {
  const model = transformer(3);
  assert.deepEqual(Object.keys(classes(model, "module")).filter((title) => title.startsWith("h.")), ["h.0", "h.1", "h.2"]);
  const many = modeFor("module", transformer(12), ALONE).colour(transformer(12), ALONE);
  const ramp = many.classes.map(({ colour }) => colour).filter((colour) => colour.startsWith("ramp-"));
  assert.ok(ramp.length >= 12, "more than there are hues: a ramp");
  assert.deepEqual(ramp, [...ramp].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5))), "in the order in which they run");
});

test("by module class", () => {
  assert.deepEqual(counts(mlp(), "class"), { "the model itself": 2, Linear: 9, ReLU: 2 });
});

test("by data type: common ones have colours of their own, a value without tensors has none", () => {
  const g = new Sketch();
  const x = g.input("x", "f32[2]");
  const y = g.node("to", [x], "", { type: "i64[2]" });
  g.node("odd", [y], "", { type: "f8e5m2[2]" });
  g.output([y]);
  const model = g.model();
  assert.deepEqual(counts(model, "dtype"), { "no tensor": 1, f32: 1, i64: 1, f8e5m2: 1 });
  const { classes: found } = modeFor("dtype", model, ALONE).colour(model, ALONE);
  assert.deepEqual(found.map(({ colour }) => colour.replace(/\d+$/, "")), ["none", "hue-", "hue-", "ramp-"]);
});

test("by bytes: steps of powers of two that hold what they say", () => {
  const sizes = [-1, 0, 1, 3, 4, 1023, 1024, 5000, 2 ** 20, 3 * 2 ** 30];
  const g = new Sketch();
  for (const bytes of sizes) g.node("n", [], "", { bytes });
  const model = g.model();
  const { classes: found, of } = modeFor("bytes", model, ALONE).colour(model, ALONE);
  assert.ok(found.length <= 9);
  const units = /** @type {{[unit: string]: number}} */ ({ B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 });
  sizes.forEach((bytes, node) => {
    const { title } = found[of[node]];
    const limits = title.match(/^(\d+) (\w+) to (\d+) (\w+)$/);
    if (bytes < 0) return assert.equal(title, "no tensor, or size unknown");
    if (bytes === 0) return assert.equal(title, "empty");
    assert.ok(limits, title);
    const [, low, unit, high, other] = limits;
    assert.ok(Number(low) * units[unit] <= bytes && bytes < Number(high) * units[other], `${bytes} in ${title}`);
  });
});

test("core ATen, other operators, and what is no operator", () => {
  const g = new Sketch();
  const x = g.input("x");
  g.node("add", [x], "", { core: 1 });
  g.node("t", [x], "", { core: 0 });
  assert.deepEqual(counts(g.model(), "core"), { "no ATen operator": 1, "core ATen": 1, "not core": 1 });
  assert.equal(MODES.find(({ id }) => id === "core")?.fits(mlp(), ALONE), false, "nothing is known of any node");
});

test("decomposed: another operator than the one that was called", () => {
  const g = new Sketch("core_aten.0");
  const x = g.input("x");
  g.node("add", [x], "", { core: 1, original: "aten.add.default" });
  g.node("permute", [x], "", { core: 1, original: "aten.t.default" });
  g.node("assert", [x], "", { core: 0 });
  g.node("getitem", [x], "", { original: "aten.native_layer_norm.default" });
  assert.deepEqual(counts(g.model(), "decomposed"), {
    "no ATen operator": 2,
    "as it was called": 1,
    "from another operator": 1,
    "nothing recorded": 1,
  });
});

test("forward and backward: the partitioner's tag where there is one, else autograd's word", () => {
  const tagged = new Sketch("joint.0");
  const x = tagged.input("x");
  tagged.node("mm", [x], "", { tag: "is_forward" });
  tagged.node("mm", [x], "", { tag: "is_backward" });
  tagged.node("rand", [x], "", { tag: "must_be_in_forward" });
  tagged.node("odd", [x], "", { tag: "something_new" });
  assert.deepEqual(counts(tagged.model(), "half"), { "no tag": 1, forward: 1, backward: 1, "kept in the forward": 1, something_new: 1 });
  const eager = new Sketch("eager.0");
  const y = eager.node("mm", [eager.input("x")]);
  eager.backward = 1;
  eager.node("mm", [y]);
  assert.deepEqual(counts(eager.model(), "half"), { "inputs and output": 1, forward: 1, backward: 1 });
});

test("the opcodes of Dynamo's graph", () => {
  const g = new Sketch("dynamo.0");
  const x = g.input("x");
  g.node("view", [x], "", { op: 3 });
  g.node("sub", [x], "", { op: 4 });
  g.output([x]);
  assert.deepEqual(counts(g.model(), "fx"), { placeholder: 1, call_method: 1, call_module: 1, output: 1 });
  assert.equal(modeFor("fx", mlp(), ALONE).id, "kind");
});

/** x -> exp -> cos; the backward is given exp, and computes cos again. */
function cut() {
  const [forward, backward, joint] = ["forward.0", "backward.0", "joint.0"].map((id) => new Sketch(id));
  for (const g of [forward, joint]) g.node("cos", [g.node("exp", [g.input("x")])]);
  const exp = backward.node("exp", [], "", { op: 0, kind: "input" });
  const cos = backward.node("cos", [exp]);
  backward.output([backward.node("mul", [exp, cos])]);
  joint.node("mul", [1, 2]);
  joint.node("sin", [0]);
  for (const g of [backward, joint, forward])
    g.nodes.forEach((node) => (node.name = node.label)); // names are kept from the joint graph
  const columns = { ...forward.columns(), returns: /** @type {[number, string, string][]} */ ([[2, "user_output", ""], [1, "saved", "exp"]]) };
  return [new GraphModel(columns), backward.model(), joint.model()];
}

test("saved and recomputed: by the names that both halves keep from the joint graph", () => {
  const [forward, backward, joint] = cut();
  const around = among([forward, backward, joint]);
  assert.deepEqual(classes(joint, "saved", around), {
    "inputs, parameters, output": ["x"],
    "saved for the backward": ["exp"],
    "recomputed in the backward": ["cos"],
    "backward only": ["mul"],
    "in neither half": ["sin"],
  });
  assert.deepEqual(classes(forward, "saved", around)["saved for the backward"], ["exp"]);
  assert.deepEqual(classes(backward, "saved", around), {
    "inputs, parameters, output": ["output"],
    "saved for the backward": ["exp"],
    "recomputed in the backward": ["cos"],
    "backward only": ["mul"],
  });
});

test("saved and recomputed need both halves, of the same fragment, target and partitioner", () => {
  const [forward, backward, joint] = cut();
  const mode = modeFor("saved", joint, among([forward, backward]));
  assert.equal(mode.id, "saved");
  assert.equal(isReady(mode, joint, among([forward, backward])), true);
  assert.equal(isReady(mode, joint, { has: () => true, graph: () => null }), false);
  assert.equal(modeFor("saved", joint, among([forward])).id, "kind", "a backward that failed");
  const of = (/** @type {string} */ id) => {
    const model = new Sketch(id).model();
    model.stage = id.replace(/^t\d+\./, "").split(".")[0];
    return fateGraphs(model);
  };
  assert.deepEqual(of("t2.joint.3"), ["t2.forward.3", "t2.backward.3"]);
  assert.deepEqual(of("forward.0.default"), ["forward.0.default", "backward.0.default"]);
  assert.deepEqual(of("joint.0/true_graph_0"), []);
  assert.deepEqual(of("export.0"), []);
});

test("a filter keeps the nodes of its classes; one without any of them keeps all", () => {
  const model = mlp();
  const colouring = MODES[0].colour(model, ALONE);
  const kept = nodesOf(colouring, ["matmul", "weather"]);
  assert.deepEqual(kept?.map((node) => model.kindOf(node)), ["matmul", "matmul", "matmul"]);
  assert.equal(nodesOf(colouring, ["weather"]), null);
  assert.equal(nodesOf(colouring, []), null);
});

test("few things in an order have hues, many a ramp from end to end", () => {
  assert.deepEqual([0, 7].map((i) => orderedColour(i, 8)), ["hue-1", "hue-8"]);
  assert.deepEqual([0, 8].map((i) => orderedColour(i, 9)), ["ramp-0", "ramp-15"]);
  assert.equal(rampColour(0, 1), "ramp-15");
});
