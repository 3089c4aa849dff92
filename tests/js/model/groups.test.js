import assert from "node:assert/strict";
import { test } from "node:test";

import {
  allClosed,
  allOpen,
  groupByPath,
  groupTree,
  openDifference,
  openFrom,
  openPathTo,
  openPathToGroup,
  outermostChanged,
  toggled,
} from "../../../static/js/model/groups.js";
import { closedGroupOf } from "../layout/faults.js";
import { READABLE_ITEMS } from "../../../static/js/model/tree/readable.js";
import { Sketch, jointGraph, mlp, randomGraph, transformer } from "../layout/samples.js";

/** @param {import("../../../static/js/model/types.js").GroupTree} tree @param {ArrayLike<number>} open */
const openPaths = (tree, open) => tree.path.filter((_, group) => group > 0 && open[group] && tree.shown[group] === group);

test("groups nest by module path, siblings in execution order", () => {
  const tree = groupTree(mlp());
  const layers = groupByPath(tree, "layers");
  assert.deepEqual(Array.from(tree.children[0]), [layers]);
  assert.deepEqual(
    Array.from(tree.children[layers], (group) => tree.title[group]),
    ["0", "1", "2", "3", "4"],
  );
  assert.equal(tree.nodes[layers], 5, "parameters are not counted: they are drawn on their users");
  assert.equal(tree.cls[groupByPath(tree, "layers.1")], "ReLU");
});

test("a group that holds only one group is drawn merged with it", () => {
  const g = new Sketch();
  const x = g.input("x");
  const y = g.node("relu", [x], "encoder.body.act");
  g.node("sin", [y], "encoder.body.act.inner");
  const tree = groupTree(g.model());
  const merged = groupByPath(tree, "encoder.body.act");
  assert.equal(tree.shown[groupByPath(tree, "encoder")], merged);
  assert.equal(tree.shown[groupByPath(tree, "encoder.body")], merged);
  assert.equal(tree.title[merged], "encoder.body.act");
  assert.deepEqual(Array.from(tree.children[0]), [merged]);
  assert.equal(
    toggled(tree, allClosed(tree), groupByPath(tree, "encoder"))[merged],
    1,
    "toggling any of the chain toggles the one drawn",
  );
});

test("a module without drawn nodes is not drawn", () => {
  const g = new Sketch();
  g.module("unused");
  g.input("x");
  const tree = groupTree(g.model());
  assert.equal(tree.shown[groupByPath(tree, "unused")], -1);
  assert.equal(tree.children[0].length, 0);
});

test("forward and backward of a module are two groups where a graph holds both", () => {
  const tree = groupTree(jointGraph(2));
  const half = groupByPath(tree, "backward:h.1.attn.q");
  assert.ok(half > groupByPath(tree, "h.1.attn.q"));
  assert.equal(tree.path[tree.parent[half]], "backward:h.1.attn");
  assert.equal(tree.backward[half], 1);
  assert.equal(tree.module[half], groupByPath(tree, "h.1.attn.q"));
  assert.equal(
    groupTree(transformer(2)).path.some((path) => path.startsWith("backward:")),
    false,
  );
});

test("a value given to the backward alone goes with it", () => {
  const g = new Sketch();
  const x = g.input("x");
  const w = g.node("w", [], "fc", { op: 0, kind: "other" });
  const y = g.node("mm", [x, w], "fc");
  const saved = g.node("saved", [], "fc", { op: 0, kind: "other" });
  g.backward = 1;
  g.node("mm", [y, saved], "fc");
  const tree = groupTree(g.model());
  assert.equal(tree.path[tree.groupOf[w]], "fc");
  assert.equal(tree.path[tree.groupOf[saved]], "backward:fc");
});

test("a module called again after something that needed it is another group", () => {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 3; i++) {
    x = g.node("conv", [x], `conv${i}`);
    x = g.node("relu", [x, g.parameter("relu.slope", "relu")], "relu");
  }
  const tree = groupTree(g.model());
  assert.deepEqual(
    Array.from(tree.children[0], (group) => tree.path[group]),
    ["conv0", "relu", "conv1", "relu@1", "conv2", "relu@2"],
  );
  assert.equal(tree.title[groupByPath(tree, "relu@2")], "relu (call 3)");
  assert.equal(tree.parent[groupByPath(tree, "relu@1")], 0);
  assert.equal(new Set(tree.path).size, tree.count);
});

test("inside a module called twice every inner module is two groups, in the right one", () => {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 2; i++) {
    x = g.node("mm", [x], "shared.inner");
    x = g.node("add", [x], "shared");
    x = g.node("norm", [x], `norm${i}`);
  }
  const tree = groupTree(g.model());
  assert.equal(tree.path[tree.parent[groupByPath(tree, "shared.inner@1")]], "shared@1");
  assert.equal(tree.path[tree.parent[groupByPath(tree, "shared.inner")]], "shared");
});

