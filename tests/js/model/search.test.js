import assert from "node:assert/strict";
import { test } from "node:test";

import { searchNodes } from "../../../static/js/model/search.js";
import { Sketch } from "../layout/samples.js";

function model() {
  const g = new Sketch();
  const x = g.input("x");
  const a = g.node("addmm", [x, g.parameter("fc.weight", "fc")], "fc", { type: "f32[8, 10]" });
  const b = g.node("add", [a], "block.attn");
  g.node("scaled_dot_product_attention", [b], "block.attn", { type: "bf16[8, 10]" });
  return g.model();
}
const found = (/** @type {string} */ text) => searchNodes(model(), text).map((i) => model().labelOf(i));

test("the whole word comes before its start, its start before its middle", () => {
  assert.deepEqual(found("add"), ["add", "addmm"]);
  assert.deepEqual(found("dd"), ["addmm", "add"], "equally good places: execution order");
});

test("finds by dotted name of a parameter, operator, type and module path", () => {
  assert.deepEqual(found("fc.weight"), ["fc.weight"]);
  assert.deepEqual(found("aten.addmm.default"), ["addmm"]);
  assert.deepEqual(found("bf16"), ["scaled_dot_product_attention"]);
  assert.deepEqual(new Set(found("block.attn")), new Set(["add", "scaled_dot_product_attention"]));
});

test("the start of a part is better than the middle of one", () => {
  const g = new Sketch();
  g.node("xdot", []);
  g.node("scaled_dot", []);
  assert.deepEqual(searchNodes(g.model(), "dot"), [1, 0]);
});

test("every word must occur, in any field and letter case", () => {
  assert.deepEqual(found("ADD attn"), ["add"]);
  assert.deepEqual(found("add nowhere"), []);
  assert.deepEqual(found("   "), []);
});
