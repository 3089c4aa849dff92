import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Links } from "../../../static/js/model/kin/links.js";
import * as state from "../../../static/js/state.js";
import * as kin from "../../../static/js/state/kin.js";
import { model } from "../state/made.js";

beforeEach(() => {
  state.graphs.set(new Map(["export.0", "core_aten.0"].map((gid) => [gid, model(gid)])));
  state.panes.set([]);
  state.active.set(0);
  state.selection.set(null);
  state.hovered.set(null);
  kin.links.set(new Map());
});

const graph = (/** @type {string} */ gid) =>
  /** @type {NonNullable<ReturnType<typeof state.activeGraph>>} */ (state.graphs.get().get(gid));
const made = () =>
  new Links(
    {
      a: "core_aten.0",
      b: "export.0",
      exact: [
        [1, 1, "from_node"],
        [0, 1, "from_node"],
      ],
      line: [[2, 1]],
      unlinked: { a: {}, b: {} },
    },
    3,
    3,
  );

/** @param {string} gid */
function found(gid) {
  const got = kin.kinIn(graph(gid));
  return got && { exact: [...got.kin.exact], line: [...got.kin.line], from: got.from, by: got.by };
}

test("nothing is kin while nothing is selected", () => {
  assert.equal(found("core_aten.0"), null);
});

test("until the links are here kin is who shares a line; then who torch says; or again the line when they cannot be had", () => {
  state.select("export.0", ["sin"]);
  assert.deepEqual(found("core_aten.0"), { exact: [], line: [1], from: 1, by: "waiting" });
  const key = kin.pairKey("export.0", "core_aten.0");
  kin.links.set(new Map([[key, made()]]));
  assert.deepEqual(found("core_aten.0"), { exact: [0, 1], line: [2], from: 1, by: "links" });
  kin.links.set(new Map([[key, null]]));
  assert.deepEqual(found("core_aten.0"), { exact: [], line: [1], from: 1, by: "lost" });
});

test("the pair has one key in both orders", () => {
  assert.equal(kin.pairKey("a.0", "b.0"), kin.pairKey("b.0", "a.0"));
});

test("a selected group selects the nodes in it", () => {
  state.selectGroup("export.0", "layer");
  assert.deepEqual([...kin.chosenIn(graph("export.0"))], [1]);
  assert.deepEqual([...kin.chosenIn(graph("core_aten.0"))], []);
  assert.deepEqual(found("core_aten.0")?.line, [1]);
  state.selectGroup("export.0", "gone");
  assert.deepEqual([...kin.chosenIn(graph("export.0"))], []);
  assert.equal(found("core_aten.0"), null);
});

test("the same question is answered once", () => {
  state.select("export.0", ["sin"]);
  assert.equal(kin.kinIn(graph("core_aten.0")), kin.kinIn(graph("core_aten.0")));
});

test("what the pointer is over previews its kin, and itself where it is pointed at from a list", () => {
  kin.links.set(new Map([[kin.pairKey("export.0", "core_aten.0"), made()]]));
  kin.hover("export.0", [1]);
  assert.deepEqual([...kin.previewIn(graph("core_aten.0")).exact], [0, 1]);
  assert.deepEqual([...kin.previewIn(graph("export.0")).exact], [1]);
  const before = state.hovered.get();
  kin.hover("export.0", [1]);
  assert.equal(state.hovered.get(), before, "the same again tells nobody");
  kin.hover("export.0", []);
  assert.deepEqual([...kin.previewIn(graph("core_aten.0")).exact], []);
});

test("kin in a graph that is not here yet are selected when it comes, unless something else was selected meanwhile", () => {
  const later = graph("core_aten.0");
  for (const meanwhile of [false, true]) {
    state.graphs.set(new Map([["export.0", graph("export.0")]]));
    state.showIn("export.0");
    state.select("export.0", ["sin"]);
    kin.openNodes("core_aten.0", [0, 1]);
    assert.equal(state.activeShow(), "core_aten.0");
    if (meanwhile) state.select("export.0", ["x"]);
    state.graphs.set(new Map(state.graphs.get()).set("core_aten.0", later));
    assert.deepEqual(state.selection.get()?.names, meanwhile ? ["x"] : ["x", "sin"]);
    assert.equal(state.selection.get()?.gid, meanwhile ? "export.0" : "core_aten.0");
  }
});

test("kin are opened in the pane that shows their graph", () => {
  state.showIn("export.0");
  state.split("core_aten.0");
  state.active.set(0);
  kin.openNodes("core_aten.0", [1]);
  assert.deepEqual([state.active.get(), state.selection.get()?.names], [1, ["sin"]]);
});
