import assert from "node:assert/strict";
import { test } from "node:test";
import { Guards } from "../../../static/js/model/story/guards.js";

/** @param {[parent: number, text: string, source: string][]} places @param {[place: number, Partial<Api.GuardCheck>?][]} checks @returns {Api.GuardTree} */
function answer(places, checks) {
  const plain = { kind: "TYPE_MATCH", word: "type", says: "dict", fixes: /** @type {Api.Fixes} */ (""), code: [], frame: null, failed: [] };
  return {
    graph: "dynamo.0",
    places: places.map(([parent, text, source]) => ({ parent, text, source, checks: 0, fixed: 0, failed: 0 })),
    checks: checks.map(([place, more]) => ({ ...plain, ...more, place })),
    fixed: 0,
    failed: 0,
  };
}

const GUARDS = new Guards(
  answer(
    [
      [-1, "L['self']", "L['self']"],
      [0, ".cfg", "L['self'].cfg"],
      [1, ".mode", "L['self'].cfg.mode"],
      [0, "._modules", "L['self']._modules"],
      [3, "['a']", "L['self']._modules['a']"],
      [-1, "global state", ""],
    ],
    [
      [0],
      [2, { kind: "CONSTANT_MATCH", word: "value", says: "== 'gelu'", fixes: "value", code: ["L['self'].cfg.mode == 'gelu'"] }],
      [4, { says: "Linear", failed: ["gone"] }],
      [5, { kind: "GRAD_MODE", word: "grad mode", says: "" }],
    ],
  ),
);

/** @param {readonly import("../../../static/js/model/story/guards.js").Branch[]} branches @returns {any[]} */
function shape(branches) {
  return branches.map(({ text, checks, branches: below }) => [text, checks, shape(below)]);
}

test("places without a check and with one part below are written together", () => {
  assert.deepEqual(shape(GUARDS.roots), [
    ["L['self']", [0], [[".cfg.mode", [1], []], ["._modules['a']", [2], []]]],
    ["global state", [3], []],
  ]);
});

test("a place of its own check stays by itself", () => {
  const own = new Guards(answer([[-1, "a", "a"], [0, ".b", "a.b"]], [[0], [1]]));
  assert.deepEqual(shape(own.roots), [["a", [0], [[".b", [1], []]]]]);
});

test("checks are found by their source, their words and their code, all words at once", () => {
  assert.deepEqual(GUARDS.find("cfg.mode", false), [1]);
  assert.deepEqual(GUARDS.find("CONSTANT_MATCH", false), [1]);
  assert.deepEqual(GUARDS.find("self type", false), [0, 2]);
  assert.deepEqual(GUARDS.find("GELU self", false), [1]);
  assert.deepEqual(GUARDS.find("nothing like it", false), []);
  assert.deepEqual(GUARDS.find("", false), [0, 1, 2, 3]);
});

test("only those that specialise, and those that failed", () => {
  assert.deepEqual(GUARDS.find("", true), [1, 2]);
  assert.deepEqual(GUARDS.find("linear", true), [2]);
});

test("the places around what was found", () => {
  assert.deepEqual([...GUARDS.around([1])].sort(), [0, 1, 2]);
  assert.deepEqual([...GUARDS.around([2, 3])].sort(), [0, 3, 4, 5]);
  assert.deepEqual([...GUARDS.around([])], []);
});

test("ten thousand guards, each ten parts deep, are taken in without a stack of calls", () => {
  /** @type {[number, string, string][]} */
  const places = [];
  /** @type {[number][]} */
  const checks = [];
  for (let i = 0; i < 10_000; i++) places.push([i - 1, `.p${i}`, `p${i}`]);
  for (let i = 0; i < 10_000; i += 2) checks.push([i]);
  const deep = new Guards(answer(places, checks));
  assert.equal(deep.find("type", false).length, 5000);
  assert.equal(deep.around([4999]).size, 9999);
});
