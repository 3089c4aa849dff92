import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { bytesOf, endsOf, savedAmong, tensorOf } from "../../../static/js/model/trace/list.js";
import { reached, traceKey, traceWords } from "../../../static/js/model/trace/trace.js";
import { GraphModel } from "../../../static/js/model/graph.js";
import * as state from "../../../static/js/state.js";
import * as tracing from "../../../static/js/state/trace.js";
import { model } from "../state/made.js";
import { Sketch } from "../layout/samples.js";

/** @typedef {import("../../../static/js/state.js").Trace} Trace */

/** @param {Trace["how"]} how @param {string} from @param {string} [to] @returns {Trace} */
const follow = (how, from, to = "") => ({ how, gid: "export.0", from, to });

beforeEach(() => {
  state.graphs.set(new Map([["export.0", model("export.0")]]));
  state.panes.set([]);
  state.active.set(0);
  state.selection.set(null);
  state.trace.set(null);
  tracing.pathFrom.set(null);
  tracing.answers.set(new Map());
});

const own = () => /** @type {GraphModel} */ (state.graphs.get().get("export.0"));

test("a trace by names; unknown names find nothing", () => {
  assert.deepEqual([...reached(own(), follow("ancestors", "sin"))], [0, 1]);
  assert.deepEqual([...reached(own(), follow("descendants", "sin"))], [1, 2]);
  assert.deepEqual([...reached(own(), follow("between", "out", "sin"))], [1, 2]);
  for (const lost of [follow("ancestors", "gone"), follow("between", "sin", "gone"), follow("between", "gone", "sin")])
    assert.deepEqual([...reached(own(), lost)], []);
});

test("a trace in words", () => {
  assert.equal(traceWords(follow("ancestors", "sin")), "ancestors of sin");
  assert.equal(traceWords(follow("between", "x", "sin")), "paths between x and sin");
  assert.equal(traceWords(follow("gradient", "sin")), "gradient path of sin");
  assert.notEqual(traceKey(follow("ancestors", "a")), traceKey(follow("descendants", "a")));
});

test("a pane draws the whole graph, or only what its trace finds, each made once", () => {
  state.showIn("export.0");
  const pane = () => state.panes.get()[0];
  assert.equal(tracing.drawnIn(pane())?.model, own());
  tracing.isolate(0, follow("ancestors", "sin"));
  const drawn = tracing.drawnIn(pane());
  assert.deepEqual(drawn?.model.name, ["x", "sin"]);
  assert.deepEqual([...(drawn?.part?.whole ?? [])], [0, 1]);
  assert.equal(tracing.drawnIn(pane())?.model, drawn?.model);
  tracing.isolate(0, null);
  assert.equal(tracing.drawnIn(pane())?.part, null);
  state.graphs.set(new Map());
  assert.equal(tracing.drawnIn(pane()), null, "the graph is not here yet");
});

test("the list is about what is lit, else about what alone is drawn", () => {
  state.showIn("export.0");
  assert.equal(tracing.listedTrace(), null);
  tracing.isolate(0, follow("ancestors", "sin"));
  assert.equal(tracing.listedTrace()?.from, "sin");
  state.trace.set(follow("descendants", "x"));
  tracing.isolate(0, follow("ancestors", "sin"));
  assert.equal(tracing.listedTrace()?.how, "descendants");
});

test("a group is toggled also where only a part of the graph is drawn, by its path", () => {
  state.showIn("export.0");
  state.split("export.0");
  tracing.isolate(1, follow("ancestors", "sin"));
  const opens = () =>
    state.panes.get().map((pane) => {
      const drawn = /** @type {GraphModel} */ (tracing.drawnIn(pane)?.model);
      return state.openIn(pane, drawn)[state.treeOf(drawn).path.indexOf("layer")];
    });
  const before = opens();
  tracing.toggleGroup("export.0", "layer");
  assert.deepEqual(
    opens(),
    before.map((open) => (open ? 0 : 1)),
  );
});

test("a path is asked for by selecting its other end; anything else ends the asking", () => {
  state.select("export.0", ["x"]);
  tracing.pathFrom.set({ gid: "export.0", name: "x" });
  state.select("export.0", ["sin"]);
  assert.deepEqual(state.trace.get(), follow("between", "x", "sin"));
  assert.equal(tracing.pathFrom.get(), null);
  state.trace.set(null);
  for (const other of [
    () => state.select("joint.0", ["sin"]),
    () => state.select("export.0", ["x"]),
    () => state.select("export.0", ["x", "sin"]),
    () => state.selectGroup("export.0", "layer"),
  ]) {
    state.selection.set(null);
    tracing.pathFrom.set({ gid: "export.0", name: "x" });
    other();
    assert.equal(state.trace.get(), null);
    assert.equal(tracing.pathFrom.get(), null);
  }
});

