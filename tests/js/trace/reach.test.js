import assert from "node:assert/strict";
import { test } from "node:test";

import { layout } from "../../../static/js/layout/layout.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import { allOpen, groupTree } from "../../../static/js/model/groups.js";
import { ancestors, around, between, descendants, nodesOf } from "../../../static/js/model/trace/reach.js";
import { subModel } from "../../../static/js/model/trace/submodel.js";
import { Sketch, chain, random, randomGraph } from "../layout/samples.js";

/** x -> a -> c -> d, x -> b -> c, e alone. */
function diamond() {
  const g = new Sketch();
  const x = g.input("x");
  const a = g.node("a", [x]);
  const b = g.node("b", [x]);
  const e = g.input("e");
  const c = g.node("c", [a, b]);
  const d = g.node("d", [c]);
  return { model: g.model(), x, a, b, c, d, e };
}

test("ancestors and descendants of one node, itself included", () => {
  const { model, x, a, b, c, d } = diamond();
  assert.deepEqual([...nodesOf(ancestors(model, [c]))], [x, a, b, c]);
  assert.deepEqual([...nodesOf(descendants(model, [a]))], [a, c, d]);
  assert.deepEqual([...nodesOf(ancestors(model, [x]))], [x]);
});

test("of several nodes the union", () => {
  const { model, x, a, c, d, e } = diamond();
  assert.deepEqual([...nodesOf(ancestors(model, [a, e]))], [x, a, e]);
  assert.deepEqual([...nodesOf(descendants(model, [c, e]))], [e, c, d]);
  assert.deepEqual([...nodesOf(ancestors(model, []))], []);
});

test("all paths between two nodes, in either order; none where there is no path", () => {
  const { model, x, a, b, c, d, e } = diamond();
  assert.deepEqual([...nodesOf(between(model, x, d))], [x, a, b, c, d]);
  assert.deepEqual([...nodesOf(between(model, d, a))], [a, c, d]);
  assert.deepEqual([...nodesOf(between(model, e, d))], []);
  assert.deepEqual([...nodesOf(between(model, a, b))], []);
  assert.deepEqual([...nodesOf(between(model, c, c))], [c]);
});

/** The same by following edges from node to node. @param {import("../../../static/js/model/graph.js").GraphModel} model @param {number} from @param {"sourcesOf"|"usersOf"} way */
function followed(model, from, way) {
  const seen = new Set([from]);
  for (const node of seen) for (const next of model[way](node)) seen.add(next);
  return [...seen].sort((a, b) => a - b);
}

test("what is reached is what following every edge reaches, at random", () => {
  for (let seed = 0; seed < 40; seed++) {
    const model = randomGraph(seed, 70);
    const next = random(seed + 1000);
    const [a, b] = [Math.floor(next() * 70), Math.floor(next() * 70)].sort((x, y) => x - y);
    const up = followed(model, b, "sourcesOf");
    const down = followed(model, a, "usersOf");
    assert.deepEqual([...nodesOf(ancestors(model, [b]))], up);
    assert.deepEqual([...nodesOf(descendants(model, [a]))], down);
    assert.deepEqual(
      [...nodesOf(between(model, a, b))],
      down.filter((node) => up.includes(node)),
    );
  }
});

test("a chain of 100,000 nodes needs no stack", () => {
  const model = chain(100_000);
  assert.equal(nodesOf(ancestors(model, [100_000])).length, 100_001);
});

test("the graph of some nodes has their names, types and edges, and can be laid out", () => {
  for (let seed = 0; seed < 30; seed++) {
    const model = randomGraph(seed, 60);
    const keep = ancestors(model, [59, 40]);
    const { model: part, whole, part: index } = subModel(model, keep);
    assert.deepEqual([...whole], [...nodesOf(keep)]);
    assert.equal(part.id, model.id);
    whole.forEach((node, i) => {
      assert.equal(index[node], i);
      assert.equal(part.name[i], model.name[node]);
      assert.equal(part.typeOf(i), model.typeOf(node));
      assert.deepEqual(
        part.sourcesOf(i).map((source) => whole[source]),
        model.sourcesOf(node),
        "what is computed keeps all it reads",
      );
    });
    assert.equal(index.filter((i) => i >= 0).length, whole.length);
    const tree = groupTree(part);
    const scene = layout(part, tree, allOpen(tree));
    const drawn = new Set([...scene.items.ref].filter((_, i) => scene.items.kind[i] === 0));
    assert.equal(drawn.size, part.count - part.folded.reduce((sum, each) => sum + each, 0));
  }
});

test("bodies and returned values go with their nodes", () => {
  const g = new Sketch();
  const x = g.input("x");
  const y = g.node("cond", [x]);
  const z = g.node("relu", [x]);
  g.output([y, z]);
  const columns = g.columns();
  const model = new GraphModel({
    ...columns,
    bodies: [[y, "export.0/true_graph_0"]],
    returns: [
      [y, "user_output", ""],
      [z, "user_output", ""],
      [-1, "user_output", ""],
    ],
  });
  const part = subModel(model, ancestors(model, [z])).model;
  assert.equal(part.bodies.size, 0);
  assert.deepEqual(part.returns, [[1, "user_output", ""]]);
  const other = subModel(model, ancestors(model, [y])).model;
  assert.deepEqual([...other.bodies], [[1, ["export.0/true_graph_0"]]]);
});

test("a neighbourhood goes both ways, step by step", () => {
  const { model, x, a, b, c, d, e } = diamond();
  assert.deepEqual([...nodesOf(around(model, [a], 0))], [a]);
  assert.deepEqual([...nodesOf(around(model, [a], 1))], [x, a, c]);
  assert.deepEqual([...nodesOf(around(model, [a], 2))], [x, a, b, c, d]);
  assert.deepEqual([...nodesOf(around(model, [a], 9))], [x, a, b, c, d], "what nothing joins stays out");
  assert.deepEqual([...nodesOf(around(model, [e, d], 1))], [e, c, d]);
});

test("parameters come with what reads them, and join nothing", () => {
  const g = new Sketch();
  const shared = g.parameter("w");
  const first = g.node("mm", [g.input("x"), shared]);
  const second = g.node("mm", [g.input("y"), shared]);
  const model = g.model();
  assert.deepEqual([...nodesOf(around(model, [first], 0))], [shared, first]);
  assert.ok(!nodesOf(around(model, [first], 3)).includes(second));
  assert.ok(nodesOf(around(model, [shared], 1)).includes(second), "unless it is the one asked for");
});
