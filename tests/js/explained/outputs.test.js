import assert from "node:assert/strict";
import { test } from "node:test";
import { GraphModel } from "../../../static/js/model/graph.js";
import { nodeTexts } from "../../../static/js/model/texts.js";
import { joinedColumns, moved } from "../../../static/js/model/mirror/columns.js";
import { subModel } from "../../../static/js/model/trace/submodel.js";
import { Marked } from "../../../static/js/render/marked.js";
import { between, drawn, item, severalOutputs } from "./outputs.js";

test("outputs are rows with their numbers and types, in place of the tuple's type", () => {
  const model = new GraphModel(severalOutputs());
  const { type, rows } = nodeTexts(model, model.name.findIndex((name) => name.startsWith("topk")));
  assert.equal(type, "");
  assert.deepEqual(
    rows.map(({ look, text, output }) => [look, text, output]),
    [
      ["output", "0 f32[4, 3]", 0],
      ["output", "1 i64[4, 3]", 1],
    ],
  );
});

test("of many outputs the first four, and how many more", () => {
  const columns = severalOutputs();
  const [[node, [type]]] = columns.outputs;
  const { rows } = nodeTexts(new GraphModel({ ...columns, outputs: [[node, Array(9).fill(type)]] }), node);
  assert.deepEqual(rows.map(({ text }) => text).slice(-2), ["3 f32[4, 3]", "+5 more"]);
});

test("a tuple of one is no row: its type says it", () => {
  const columns = severalOutputs();
  const [[node, [type]]] = columns.outputs;
  const { rows } = nodeTexts(new GraphModel({ ...columns, outputs: [[node, [type]]] }), node);
  assert.deepEqual(rows, []);
});

test("an edge is of the type of the output it carries", () => {
  const drawing = drawn(severalOutputs());
  const edge = between(drawing, item(drawing, "topk"), item(drawing, "getitem"));
  assert.equal(drawing.model.typeOnEdge(drawing.scene.edges.edge[edge]), "f32[4, 3]");
  const whole = severalOutputs();
  whole.edges.output.fill(-1);
  const other = drawn(whole);
  assert.equal(other.model.typeOnEdge(other.scene.edges.edge[edge]), "(f32[4, 3], i64[4, 3])");
});

test("an output is read by what takes it, and by what takes all", () => {
  const drawing = drawn(severalOutputs());
  const topk = item(drawing, "topk");
  assert.deepEqual([0, 1].map((output) => drawing.readsOutput(topk, output)), [true, false]);
  const whole = severalOutputs();
  whole.edges.output.fill(-1);
  assert.equal(drawn(whole).readsOutput(topk, 1), true);
});

test("state that is written is a row on the node whose value it gets, and is found with its readers", () => {
  const drawing = drawn(severalOutputs());
  const { model } = drawing;
  const [add, steps] = [item(drawing, "add"), model.name.findIndex((name) => name.startsWith("steps"))];
  assert.deepEqual(
    drawing.textsOf(add).chips.map(({ look, text, node }) => [look, text, node]),
    [
      ["folded", "steps i64[]", steps],
      ["into", "into steps", steps],
    ],
  );
  const marked = new Marked();
  marked.setSelection(drawing, [steps], -1);
  assert.deepEqual(marked.selected.chips, [
    [add, 0],
    [add, 1],
  ]);
});

test("a shared parameter is found on every node that reads it", () => {
  const drawing = drawn(severalOutputs());
  const marked = new Marked();
  marked.setSelection(drawing, [drawing.model.name.findIndex((name) => name.startsWith("tied"))], -1);
  assert.deepEqual(marked.selected.chips, [
    [item(drawing, "linear"), 0],
    [item(drawing, "linear", 1), 0],
  ]);
});

test("outputs go with their node into a part, a mirror's half and a mirror", () => {
  const columns = severalOutputs();
  const [[topk, types]] = columns.outputs;
  const keep = new Uint8Array(columns.nodes.name.length).fill(1);
  keep[0] = 0;
  const part = subModel(new GraphModel(columns), keep).model;
  assert.deepEqual([...part.outputs], [[topk - 1, types]]);
  assert.equal(part.edges.output.length, part.edges.count);
  const place = Int32Array.from(columns.nodes.name, (_, node) => node);
  [place[0], place[1]] = [1, 0];
  assert.deepEqual(moved(columns, place).outputs, columns.outputs);
  const both = new GraphModel(joinedColumns(columns, severalOutputs(), "mirror.0"));
  const second = topk + columns.nodes.name.length;
  assert.deepEqual(both.outputs.get(second)?.map((text) => both.strings[text]), ["f32[4, 3]", "i64[4, 3]"]);
});

test("outputs that point outside their tables are refused", () => {
  const columns = severalOutputs();
  assert.throws(() => new GraphModel({ ...columns, outputs: [[99, []]] }), /outputs\[0\]/);
  assert.throws(() => new GraphModel({ ...columns, outputs: [[0, [9999]]] }), /outputs\[0\]/);
  const { output, ...rest } = columns.edges;
  assert.throws(() => new GraphModel({ ...columns, edges: { ...rest, output: output.slice(1) } }), /edges\.output has/);
});
