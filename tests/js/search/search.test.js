import assert from "node:assert/strict";
import { test } from "node:test";

import { GraphModel } from "../../../static/js/model/graph.js";
import { search, searchNodes } from "../../../static/js/model/search/search.js";
import { Sketch, transformer } from "../layout/samples.js";

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

test("fields: operators in whole words, data types by both names, shapes, modules with what is in them", () => {
  assert.deepEqual(found("op:add"), ["add"]);
  assert.deepEqual(found("op:add*"), ["addmm", "add"]);
  assert.deepEqual(found("dtype:bfloat16"), ["scaled_dot_product_attention"]);
  assert.deepEqual(found("shape:8x10"), ["addmm", "scaled_dot_product_attention"]);
  assert.deepEqual(found("bf16[8, *]"), ["scaled_dot_product_attention"]);
  assert.deepEqual(found("module:block -op:add"), ["scaled_dot_product_attention"]);
  assert.deepEqual(found("rank:2 kind:parameter"), ["fc.weight"]);
  assert.deepEqual(found("name:add_*"), ["add"]);
  assert.deepEqual(found("op:add|addmm"), ["addmm", "add"]);
  assert.deepEqual(found("op:fc.weight"), [], "a parameter is no operator");
});

test("size, original operator and line", () => {
  const g = new Sketch();
  g.node("mm", [], "", { bytes: 4096, original: "aten.linear.default" });
  g.node("relu", [], "", { bytes: 100 });
  const columns = {
    ...g.columns(),
    lines: /** @type {[string, number][]} */ ([
      ["model.py", 12],
      ["other.py", 12],
    ]),
  };
  columns.nodes.line = [0, 1];
  const small = new GraphModel(columns);
  assert.deepEqual(searchNodes(small, "bytes:>=4K"), [0]);
  assert.deepEqual(searchNodes(small, "bytes:<1k"), [1]);
  assert.deepEqual(searchNodes(small, "bytes:lots"), []);
  assert.deepEqual(searchNodes(small, "from:linear"), [0]);
  assert.deepEqual(searchNodes(small, "line:12"), [0, 1]);
  assert.deepEqual(searchNodes(small, "line:other.py:12"), [1]);
});

test("the classes of modules are found, and everything inside them", () => {
  const model = transformer(2);
  assert.deepEqual(new Set(searchNodes(model, "module:MLP").map((i) => model.modulePathOf(i).split(".")[2])), new Set(["mlp"]));
  assert.equal(searchNodes(model, "op:layer_norm module:h.1").length, 2);
});

test("nothing was asked where nothing is said", () => {
  for (const text of ["", "  ", "op:", "*", "->"]) assert.equal(search(model(), text).asked, false, text);
  assert.equal(search(model(), "nowhere").asked, true);
});
