import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutCalls } from "../../../static/js/panels/pane/nothing.js";
import { Sketch } from "../layout/samples.js";

test("a graph without calls says so: empty, returning nothing, returning what it is given", () => {
  const g = new Sketch();
  assert.equal(withoutCalls(g.model()), "This graph has no nodes.");
  const x = g.input("x");
  g.output([x]);
  assert.match(withoutCalls(g.model()), /nothing is returned/);
  const model = g.model();
  model.returns = [[x, "user_output", ""]];
  assert.match(withoutCalls(model), /returns what it is given/);
});

test("a graph with one call says nothing", () => {
  const g = new Sketch();
  g.output([g.node("relu", [g.input("x")])]);
  assert.equal(withoutCalls(g.model()), "");
});
