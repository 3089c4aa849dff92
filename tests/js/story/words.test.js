import assert from "node:assert/strict";
import { test } from "node:test";
import { anewIn, hasStory, isStory, storyOf } from "../../../static/js/model/story/shows.js";
import { foldOf, indentOf, plainCheck, plainSource } from "../../../static/js/model/story/words.js";
import { fragmentsOf, stageOf } from "../../../static/js/model/capture.js";
import { capture, graph, stage } from "../state/made.js";

test("what shows a story", () => {
  assert.ok(isStory("story") && isStory("t2.story"));
  assert.ok(!isStory("story.0") && !isStory("dynamo.0") && !isStory("t0.story") && !isStory("mystory"));
  assert.deepEqual(["t1", "t3"].map(storyOf), ["story", "t3.story"]);
});

/** @param {Api.GraphHead[]} graphs @param {number} breaks */
function target(graphs, breaks) {
  const dynamo = { ...stage("dynamo", "done", graphs), breaks };
  return /** @type {Api.Target} */ ({ id: "t1", title: "", rule: "", frame: null, stages: [stage("export", "done", []), dynamo] });
}

const SECOND = graph("dynamo.1.second_inputs", "", { fragment: 1, variant: "second_inputs" });
const ANEW = graph("dynamo.0.r1", "", { recompile: 1 });

test("there is a story of breaks, of several fragments, of what was compiled anew", () => {
  const [first, second] = [graph("dynamo.0"), graph("dynamo.1", "", { fragment: 1 })];
  assert.ok(!hasStory(target([first], 0)));
  assert.ok(hasStory(target([], 1)));
  assert.ok(hasStory(target([first, second], 0)));
  assert.ok(hasStory(target([first, ANEW], 0)));
  assert.ok(hasStory(target([first, SECOND], 0)));
  assert.ok(!hasStory({ ...target([], 0), stages: [] }));
});

test("what only the second inputs reach is no fragment of the first call", () => {
  const { stages } = target([graph("dynamo.0"), ANEW, SECOND, graph("dynamo.0.r1/body", "dynamo.0.r1", { recompile: 1 })], 0);
  assert.deepEqual(
    fragmentsOf(stages[1]).map(({ id }) => id),
    ["dynamo.0"],
  );
  assert.equal(anewIn(stages[1]), 2);
});

test("a story is about Dynamo's stage", () => {
  const now = capture([stage("export", "done", []), stage("dynamo", "failed", [])]);
  assert.equal(stageOf(now, "story")?.id, "dynamo");
  assert.equal(stageOf(now, "t2.story"), null);
});

test("sources as a person writes them", () => {
  const plain = {
    "L['x']": "x",
    "L['self'].cfg.mode": "self.cfg.mode",
    "L['self']._modules['layers']._modules['0']._parameters['weight']": "self.layers.0.weight",
    "L['self']._modules['layers']._modules": "self.layers._modules",
    "L['flags']['step']": "flags['step']",
    "G['torch'].nn": "torch.nn",
    "L['a-b']": "L['a-b']",
    "type(L['x'])": "type(x)",
    "dict(type(L['self'].cfg).__dict__)['mode']": "type(self.cfg).mode",
    "": "",
  };
  for (const [source, words] of Object.entries(plain)) assert.equal(plainSource(source), words);
});

test("strides are left out where sizes are told", () => {
  const special = { source: "L['x']", says: "f32[4, 16], stride [16, 1], no grad", failed: [] };
  assert.equal(plainCheck({ ...special, fixes: "sizes" }), "f32[4, 16]");
  assert.equal(plainCheck({ ...special, says: "== 3, stride [", fixes: "value" }), "== 3, stride [");
});

test("lines are moved to the left together", () => {
  const lines = (/** @type {string[]} */ ...texts) => texts.map((text) => ({ text }));
  assert.equal(indentOf(lines("    def f():", "", "        x", "  ")), 4);
  assert.equal(indentOf(lines("a", "    b")), 0);
  assert.equal(indentOf(lines("", "")), 200);
});

test("long excerpts are folded in the middle", () => {
  assert.deepEqual(foldOf(14), { head: 14, folded: 0 });
  assert.deepEqual(foldOf(40), { head: 7, folded: 29 });
  assert.deepEqual(foldOf(0), { head: 0, folded: 0 });
});
