import assert from "node:assert/strict";
import { test } from "node:test";

import { relativesOf } from "../../../static/js/model/kin/relatives.js";
import { capture, graph, stage } from "../state/made.js";

/** @param {string} id @param {Partial<Api.GraphHead>} [change] */
const head = (id, change = {}) => ({ ...graph(id), ...change });

/** @param {Api.GraphHead[]} graphs */
const ids = (graphs) => graphs.map((each) => each.id);

test("kin are looked for in the same fragment of every stage, the whole model and no bodies first", () => {
  const now = capture([
    stage("eager", "done", [head("eager.0")]),
    stage("dynamo", "done", [head("dynamo.0"), head("dynamo.1", { fragment: 1 })]),
    stage("export", "done", [head("export.0"), head("export.0/true_graph_0", { parent: "export.0" })]),
    stage("forward", "done", [
      head("forward.0"),
      head("forward.0.default", { variant: "default" }),
      head("forward.1", { fragment: 1 }),
    ]),
    stage("backward", "skipped", []),
  ]);
  const { first, more } = relativesOf(now, "dynamo.0");
  assert.deepEqual(ids(first), ["eager.0", "export.0", "forward.0"]);
  assert.deepEqual(ids(more), ["dynamo.1", "export.0/true_graph_0", "forward.0.default", "forward.1"]);
});

test("from the whole model every fragment is near; from a body bodies are; from a variant its own variants", () => {
  const now = capture([
    stage("export", "done", [head("export.0"), head("export.0/true_graph_0", { parent: "export.0" })]),
    stage("core_aten", "done", [head("core_aten.0"), head("core_aten.0/true_graph_0", { parent: "core_aten.0" })]),
    stage("forward", "done", [
      head("forward.0"),
      head("forward.1", { fragment: 1 }),
      head("forward.0.default", { variant: "default" }),
    ]),
    stage("backward", "done", [head("backward.0"), head("backward.0.default", { variant: "default" })]),
  ]);
  assert.deepEqual(ids(relativesOf(now, "export.0").first), ["core_aten.0", "forward.0", "forward.1", "backward.0"]);
  assert.deepEqual(ids(relativesOf(now, "export.0/true_graph_0").first).slice(0, 3), [
    "export.0",
    "core_aten.0",
    "core_aten.0/true_graph_0",
  ]);
  assert.ok(ids(relativesOf(now, "forward.0.default").first).includes("backward.0.default"));
});

test("a joint graph has kin in itself; other targets have none", () => {
  const now = capture([stage("joint", "done", [head("joint.0")]), stage("forward", "done", [head("forward.0")])]);
  now.targets.push({ id: "t2", title: "", rule: "", frame: null, stages: [stage("export", "done", [head("t2.export.0")])] });
  assert.deepEqual(ids(relativesOf(now, "joint.0").first), ["joint.0", "forward.0"]);
  assert.deepEqual(relativesOf(now, "t2.export.0"), { first: [], more: [] });
  assert.deepEqual(relativesOf(now, "gone.0"), { first: [], more: [] });
});
