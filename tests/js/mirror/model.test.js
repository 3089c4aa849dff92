// Both halves as one model: what a pane shows, the joined columns, which groups are pairs, which are open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { groupTree, openDifference, openFrom, openPathTo } from "../../../static/js/model/groups.js";
import { closedGroupOf } from "../layout/faults.js";
import { pairGroups } from "../../../static/js/model/mirror/pairs.js";
import { backwardColumns, forwardColumns, joinedColumns } from "../../../static/js/model/mirror/columns.js";
import {
  backwardOf,
  forwardOf,
  hasBoth,
  isCompared,
  isMirror,
  mirrorOf,
  mirrorsOf,
  withCompared,
} from "../../../static/js/model/mirror/shows.js";
import { memory, sizes } from "../../../static/js/model/mirror/words.js";
import { Sketch } from "../layout/samples.js";
import { Tape, given, randomHalves, transformerHalves } from "./halves.js";

test("what a pane shows names both graphs", () => {
  for (const [show, forward, backward] of [
    ["mirror.0", "forward.0", "backward.0"],
    ["t2.mirror.11", "t2.forward.11", "t2.backward.11"],
    ["mirror.0.r1", "forward.0.r1", "backward.0.r1"],
    ["mirror.0.default", "forward.0.default", "backward.0.default"],
    ["mirror.0.compared", "forward.0", "backward.0"],
    ["t2.mirror.0.min_cut.compared", "t2.forward.0.min_cut", "t2.backward.0.min_cut"],
  ]) {
    assert.ok(isMirror(show));
    assert.equal(forwardOf(show), forward);
    assert.equal(backwardOf(show), backward);
    assert.equal(mirrorOf(forward), withCompared(show, false));
    assert.equal(mirrorOf(backward), withCompared(show, false));
  }
  for (const show of ["mirror", "forward.0", "mirror.x", "mirror.0/body", "export.0.compared", "mirror.0.other"]) {
    assert.ok(!isMirror(show), show);
    assert.equal(forwardOf(show), "");
  }
  assert.equal(mirrorOf("forward.0/body"), "");
  assert.equal(mirrorOf("joint.0"), "");
  assert.ok(isCompared("mirror.0.compared") && !isCompared("mirror.0"));
  assert.equal(withCompared("mirror.0", true), "mirror.0.compared");
  assert.equal(withCompared("mirror.0.compared", true), "mirror.0.compared");
});

test("a target has a mirror for each fragment with both halves", () => {
  const head = (/** @type {string} */ id, /** @type {number} */ fragment, variant = "", parent = "") =>
    /** @type {Api.GraphHead} */ (/** @type {unknown} */ ({ id, fragment, variant, recompile: 0, parent }));
  const stage = (/** @type {string} */ id, /** @type {Api.GraphHead[]} */ graphs) =>
    /** @type {Api.Stage} */ (/** @type {unknown} */ ({ id, graphs }));
  const forward = [head("forward.0", 0), head("forward.1", 1), head("forward.2", 2), head("forward.0.default", 0, "default")];
  const backward = [head("backward.0", 0), head("backward.2", 2), head("backward.2/body", 2, "", "backward.2")];
  const target = /** @type {Api.Target} */ (
    /** @type {unknown} */ ({ id: "t1", stages: [stage("forward", forward), stage("backward", backward)] })
  );
  assert.deepEqual(mirrorsOf(target), ["mirror.0", "mirror.2"]);
  assert.ok(hasBoth(target, "mirror.2.compared"));
  assert.ok(!hasBoth(target, "mirror.1"));
  assert.ok(!hasBoth(target, "mirror.0.default"), "its backward is not there");
  assert.ok(!hasBoth(null, "mirror.0"));
  assert.deepEqual(mirrorsOf({ ...target, stages: [stage("forward", forward)] }), []);
});

