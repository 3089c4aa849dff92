import assert from "node:assert/strict";
import { test } from "node:test";
import { stubsOf } from "../../../static/js/render/draw/lines/stubs.js";
import { tipOf } from "../../../static/js/render/tips.js";
import { between, drawn, item, severalOutputs } from "./outputs.js";

/** @param {ReturnType<typeof drawn>} drawing @param {any} hit @param {number} [edge] */
const said = (drawing, hit, edge = -1) => tipOf(drawing, { part: "node", ...hit }, edge).map(({ text }) => text);

/** @param {ReturnType<typeof drawn>} drawing @param {string} label @param {string} look */
function chip(drawing, label, look) {
  const at = item(drawing, label);
  const found = drawing.textsOf(at).chips.filter((each) => each.look === look).at(-1);
  return { item: at, part: "chip", chip: found };
}

test("a node: name, type and size, what it is", () => {
  const columns = severalOutputs();
  columns.nodes.bytes.fill(4096);
  const drawing = drawn(columns);
  assert.deepEqual(said(drawing, { item: item(drawing, "mul") }), ["mul_8", "f32[8, 64] · 4.0 KiB", "other · aten.mul.default"]);
});

test("several outputs are counted, what is written is named", () => {
  const drawing = drawn(severalOutputs());
  assert.ok(said(drawing, { item: item(drawing, "topk") }).includes("2 outputs, numbered as at its edges"));
  assert.ok(said(drawing, { item: item(drawing, "add") }).includes("returned as the new value of the buffer steps"));
});

test("an output: which of how many, and who reads it", () => {
  const drawing = drawn(severalOutputs());
  assert.deepEqual(said(drawing, chip(drawing, "topk", "output")), [
    "output 1 of 2 of topk_4",
    "i64[4, 3]",
    "nothing in this graph reads it",
  ]);
});

test("a folded parameter: everything that reads it, by argument, and what writes it", () => {
  const drawing = drawn(severalOutputs());
  assert.deepEqual(said(drawing, chip(drawing, "linear", "folded")).slice(-2), [
    "parameter",
    "read by linear_3 (argument 1), linear_6 (argument 1)",
  ]);
  assert.ok(said(drawing, chip(drawing, "add", "folded")).includes("written by add_7"));
});

test("an edge: its ends, its type, which output, which argument", () => {
  const drawing = drawn(severalOutputs());
  const edge = between(drawing, item(drawing, "topk"), item(drawing, "getitem"));
  assert.deepEqual(said(drawing, { item: -1, part: "none" }, edge), [
    "topk_4 → getitem_5",
    "f32[4, 3] · output 0 of 2",
    "argument 0 of getitem_5",
  ]);
});

test("an edge to the output: which output of the graph, and what becomes of it", () => {
  const columns = severalOutputs();
  columns.edges.dst.forEach((user, e) => {
    if (columns.nodes.op[user] === 5) columns.edges.slot_s[e] = columns.strings.push(`0[${e % 2}]`) - 1;
  });
  const drawing = drawn(columns);
  const output = item(drawing, "output");
  const last = (/** @type {string} */ label) => said(drawing, { item: -1, part: "none" }, between(drawing, item(drawing, label), output)).at(-1);
  const told = [last("mul"), last("add")].sort();
  assert.deepEqual(told, ["output 0 of the graph: returned as the new value of the buffer steps", "output 1 of the graph"]);
});

test("the ground of an open group says nothing, an edge on it does", () => {
  const drawing = drawn(severalOutputs());
  const edge = between(drawing, item(drawing, "topk"), item(drawing, "getitem"));
  assert.deepEqual(said(drawing, { item: 0, part: "inside" }), []);
  assert.equal(said(drawing, { item: 0, part: "inside" }, edge)[0], "topk_4 → getitem_5");
});

test("a far edge: what is at its other end, and how to get there", () => {
  const drawing = drawn(severalOutputs());
  const edge = between(drawing, item(drawing, "linear", 1), item(drawing, "mul"));
  drawing.scene.edges.stub[edge] = 1;
  const [stub] = stubsOf(drawing, item(drawing, "mul"));
  assert.deepEqual(said(drawing, { item: item(drawing, "mul"), part: "stub", stub }), [
    "1 edge too long to draw, from",
    "linear_6 · f32[8, 64]",
    "Click to go to the other end",
  ]);
});