/** A forward that returns a value and keeps two. */
function forward() {
  const g = new Sketch("forward.0");
  const x = g.input("x");
  const w = g.parameter("w");
  const y = g.node("mm", [x, w], "", { type: "f32[8, s0]" });
  const z = g.node("size", [y], "", { type: "sym(s0)" });
  g.output([y, x, z]);
  const columns = g.columns();
  return new GraphModel({
    ...columns,
    nodes: { ...columns.nodes, bytes: [64, 128, 256, -1, -1] },
    returns: [
      [y, "user_output", ""],
      [x, "saved", "x"],
      [z, "saved", ""],
    ],
  });
}

test("saved among the nodes of a forward: what it returns for the backward", () => {
  const graph = forward();
  const saved = savedAmong(graph, [0, 1, 2, 3]);
  assert.deepEqual(
    saved.map(({ node }) => node),
    [0, 3],
  );
  assert.deepEqual(tensorOf(graph, 2), { node: 2, name: graph.name[2], dtype: "f32", shape: "[8, s0]", bytes: 256 });
  assert.deepEqual([saved[1].dtype, saved[1].shape, saved[1].bytes], ["", "", -1]);
  assert.equal(bytesOf(saved), 64, "what is not known is not counted");
  assert.deepEqual(savedAmong(graph, [1]), []);
});

test("saved among the nodes of a backward: what it is given but the gradients that come in", () => {
  const g = new Sketch("backward.0");
  const saved = g.input("mm");
  const tangent = g.input("tangents");
  const out = g.node("mul", [saved, tangent]);
  const graph = g.model();
  assert.equal(graph.name[tangent], "tangents_1");
  assert.deepEqual(
    savedAmong(graph, [saved, tangent, out]).map(({ node }) => node),
    [saved],
  );
});

test("the ends among traced nodes, by kind", () => {
  assert.deepEqual(endsOf(forward(), [0, 1, 2]), [
    ["input", 1],
    ["parameter", 1],
  ]);
  const g = new Sketch("backward.0");
  const a = g.input("a");
  const b = g.node("mul", [a]);
  const columns = g.columns();
  const graph = new GraphModel({
    ...columns,
    returns: [
      [b, "gradient", "w"],
      [-1, "gradient", "v"],
    ],
  });
  assert.deepEqual(endsOf(graph, [a, b]), [
    ["input", 1],
    ["gradient", 1],
  ]);
});

test("a neighbourhood begins at nodes or at a group, a search at what it finds", () => {
  const at = (/** @type {string} */ from, /** @type {string} */ to) => [...reached(own(), follow("near", from, to))];
  assert.deepEqual(at("sin", "0"), [1]);
  assert.deepEqual(at("x,gone", "1"), [0, 1]);
  assert.deepEqual(at("@layer", "0"), [1]);
  assert.deepEqual(at("@gone", "3"), []);
  assert.deepEqual([...reached(own(), follow("found", "sin"))], [1]);
  assert.deepEqual([...reached(own(), follow("found", "sin", "1"))], [0, 1, 2]);
  assert.equal(traceWords(follow("near", "a,b,c", "1")), "neighbourhood of 3 nodes");
  assert.equal(traceWords(follow("near", "@layer", "1")), "neighbourhood of layer");
  assert.equal(traceWords(follow("found", "op:sin", "")), "nodes found by “op:sin”");
});

test("what is near the selection is drawn alone, and wider each time it is asked for again", () => {
  state.showIn("export.0");
  const only = () => state.panes.get()[0].only;
  assert.equal(tracing.isolateSelection(), false, "nothing is selected");
  state.select("export.0", ["x"]);
  assert.ok(tracing.isolateSelection());
  assert.deepEqual(only(), follow("near", "x", "1"));
  assert.deepEqual(state.panes.get()[0].opened, ["*"], "so few need no groups");
  assert.ok(tracing.isolateSelection());
  assert.deepEqual(only(), follow("near", "x", "2"));
  assert.ok(tracing.isolateWider(-2) && !tracing.isolateWider(-1), "not less than nothing");
  assert.equal(only()?.to, "0");
  state.selectGroup("export.0", "layer");
  assert.ok(tracing.isolateSelection());
  assert.deepEqual(only(), follow("near", "@layer", "1"));
  tracing.isolate(0, follow("ancestors", "sin"));
  assert.equal(tracing.isolateWider(1), false, "ancestors have no steps");
});