/** x -> relu -> sin; sin is returned, relu is saved, both go to the output. */
function small() {
  const g = new Sketch("forward.0");
  const x = g.input("x");
  const w = g.parameter("w");
  const relu = g.node("relu", [x, w]);
  const sin = g.node("sin", [relu]);
  g.output([sin, relu, w]);
  return {
    ...g.columns(),
    returns: /** @type {[number, string, string][]} */ ([
      [sin, "user_output", ""],
      [relu, "saved", ""],
      [w, "saved", ""],
    ]),
  };
}

test("what is only saved has no line to the output", () => {
  const columns = small();
  const { edges } = forwardColumns(columns);
  const lines = edges.src.map((src, e) => `${src}-${edges.dst[e]}`);
  assert.deepEqual(lines, ["0-2", "1-2", "2-3", "3-4"]);
  assert.equal(columns.edges.src.length, 6, "the columns given are left as they were");
});

test("the backward loses its output, and chips of the forward are chips in it", () => {
  const columns = small();
  const back = backwardColumns(columns, [0, 4]);
  assert.equal(back.nodes.name.length, 4);
  assert.ok(back.edges.dst.every((dst) => dst < 4));
  assert.deepEqual(back.nodes.chip, [1, 1, 0, 0]);
  assert.deepEqual(columns.nodes.chip, [0, 1, 0, 0, 0]);
  assert.ok(Object.values(back.nodes).every((column) => column.length === 4));
});

test("what a backward is given comes just before its first user, calls keep their order", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const mirror = randomHalves(seed, 30);
    const side = mirror.sides.backward;
    const before = given.get(mirror)?.["backward.0"].nodes.name ?? [];
    const calls = (/** @type {string[]} */ names) => names.filter((name) => side.op[side.indexOf(name)] === 2);
    assert.deepEqual(calls(side.name), calls(before.slice(0, -1)));
    for (let i = 0; i < side.count; i++) {
      if (side.op[i] !== 0 || side.usersOf(i).length === 0) continue;
      const between = side.op.slice(i + 1, side.usersOf(i)[0]);
      assert.ok(
        between.every((op) => op === 0),
        `${side.name[i]} comes long before its first user`,
      );
    }
    const { cut, kin } = mirror.answer;
    for (const each of cut.saved) assert.equal(side.name[each.backward], each.name);
    for (const each of cut.recomputed) assert.equal(side.name[each.backward], each.name);
    for (const each of cut.saved) assert.equal(kin[each.backward], each.forward);
  }
});

test("joined columns say of every node what its own columns say", () => {
  const [ahead, back] = [small(), small()];
  back.modules = [...back.modules, { path: "m", cls: "M", parent: 0 }];
  back.nodes.group = back.nodes.group.map(() => 1);
  const joined = joinedColumns(ahead, back, "both");
  const text = (/** @type {typeof joined} */ { strings, nodes }, /** @type {number} */ i) =>
    [
      nodes.name[i],
      strings[nodes.label_s[i]],
      strings[nodes.type_s[i]],
      strings[nodes.target_s[i]],
      nodes.kind[i],
      nodes.line[i],
    ].join();
  const count = ahead.nodes.name.length;
  for (let i = 0; i < count; i++) {
    assert.equal(text(joined, i), text(ahead, i));
    assert.equal(text(joined, i + count), text(back, i));
    assert.equal(joined.modules[joined.nodes.group[i + count]].path, "m");
  }
  assert.deepEqual(
    joined.edges.src.slice(-6),
    ahead.edges.src.map((src) => src + count),
  );
  assert.equal(joined.modules.at(-1)?.parent, ahead.modules.length);
});