test("calls that do not need one another stay one group", () => {
  const g = new Sketch();
  const x = g.input("x");
  const y = g.input("y");
  const a = g.node("relu", [x], "relu");
  const b = g.node("sin", [x], "other");
  const c = g.node("relu", [y], "relu");
  g.output([a, b, c]);
  assert.equal(groupTree(g.model()).path.includes("relu@1"), false);
});

test("a small graph opens whole; a large one as far as it stays readable, equal siblings alike", () => {
  const small = groupTree(mlp());
  assert.deepEqual(openPaths(small, small.open), openPaths(small, allOpen(small)));
  const large = groupTree(transformer(40));
  const paths = openPaths(large, large.open);
  assert.ok(paths.includes("h"));
  assert.equal(paths.filter((path) => /^h\.\d+$/.test(path)).length % 40, 0, "all blocks or none");
  const visible = [0, ...large.path.keys()]
    .filter((group) => large.open[group])
    .reduce((sum, group) => sum + large.children[group].length, 0);
  assert.ok(visible <= READABLE_ITEMS);
});

test("every node can be reached by opening the path to it", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const model = randomGraph(seed, 120);
    const tree = groupTree(model);
    for (let node = 0; node < model.count; node++) {
      if (model.folded[node]) continue;
      const open = openPathTo(tree, allClosed(tree), node);
      assert.equal(closedGroupOf(tree, open, node), -1);
      assert.equal(openPathTo(tree, open, node), open, "nothing to do: the same set");
    }
  }
});

test("the path to a group opens what is around it, not the group", () => {
  const tree = groupTree(transformer(2));
  const attn = groupByPath(tree, "h.1.attn");
  const open = openPathToGroup(tree, allClosed(tree), attn);
  assert.deepEqual(openPaths(tree, open), ["h", "h.1"]);
});

test("toggling changes nothing in place", () => {
  const tree = groupTree(mlp());
  const open = allClosed(tree);
  const next = toggled(tree, open, groupByPath(tree, "layers"));
  assert.deepEqual(openPaths(tree, open), []);
  assert.deepEqual(openPaths(tree, next), ["layers"]);
  assert.deepEqual(toggled(tree, next, groupByPath(tree, "layers")), open);
});

test("a set of open groups survives as its difference from the default; unknown paths are skipped", () => {
  const tree = groupTree(transformer(12));
  let open = toggled(tree, tree.open, groupByPath(tree, "h.3"));
  open = toggled(tree, open, groupByPath(tree, "wte"));
  const difference = openDifference(tree, open);
  assert.deepEqual(openFrom(tree, { opened: [...difference.opened, "gone"], closed: difference.closed }), open);
  assert.deepEqual(openDifference(tree, tree.open), { opened: [], closed: [] });
});

test("everything open or closed, and nearly so, is said in a few words", () => {
  const tree = groupTree(transformer(30));
  const but = groupByPath(tree, "h.7");
  const nearly = toggled(tree, allOpen(tree), but);
  for (const [open, difference] of /** @type {const} */ ([
    [allOpen(tree), { opened: ["*"], closed: [] }],
    [nearly, { opened: ["*"], closed: ["h.7"] }],
    [toggled(tree, allClosed(tree), but), { opened: ["h.7"], closed: ["*"] }],
  ])) {
    const said = openDifference(tree, open);
    assert.ok(said.opened.length + said.closed.length <= difference.opened.length + difference.closed.length);
    assert.deepEqual(openPaths(tree, openFrom(tree, said)), openPaths(tree, open));
    assert.deepEqual(openPaths(tree, openFrom(tree, difference)), openPaths(tree, open));
  }
  assert.deepEqual(openDifference(tree, nearly), { opened: ["*"], closed: ["h.7"] });
});

test("in a graph that the partitioner has cut, nodes of the other half split no module", () => {
  for (const [stage, groups] of [
    ["backward", 2],
    ["joint", 3],
  ]) {
    const g = new Sketch(`${stage}.0`);
    const recomputed = g.node("relu", [g.input("saved")], "act");
    g.backward = 1;
    g.node("threshold_backward", [recomputed, g.input("tangent")], "act");
    assert.equal(groupTree(g.model()).count, groups);
  }
});

test("the group around which a drawing changes is the outermost that opened or closed, if it is alone", () => {
  const tree = groupTree(transformer(3));
  const group = (/** @type {string} */ path) => tree.shown[groupByPath(tree, path)];
  const closed = allClosed(tree);
  const one = toggled(tree, closed, group("h"));
  assert.equal(outermostChanged(tree, closed, one), group("h"));
  assert.equal(outermostChanged(tree, one, closed), group("h"));
  const inner = toggled(tree, toggled(tree, one, group("h.1")), group("h.1.attn"));
  assert.equal(outermostChanged(tree, one, inner), group("h.1"), "what opened inside it moves with it");
  const two = toggled(tree, toggled(tree, one, group("h.0")), group("h.2"));
  assert.equal(outermostChanged(tree, one, two), -1);
  assert.equal(outermostChanged(tree, one, one), -1);
});
