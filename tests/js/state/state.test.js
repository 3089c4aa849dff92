import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { paneView } from "../../../static/js/model/viewhash.js";
import * as state from "../../../static/js/state.js";
import { toggleGroup } from "../../../static/js/state/trace.js";
import { Sketch } from "../layout/samples.js";
import { capture, graph, model, stage } from "./made.js";

beforeEach(() => {
  state.graphs.set(new Map());
  state.panes.set([]);
  state.active.set(0);
  state.selection.set(null);
  state.capture.set(null);
});

test("an atom tells its listeners of another value only, with the one before, until they leave", () => {
  const atom = new state.Atom(1);
  /** @type {number[][]} */
  const told = [];
  const leave = atom.subscribe((value, before) => told.push([value, before]));
  atom.set(1);
  atom.set(2);
  leave();
  atom.set(3);
  assert.deepEqual(told, [[2, 1]]);
});

test("the first graph makes the first pane; another graph takes its place with a fresh camera", () => {
  state.showIn("export.0");
  state.setPane(0, { camera: { x: 1, y: 2, k: 3 } });
  state.showIn("export.0");
  assert.deepEqual(state.panes.get()[0].camera, { x: 1, y: 2, k: 3 }, "the same graph stays where it is");
  state.showIn("joint.0");
  assert.deepEqual(state.panes.get(), [paneView("joint.0")]);
});

test("another pane is active at once, up to three; closing one keeps the one in use", () => {
  state.showIn("forward.0");
  state.split("backward.0");
  assert.equal(state.activeShow(), "backward.0");
  state.split("joint.0");
  state.split("eager.0");
  assert.deepEqual(
    state.panes.get().map((pane) => pane.show),
    ["forward.0", "backward.0", "joint.0"],
    "three panes at most",
  );
  state.active.set(1);
  state.closePane(0);
  assert.equal(state.activeShow(), "backward.0");
  state.active.set(1);
  state.closePane(1);
  assert.equal(state.activeShow(), "backward.0");
  state.closePane(0);
  assert.equal(state.panes.get().length, 1, "the last pane stays");
});

test("beside the active pane: where the graph is already, else in a new pane, else in place of another", () => {
  state.showIn("export.0");
  state.showBeside("core_aten.0");
  assert.deepEqual([state.panes.get().length, state.active.get()], [2, 1]);
  state.active.set(0);
  state.showBeside("core_aten.0");
  assert.deepEqual([state.panes.get().length, state.active.get()], [2, 1], "no second of the same");
  state.showBeside("joint.0");
  state.showBeside("forward.0");
  assert.deepEqual(
    state.panes.get().map((pane) => pane.show),
    ["export.0", "forward.0", "joint.0"],
    "the active pane keeps its graph",
  );
});

test("beside a forward stands its backward, of the same fragment and target", () => {
  const stages = [
    stage("forward", "done", [graph("forward.0"), graph("forward.1")]),
    stage("backward", "done", [graph("backward.0"), graph("backward.1")]),
  ];
  state.capture.set(capture(stages));
  state.showIn("forward.1");
  assert.equal(state.counterpart(), "backward.1");
  state.showIn("backward.0");
  assert.equal(state.counterpart(), "forward.0");
  state.split("forward.0");
  assert.equal(state.counterpart(), "forward.0", "all stages are shown: the same once more");
});

test("a third pane shows the next stage that no pane shows", () => {
  const done = (/** @type {string} */ id) => stage(id, "done", [graph(`${id}.0`)]);
  state.capture.set(
    capture([done("export"), done("core_aten"), done("joint"), stage("forward", "skipped", []), done("backward")]),
  );
  state.showIn("core_aten.0");
  state.split(state.counterpart());
  state.split(state.counterpart());
  assert.deepEqual(
    state.panes.get().map((pane) => pane.show),
    ["core_aten.0", "export.0", "joint.0"],
    "the twin, then what comes after the active one",
  );
});

test("where there is no counterpart, the same graph stands beside itself", () => {
  state.capture.set(capture([stage("forward", "done", [graph("forward.0")]), stage("backward", "skipped", [])]));
  state.showIn("forward.0");
  assert.equal(state.counterpart(), "forward.0");
});

test("the selection is found by name, in its own graph only, and unknown names are left out", () => {
  const own = model("export.0");
  state.select("export.0", ["sin", "gone", "x"]);
  assert.deepEqual(state.selectedIn(own), [1, 0]);
  assert.deepEqual(state.selectedIn(model("joint.0")), []);
  state.select("export.0", []);
  assert.equal(state.selection.get(), null);
});

test("the active graph is told when it comes, and when the pane shows another", () => {
  /** @type {(string|undefined)[]} */
  const told = [];
  state.onActiveGraph((now) => told.push(now?.id));
  state.showIn("export.0");
  state.graphs.set(new Map([["export.0", model("export.0")]]));
  state.showIn("joint.0");
  assert.deepEqual(told, [undefined, "export.0", undefined]);
});

test("a group is toggled in every pane of its graph, and the pane keeps only the difference", () => {
  const own = model("export.0");
  state.graphs.set(new Map([["export.0", own]]));
  state.showIn("export.0");
  state.split("export.0");
  const group = own.modules.findIndex((module) => module.path === "layer");
  const before = state.openIn(state.panes.get()[0], own)[group];
  toggleGroup(own.id, "layer");
  for (const pane of state.panes.get()) assert.equal(state.openIn(pane, own)[group], before ? 0 : 1);
  toggleGroup(own.id, "layer");
  assert.deepEqual(
    state.panes.get().map((pane) => [pane.opened, pane.closed]),
    [
      [[], []],
      [[], []],
    ],
  );
});

test("the next graph of a pane is grouped and coloured as the one before, but not filtered", () => {
  state.showIn("core_aten.0");
  state.setPane(0, { by: "op", colour: "dtype", filter: ["f32"] });
  state.showIn("joint.0");
  const look = (/** @type {number} */ i) => [state.panes.get()[i].by, state.panes.get()[i].colour, state.panes.get()[i].filter];
  assert.deepEqual(look(0), ["op", "dtype", []]);
  state.split("backward.0");
  assert.deepEqual(look(1), ["op", "dtype", []]);
});

test("a tree is made once for each way of grouping, and the one that has a path is found", () => {
  const own = decomposedModel();
  assert.equal(state.treeOf(own), state.treeOf(own, "module"));
  assert.notEqual(state.treeOf(own), state.treeOf(own, "op"));
  assert.equal(state.treeWith(own, "act").by, "module");
  assert.equal(state.treeWith(own, "act/gelu").by, "op");
  state.showIn(own.id);
  state.setPane(0, { by: "op" });
  state.split(own.id);
  state.setPane(1, { by: "module" });
  state.graphs.set(new Map([[own.id, own]]));
  toggleGroup(own.id, "act/gelu");
  assert.deepEqual(
    state.panes.get().map((pane) => pane.opened),
    [["act/gelu"], []],
    "only where there is such a group",
  );
});

function decomposedModel() {
  const g = new Sketch("core_aten.0");
  const x = g.input("x");
  g.decomposed("gelu", "gelu", () => g.node("erf", [g.node("mul", [x], "act")], "act"));
  return g.model();
}