test("every module of a transformer is a pair, inside pairs", () => {
  const mirror = transformerHalves(3);
  const { tree, partner, groups } = mirror;
  for (let g = 1; g < tree.count; g++) {
    if (tree.shown[g] !== g) continue;
    const other = partner[g];
    assert.ok(other > 0, `${tree.path[g]} has no partner`);
    assert.equal(partner[other], g);
    assert.equal(g < groups, other >= groups);
    assert.equal(tree.path[g].replace("backward:", ""), tree.path[other].replace("backward:", ""));
    const around = tree.box[g];
    assert.equal(around > 0 ? partner[around] : 0, tree.box[other] > 0 ? tree.box[other] : 0);
  }
});

test("calls of one module are paired by what they differentiate: the last forward with the first backward", () => {
  const tape = new Tape();
  let x = tape.ahead.input("x");
  for (let i = 0; i < 3; i++) x = tape.call("outer", [tape.call("inner", [x], "cell", true)], "");
  const mirror = tape.mirror([x]);
  const { tree, partner } = mirror;
  const inner = tape.steps.filter(({ path }) => path === "cell").map(({ node }) => tree.groupOf[node]);
  assert.equal(new Set(inner).size, 3, "three calls are three groups");
  for (const [i, group] of inner.entries()) {
    const back = partner[group];
    assert.ok(back > 0);
    const members = [...tree.groupOf.keys()].filter((node) => node >= mirror.offset && tree.groupOf[node] === back);
    const kin = members.map((node) => mirror.answer.kin[node - mirror.offset]);
    assert.ok(kin.includes(tape.steps.filter(({ path }) => path === "cell")[i].node), `call ${i}`);
  }
});

test("what torch recorded decides, not the order of calls", () => {
  const half = (/** @type {string} */ id) => {
    const g = new Sketch(id);
    const first = g.node("inner", [g.input("x")], "cell");
    const second = g.node("inner", [g.node("outer", [first])], "cell");
    return { tree: groupTree(g.model()), modules: g.modules, calls: [first, second] };
  };
  const [ahead, back] = [half("forward.0"), half("backward.0")];
  const pairsWith = (/** @type {number[]} */ kin) => {
    const partner = pairGroups(ahead.tree, back.tree, ahead.modules, back.modules, kin);
    return back.calls.map((call) =>
      ahead.calls.findIndex((each) => ahead.tree.groupOf[each] === partner[back.tree.groupOf[call]]),
    );
  };
  const kin = (/** @type {number} */ first, /** @type {number} */ second) => {
    const found = new Array(back.tree.groupOf.length).fill(-1);
    [found[back.calls[0]], found[back.calls[1]]] = [ahead.calls[first] ?? -1, ahead.calls[second] ?? -1];
    return found;
  };
  assert.deepEqual(pairsWith(kin(0, 1)), [0, 1]);
  assert.deepEqual(pairsWith(kin(1, 0)), [1, 0]);
  assert.deepEqual(pairsWith(kin(-1, -1)), [1, 0], "where nothing is recorded they come back in reverse order");
  assert.deepEqual(pairsWith(kin(0, 0)), [0, 1], "no group has two partners");
});

test("pairs lie inside pairs, also where a half draws other boxes around them", () => {
  const half = (/** @type {boolean} */ direct) => {
    const g = new Sketch("forward.0");
    const x = g.node("in", [g.input("x")], "a.b");
    const y = g.node("in", [x], "a.b");
    if (direct) g.node("more", [y], "a");
    return { tree: groupTree(g.model()), modules: g.modules, count: g.nodes.length };
  };
  const [merged, nested] = [half(false), half(true)];
  const kin = [-1, 1, 2, -1];
  const partner = pairGroups(merged.tree, nested.tree, merged.modules, nested.modules, kin);
  for (let b = 1; b < nested.tree.count; b++) {
    if (partner[b] < 0) continue;
    assert.equal(partner[nested.tree.box[b]], merged.tree.box[partner[b]]);
  }
});

