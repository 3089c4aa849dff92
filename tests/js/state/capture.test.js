import assert from "node:assert/strict";
import { test } from "node:test";

import {
  besides,
  firstShow,
  fragmentsOf,
  graphOf,
  graphsOf,
  nodeCount,
  noStageWorked,
  parseShow,
  showOfStage,
  stageKey,
  stageOf,
  targetsOf,
  trailOf,
  withStage,
} from "../../../static/js/model/capture.js";
import { capture, graph, stage } from "./made.js";

test("a GID and a stage's key are told apart", () => {
  assert.deepEqual(parseShow("export.0"), { target: "t1", stage: "export", graph: true });
  assert.deepEqual(parseShow("t12.core_aten.3.default/true_graph_0"), { target: "t12", stage: "core_aten", graph: true });
  assert.deepEqual(parseShow("t2.core_aten"), { target: "t2", stage: "core_aten", graph: false });
  assert.deepEqual(parseShow("export"), { target: "t1", stage: "export", graph: false });
  assert.equal(stageKey("t1", "export"), "export");
  assert.equal(stageKey("t2", "export"), "t2.export");
});

test("before targets are found, the stages asked for stand for one", () => {
  const now = { ...capture([]), stages: [stage("eager", "queued", [])] };
  assert.deepEqual(
    targetsOf(now).map((target) => target.stages.map((each) => each.id)),
    [["eager"]],
  );
  assert.equal(firstShow(now), null);
});

test("the whole model as one graph is shown first, else the first graph there is", () => {
  const dynamo = stage("dynamo", "done", [graph("dynamo.0"), graph("dynamo.1")]);
  assert.equal(firstShow(capture([dynamo, stage("export", "done", [graph("export.0")])])), "export.0");
  assert.equal(firstShow(capture([dynamo, stage("export", "failed", [])])), "dynamo.0");
  const eager = stage("eager", "done", [graph("eager.0")]);
  assert.equal(firstShow(capture([eager, dynamo, stage("export", "failed", [])])), "dynamo.0");
  assert.equal(firstShow(capture([eager, stage("dynamo", "skipped", [])])), "eager.0");
  assert.equal(firstShow(capture([stage("eager", "failed", [])])), null);
  assert.equal(
    firstShow(capture([dynamo, stage("export", "failed", [graph("export.0")])])),
    "dynamo.0",
    "a refused export's draft comes last",
  );
});

test("a stage shows its first fragment, never a body; without graphs itself", () => {
  const bodies = stage("export", "done", [graph("export.0/true_graph_0", "export.0"), graph("export.0")]);
  assert.deepEqual(
    fragmentsOf(bodies).map((each) => each.id),
    ["export.0"],
  );
  assert.equal(showOfStage("t1", bodies), "export.0");
  assert.equal(showOfStage("t2", stage("joint", "skipped", [])), "t2.joint");
  assert.equal(showOfStage("t1", stage("export", "failed", [graph("export.0")])), "export", "a failed stage says why first");
});

test("what a fragment has besides its own graph is no fragment, unless there is nothing else", () => {
  const forward = stage("forward", "done", [
    graph("forward.0"),
    graph("forward.0/body", "forward.0"),
    graph("forward.0.default", "", { variant: "default" }),
    graph("forward.0.default/body", "forward.0.default", { variant: "default" }),
    graph("forward.1", "", { fragment: 1 }),
  ]);
  const ids = (/** @type {Api.GraphHead[]} */ graphs) => graphs.map((each) => each.id);
  assert.deepEqual(ids(fragmentsOf(forward)), ["forward.0", "forward.1"]);
  assert.deepEqual(ids(graphsOf(forward)), ["forward.0", "forward.0/body", "forward.1"]);
  assert.equal(nodeCount(forward), 9);
  const dynamo = stage("dynamo", "done", [graph("dynamo.0"), graph("dynamo.0.r1", "", { recompile: 1 })]);
  assert.deepEqual(ids(fragmentsOf(dynamo)), ["dynamo.0"]);
  assert.deepEqual(dynamo.graphs.map(besides), ["", "compiled anew"]);
  assert.equal(besides(graph("dynamo.1.second_inputs", "", { variant: "second_inputs" })), "second inputs");
  const draft = graph("export.0.draft", "", { variant: "draft" });
  assert.deepEqual(fragmentsOf(stage("export", "failed", [draft])), [draft]);
});

test("the trail leads from the outermost graph to a body, also when a document runs in circles", () => {
  const now = capture([
    stage("export", "done", [graph("export.0"), graph("export.0/a", "export.0"), graph("export.0/a/b", "export.0/a")]),
  ]);
  assert.deepEqual(
    trailOf(now, "export.0/a/b").map((each) => each.id),
    ["export.0", "export.0/a", "export.0/a/b"],
  );
  assert.deepEqual(trailOf(now, "nothing.0"), []);
  const circle = capture([stage("export", "done", [graph("export.0/a", "export.0/a")])]);
  assert.ok(trailOf(circle, "export.0/a").length <= 32);
});

test("a stage that ends takes the place of itself, in its own target only", () => {
  const now = capture([stage("eager", "running", []), stage("export", "queued", [])]);
  now.targets.push({ id: "t2", title: "second", rule: "", frame: null, stages: [stage("eager", "queued", [])] });
  const next = withStage(now, "t2", stage("eager", "done", [graph("t2.eager.0")]));
  assert.equal(stageOf(next, "eager")?.status, "running");
  assert.equal(stageOf(next, "t2.eager.0")?.status, "done");
  assert.equal(graphOf(next, "t2.eager.0")?.nodes, 3);
  assert.equal(stageOf(now, "t2.eager")?.status, "queued", "the capture before is unchanged");
  assert.deepEqual(
    withStage(now, "t1", stage("joint", "done", [])).stages.map((each) => each.id),
    ["eager", "export", "joint"],
  );
});

test("a capture of which no stage worked is told from one with a failed stage", () => {
  const failed = stage("eager", "failed", []);
  assert.equal(noStageWorked(capture([failed, stage("core_aten", "skipped", [])])), true);
  assert.equal(noStageWorked(capture([failed, stage("export", "done", [])])), false);
  assert.equal(noStageWorked(capture([stage("joint", "skipped", [])])), false);
  assert.equal(noStageWorked({ ...capture([failed]), status: "running" }), false);
});
