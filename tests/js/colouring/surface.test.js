import assert from "node:assert/strict";
import { test } from "node:test";

import { callsOf, shortName, surfaceRows } from "../../../static/js/panels/surface/sorted.js";

/** @param {string} op @param {number} count @param {boolean|null} core @param {string} [why] @returns {Api.Operator} */
const operator = (op, count, core, why = "") => ({ op, label: op.split(".").at(-2) ?? op, kind: "other", count, core, why });

/** @param {string} id @param {Api.Operator[]} operators @returns {Api.StageOperators} */
const stage = (id, operators) => ({ id, graphs: [`${id}.0`], distinct: operators.length, calls: 0, core: 0, other: 0, operators });

const TARGET = {
  id: "t1",
  stages: [
    stage("dynamo", [{ ...operator("torch._C._nn.linear", 3, null), label: "linear" }]),
    stage("export", [operator("aten.linear.default", 3, false), operator("aten.add.Tensor", 1, true)]),
    stage("core_aten", [
      operator("aten.mm.default", 3, true),
      operator("aten.add.Tensor", 1, true),
      operator("aten.add.out", 1, false, "it writes"),
    ]),
  ],
  became: [{ op: "aten.linear.default", count: 3, gone: 0, inlined: 0, into: [{ op: "aten.mm.default", count: 3 }] }],
};

test("one row for each short name, those called most first", () => {
  const rows = surfaceRows(TARGET);
  assert.deepEqual(rows.map(({ label }) => label), ["linear", "mm", "add"]);
  assert.deepEqual(rows[0].targets, ["torch._C._nn.linear", "aten.linear.default"]);
  assert.deepEqual([...rows[0].stages.keys()], ["dynamo", "export"]);
});

test("whether a name is core is said of its ATen operators alone", () => {
  assert.deepEqual(surfaceRows(TARGET).map(({ core }) => core), ["not core", "core", "both"]);
  assert.deepEqual(surfaceRows({ ...TARGET, stages: TARGET.stages.slice(0, 1), became: [] }).map(({ core }) => core), [""]);
});

test("what is left outside the core set, and what each became", () => {
  const [linear, , add] = surfaceRows(TARGET);
  assert.deepEqual(add.left.map(({ op, why }) => [op, why]), [["aten.add.out", "it writes"]]);
  assert.deepEqual(linear.became, TARGET.became);
  assert.deepEqual(add.became, []);
});

test("calls of several overloads are added; names are as short as they can be", () => {
  assert.equal(callsOf(surfaceRows(TARGET)[2].stages.get("core_aten") ?? []), 2);
  assert.deepEqual(["aten.mm.default", "aten.add.Tensor", "mine.op.default", "view"].map(shortName), ["mm", "add.Tensor", "mine.op.default", "view"]);
});