test("pairs open and close together, and the address names each once", () => {
  const mirror = transformerHalves(3);
  const { tree, partner } = mirror;
  const group = tree.path.indexOf("h.1.attn");
  const open = mirror.ledBy(openFrom(mirror.rows, { opened: [], closed: ["h.1.attn"] }));
  assert.equal(open[group], 0);
  assert.equal(open[partner[group]], 0);
  assert.deepEqual(openDifference(mirror.rows, open), { opened: [], closed: ["h.1.attn"] });
  assert.deepEqual(
    openFrom(mirror.rows, { opened: [], closed: ["backward:h.1.attn"] }),
    mirror.rows.open,
    "has no name of its own",
  );
});

test("the address brings back every set of open pairs", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const mirror = randomHalves(seed, 40);
    const wild = mirror.tree.open.map((value, g) => (g > 0 && (g * 7 + seed) % 3 === 0 ? 1 - value : value));
    const open = mirror.ledBy(wild.map((value, g) => (g === 0 || mirror.tree.shown[g] === g ? value : mirror.tree.open[g])));
    const back = mirror.ledBy(openFrom(mirror.rows, openDifference(mirror.rows, open)));
    for (let g = 1; g < mirror.tree.count; g++)
      if (mirror.tree.shown[g] === g) assert.equal(back[g], open[g], mirror.tree.path[g]);
  }
});

test("nodes and groups keep the names of their own graphs", () => {
  const mirror = transformerHalves(2);
  for (const [gid, side] of /** @type {const} */ ([
    ["forward.0", mirror.sides.forward],
    ["backward.0", mirror.sides.backward],
  ])) {
    const names = given.get(mirror)?.[gid].nodes.name ?? [];
    assert.deepEqual([...side.name].sort(), names.slice(0, side.count).sort());
    for (const name of side.name) {
      const node = mirror.indexOf(gid, name);
      assert.deepEqual(mirror.nodeAt(node), { gid, name, index: names.indexOf(name) });
    }
    const group = mirror.groupOf(gid, "h.1.attn");
    assert.deepEqual(mirror.groupAt(group), { gid, path: "h.1.attn" });
  }
  assert.equal(mirror.indexOf("joint.0", "x"), -1);
  assert.equal(mirror.indexOf("backward.0", "output"), -1);
  assert.equal(mirror.groupOf("joint.0", "h.1.attn"), -1);
});

test("the way to a node of the backward opens the forward's modules too", () => {
  const mirror = transformerHalves(40);
  const closed = mirror.ledBy(openFrom(mirror.rows, { opened: [], closed: ["*"] }));
  const deep =
    mirror.model.count - 1 - [...mirror.tree.groupOf].reverse().findIndex((g) => mirror.tree.path[g].includes(".mlp.fc"));
  const open = mirror.paired(openPathTo(mirror.tree, closed, deep), (a, b) => a | b);
  assert.ok(closedGroupOf(mirror.tree, closed, deep) >= 0);
  assert.equal(closedGroupOf(mirror.tree, open, deep), -1);
  for (let g = 1; g < mirror.groups; g++) if (mirror.partner[g] >= 0) assert.equal(open[g], open[mirror.partner[g]]);
});

test("sizes and memory in words", () => {
  assert.equal(sizes(2048, 0), "2.0 KiB");
  assert.equal(sizes(2048, 2), "2.0 KiB + 2 symbolic");
  assert.equal(sizes(0, 1), "1 symbolic");
  const cut = /** @type {any} */ ({
    storages: [
      { name: "exp", bytes: 4096, held: false, saved: [0, 1] },
      { name: "w", bytes: 16, held: true, saved: [2] },
    ],
  });
  const saved = (/** @type {object} */ each) => /** @type {any} */ ({ name: "a", storage: 0, view: false, ...each });
  assert.equal(memory(cut, saved({ view: true })), "a view of exp, 4.0 KiB; shared by 2 saved tensors, counted once");
  assert.equal(memory(cut, saved({ name: "w", storage: 1 })), "there anyway, as an input of the graph");
  assert.equal(memory(cut, saved({ storage: -1 })), "");
});
