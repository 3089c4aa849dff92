import assert from "node:assert/strict";
import { test } from "node:test";
import { operandsOf, runnerOf } from "../../../static/js/model/bodies.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import { nodeTexts } from "../../../static/js/model/texts.js";
import { Sketch } from "../layout/samples.js";

const GID = "export.0/true_graph_0";

/** x, y -> cond(test, true_graph_0, x, y); how many of them are given. @param {number} operands */
function around(operands) {
  const g = new Sketch("export.0");
  const inputs = [g.input("x"), g.input("y")];
  const test = g.node("gt", [inputs[0]]);
  const fetch = g.node("true_graph_0", [], "", { op: 1, kind: "higher-order", type: "", chip: 1 });
  const cond = g.node("cond", [test, fetch, ...inputs.slice(0, operands)], "", { kind: "higher-order" });
  g.output([cond]);
  return { model: new GraphModel({ ...g.columns(), bodies: [[cond, GID]] }), cond, inputs, test };
}

/** @param {number} inputs */
function body(inputs) {
  const g = new Sketch(GID);
  const given = Array.from({ length: inputs }, (_, i) => g.input(`arg${i}`));
  g.output([g.node("add", given)]);
  return g.model();
}

test("a body is run by the node that names it", () => {
  const { model, cond } = around(2);
  assert.equal(runnerOf(model, GID), cond);
  assert.equal(runnerOf(model, "export.0/other"), -1);
});

test("inputs stand for the operands behind the predicate, in order; the fetched graph is none", () => {
  const { model, cond, inputs } = around(2);
  assert.deepEqual([...operandsOf(model, cond, body(2))], [[0, inputs[0]], [1, inputs[1]]]);
});

test("without a predicate every operand is an input", () => {
  const { model, cond, inputs, test: predicate } = around(2);
  assert.deepEqual([...operandsOf(model, cond, body(3)).values()], [predicate, ...inputs]);
});

test("nothing is claimed where the numbers do not fit", () => {
  const { model, cond } = around(2);
  assert.equal(operandsOf(model, cond, body(1)).size, 0);
  assert.equal(operandsOf(model, cond, body(5)).size, 0);
});

test("the fetching of a body is no row beside the body's own", () => {
  const { model, cond } = around(1);
  assert.deepEqual(nodeTexts(model, cond).rows.map(({ look, text }) => [look, text]), [["body", "true_graph_0"]]);
});
