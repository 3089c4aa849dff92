import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAt, placeCount, search } from "../../../static/js/model/search/search.js";
import { Sketch, random, transformer } from "../layout/samples.js";

/** @param {import("../../../static/js/model/graph.js").GraphModel} model @param {string} text every place as `a b c`, in names */
function places(model, text) {
  const found = search(model, text);
  return Array.from({ length: placeCount(found) }, (_, i) =>
    placeAt(found, i)
      .map((node) => model.name[node])
      .join(" "),
  );
}

/** x -> norm -> view -> linear -> gelu -> mul(gelu, sigmoid(x)) -> out */
function gated() {
  const g = new Sketch();
  const x = g.input("x");
  const norm = g.node("layer_norm", [x]);
  const view = g.node("view", [norm], "", { kind: "view" });
  const linear = g.node("linear", [view, g.parameter("w")]);
  const gelu = g.node("gelu", [linear]);
  const gate = g.node("sigmoid", [x]);
  g.output([g.node("mul", [gelu, gate])]);
  return g.model();
}

test("a pattern is found where each step reads the one before, over views", () => {
  assert.deepEqual(places(gated(), "layer_norm -> linear -> gelu"), ["layer_norm_1 linear_4 gelu_5"]);
  assert.deepEqual(places(gated(), "layer_norm -> view"), ["layer_norm_1 view_2"], "a view that is asked for is a step");
  assert.deepEqual(places(gated(), "layer_norm -> gelu"), [], "a linear in between is too much");
});

test("far arrows pass over anything, a star over one", () => {
  assert.deepEqual(places(gated(), "layer_norm -> ... -> mul"), ["layer_norm_1 mul_7"]);
  assert.deepEqual(places(gated(), "linear -> * -> mul"), ["linear_4 gelu_5 mul_7"]);
  assert.deepEqual(places(gated(), "mul <- ... <- layer_norm"), ["mul_7 layer_norm_1"]);
});

test("arrows may turn, and no node is two steps", () => {
  assert.deepEqual(places(gated(), "gelu -> mul <- sigmoid"), ["gelu_5 mul_7 sigmoid_6"]);
  assert.deepEqual(places(gated(), "gelu -> mul <- gelu"), [], "there is only one gelu");
});

test("steps take fields, and inputs go by their names", () => {
  assert.deepEqual(places(gated(), "x -> kind:other -> mul"), ["x_0 sigmoid_6 mul_7"]);
  assert.deepEqual(places(gated(), "w -> linear"), ["w_3 linear_4"]);
  assert.deepEqual(places(gated(), "op:gelu|sigmoid -> mul -> output"), ["gelu_5 mul_7 output_8", "sigmoid_6 mul_7 output_8"]);
});

test("every block of a transformer has one place", () => {
  const model = transformer(4);
  assert.equal(places(model, "layer_norm -> linear -> gelu").length, 4);
  assert.equal(
    places(model, "layer_norm -> linear -> view -> transpose -> matmul").length,
    12,
    "query, key over a second transpose, value",
  );
  assert.equal(search(model, "layer_norm -> linear -> gelu").nodes.length, 12);
});

test("found are exactly the places that trying everything finds", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const roll = random(seed);
    const g = new Sketch();
    for (let i = 0; i < 14; i++) {
      const args = [0, 1].map(() => Math.floor(roll() * i)).filter((arg) => arg < i);
      const label = ["a", "b", "view"][Math.floor(roll() * 3)];
      g.node(label, args, "", { kind: label === "view" ? "view" : "other" });
    }
    const model = g.model();
    assert.deepEqual(places(model, "a -> b").sort(), slowly(model, "a", "b"), `seed ${seed}`);
  }
});

/** Pairs a, b with a path over views only. @param {import("../../../static/js/model/graph.js").GraphModel} model @param {string} from @param {string} to */
function slowly(model, from, to) {
  const found = new Set();
  const walk = (/** @type {number} */ start, /** @type {number} */ at) => {
    for (const user of model.usersOf(at)) {
      if (model.labelOf(user) === to) found.add(`${model.name[start]} ${model.name[user]}`);
      else if (model.labelOf(user) === "view") walk(start, user);
    }
  };
  for (let i = 0; i < model.count; i++) if (model.labelOf(i) === from) walk(i, i);
  return [...found].sort();
}

test("a pattern that fits in countless ways says so and ends", () => {
  const g = new Sketch();
  let row = [g.node("add", [])];
  for (let i = 0; i < 12; i++) row = Array.from({ length: 12 }, () => g.node("add", row));
  const found = search(g.model(), "add -> add -> add -> add -> add");
  assert.ok(found.more);
  assert.equal(placeCount(found), 2000);
});

test("a chain of views is passed over, however long it is", () => {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 20_000; i++) x = g.node("view", [x], "", { kind: "view" });
  g.node("relu", [x]);
  assert.deepEqual(places(g.model(), "x -> relu"), ["x_0 relu_20001"]);
  assert.equal(places(g.model(), "view -> view")[1], "view_2 view_3", "two in a row");
  const found = search(g.model(), "view -> relu");
  assert.ok(found.more && placeCount(found) > 5, "from every view over those behind it: it ends, and says that there are more");
});
