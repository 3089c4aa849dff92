import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedIn, difference, figures, replayedIn, stageVerdict, verdictOf } from "../../../static/js/model/replay.js";
import { graph, stage } from "../state/made.js";

/** @param {Partial<Api.Replay>} [change] @returns {Api.Replay} */
function replay(change = {}) {
  return { status: "compared", outputs: 1, gradients: 0, max_abs: 0, max_rel: 0, close: true, worst: "", reason: "", ...change };
}

const SAME = replay();
const CLOSE = replay({ max_abs: 3.7252e-8, max_rel: 1.8911e-7, gradients: 2 });
const APART = replay({ max_abs: 0.5, max_rel: 0.25, close: false });
const NAN = replay({ max_abs: null, max_rel: null, close: false });
const NOT = replay({ status: "not-compared", outputs: 0, max_abs: null, max_rel: null, close: false, reason: "data on meta\nmore" });

test("the verdict on a graph", () => {
  assert.deepEqual([SAME, CLOSE, APART, NAN, NOT].map(verdictOf), ["same", "close", "apart", "apart", "unknown"]);
});

test("figures in one line", () => {
  assert.equal(figures(SAME), "max abs 0, max rel 0 over 1 output");
  assert.equal(figures(CLOSE), "max abs 3.7e-8, max rel 1.9e-7 over 1 output, 2 gradients");
  assert.equal(figures(NAN), "not finite, over 1 output");
  assert.equal(figures(NOT), "data on meta");
  assert.equal(comparedIn(replay({ outputs: 0 })), "");
  assert.deepEqual([null, 0, 0.125, 12345].map(difference), ["", "0", "1.3e-1", "1.2e+4"]);
});

/** @param {[string, Api.Replay|null, Partial<Api.GraphHead>?][]} graphs */
function made(...graphs) {
  return stage(
    "forward",
    "done",
    graphs.map(([id, replayed, more], i) => graph(id, "", { fragment: i, ...more, replay: replayed })),
  );
}

test("a stage is judged by its fragments, by that which is to be looked at first", () => {
  assert.equal(stageVerdict(made(["forward.0", SAME], ["forward.1", CLOSE])), "close");
  assert.equal(stageVerdict(made(["forward.0", NOT], ["forward.1", CLOSE])), "unknown");
  assert.equal(stageVerdict(made(["forward.0", APART], ["forward.1", NOT])), "apart");
  assert.equal(stageVerdict(made(["forward.0", SAME], ["forward.0.default", APART, { fragment: 0, variant: "default" }])), "same");
  assert.equal(stageVerdict(made(["forward.0", null])), null);
});

test("what was run again, a stage's own graphs first", () => {
  const anew = { fragment: 0, recompile: 1 };
  const listed = replayedIn(made(["dynamo.0.r1", SAME, anew], ["dynamo.1", null], ["dynamo.2", CLOSE]));
  assert.deepEqual(
    listed.map(({ id }) => id),
    ["dynamo.2", "dynamo.0.r1"],
  );
});
