import assert from "node:assert/strict";
import { test } from "node:test";

import { GraphModel } from "../../../static/js/model/graph.js";
import { groupTree } from "../../../static/js/model/groups.js";
import { groupTexts, nodeTexts } from "../../../static/js/model/texts.js";
import { Sketch, linear, mlp } from "../layout/samples.js";

test("names, strings, sources and users", () => {
  const g = new Sketch();
  const x = g.input("x");
  const y = g.node("mul", [x, x]);
  g.output([y]);
  const model = g.model();
  assert.equal(model.indexOf(model.name[y]), y);
  assert.equal(model.indexOf("nothing"), -1);
  assert.equal(model.labelOf(y), "mul");
  assert.equal(model.targetOf(y), "aten.mul.default");
  assert.equal(model.kindOf(x), "input");
  assert.deepEqual(model.sourcesOf(y), [x], "a value read twice is one source");
  assert.deepEqual(model.usersOf(y), [2]);
  assert.equal(model.in.start[y + 1] - model.in.start[y], 2, "but two edges");
});

test("parameters fold into every user; one that nobody uses is drawn as a node", () => {
  const g = new Sketch();
  const w = g.parameter("w");
  const unused = g.parameter("unused");
  const a = g.node("mm", [w, w]);
  const b = g.node("add", [a, w]);
  const model = g.model();
  assert.equal(model.folded[w], 1);
  assert.equal(model.folded[unused], 0);
  assert.deepEqual(Array.from(model.chipsOf(a)), [w], "once, though it is used twice");
  assert.deepEqual(Array.from(model.chipsOf(b)), [w]);
});

test("a chip is called by its name below the module it is drawn in", () => {
  const g = new Sketch();
  const y = linear(g, g.input("x"), "layers.0");
  assert.deepEqual(nodeTexts(g.model(), y).chips, ["weight f32[64, 64]", "bias f32[64]"]);
});

test("many chips are counted, not listed", () => {
  const g = new Sketch();
  const params = Array.from({ length: 12 }, (_, i) => g.parameter(`w${i}`, "", ""));
  const y = g.node("lstm", params);
  assert.deepEqual(nodeTexts(g.model(), y).chips, ["w0", "w1", "w2", "w3", "+8 more"]);
});

test("bodies of a higher-order op are chips as well", () => {
  const g = new Sketch();
  const y = g.node("cond", [g.input("x")]);
  const columns = {
    ...g.columns(),
    bodies: /** @type {[number, string][]} */ ([
      [y, "export.0/true_graph_0"],
      [y, "export.0/false_graph_0"],
    ]),
  };
  const { rows } = nodeTexts(new GraphModel(columns), y);
  assert.deepEqual(
    rows.map(({ look, text, gid }) => [look, text, gid]),
    [
      ["body", "true_graph_0", "export.0/true_graph_0"],
      ["body", "false_graph_0", "export.0/false_graph_0"],
    ],
  );
});

test("a group's two lines", () => {
  const model = mlp();
  const tree = groupTree(model);
  assert.deepEqual(groupTexts(tree, tree.path.indexOf("layers.0")), { title: "0", detail: "Linear · 1 node" });
});

test("an answer that contradicts itself is refused: what, and where", () => {
  const good = mlp();
  const bad = (/** @type {(columns: any) => void} */ spoil) => {
    const g = new Sketch("export.7");
    g.node("add", [g.input("x")]);
    const columns = g.columns();
    spoil(columns);
    return () => new GraphModel(columns);
  };
  assert.ok(good.count > 0);
  assert.throws(
    bad((c) => c.nodes.kind.pop()),
    /export\.7: column kind has 1 entries, expected 2/,
  );
  assert.throws(
    bad((c) => (c.nodes.label_s[1] = 99)),
    /label_s\[1\] is 99/,
  );
  assert.throws(
    bad((c) => (c.edges.src[0] = 5)),
    /edges\.src\[0\] is 5/,
  );
  assert.throws(
    bad((c) => (c.edges.src[0] = 1)),
    /edge 0 from 1 to 1 is not in execution order/,
  );
  assert.throws(
    bad((c) => (c.modules[0].parent = 0)),
    /module 0 has parent 0/,
  );
});
