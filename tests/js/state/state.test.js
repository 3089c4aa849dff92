import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import * as state from "../../../static/js/state.js";
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
  assert.deepEqual(state.panes.get(), [{ show: "joint.0", camera: null, opened: [], closed: [], only: null }]);
});

test("a second pane is active at once; closing one leaves the other active", () => {
  state.showIn("forward.0");
  state.split("backward.0");
  assert.equal(state.activeShow(), "backward.0");
  state.split("joint.0");
  assert.equal(state.panes.get().length, 2, "two panes at most");
  state.closePane(0);
  assert.equal(state.activeShow(), "backward.0");
  state.closePane(0);
  assert.equal(state.panes.get().length, 1, "the last pane stays");
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
  state.toggleGroup(own, group);
  for (const pane of state.panes.get()) assert.equal(state.openIn(pane, own)[group], before ? 0 : 1);
  state.toggleGroup(own, group);
  assert.deepEqual(
    state.panes.get().map((pane) => [pane.opened, pane.closed]),
    [
      [[], []],
      [[], []],
    ],
  );
});
