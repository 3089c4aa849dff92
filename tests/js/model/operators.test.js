import assert from "node:assert/strict";
import { test } from "node:test";

import { nodesByOperator } from "../../../static/js/model/operators.js";
import { Sketch } from "../layout/samples.js";

test("operators come with their nodes, the most frequent first; what computes nothing by its kind", () => {
  const g = new Sketch();
  const x = g.input("x");
  const relu = g.node("relu", [x]);
  const first = g.node("add", [relu, g.parameter("w")]);
  g.node("add", [first]);
  const model = g.model();
  const all = [...model.name.keys()];
  const found = nodesByOperator(model, all);
  assert.deepEqual(found[0], ["aten.add.default", [3, 4]]);
  assert.deepEqual(new Set(found.map(([word]) => word)), new Set(["aten.add.default", "aten.relu.default", "input", "parameter"]));
  assert.deepEqual(nodesByOperator(model, [1]), [["aten.relu.default", [1]]]);
});

test("200,000 nodes of one operator are one list", () => {
  // copying the list at every node, as was once done, takes minutes here and hundreds of gigabytes
  const model = { op: new Uint8Array(200_000).fill(2), targetOf: () => "aten.add.Tensor" };
  const nodes = Array.from(model.op, (_, i) => i);
  const found = nodesByOperator(/** @type {any} */ (model), nodes);
  assert.equal(found.length, 1);
  assert.deepEqual(found[0][1], nodes);
});
