import assert from "node:assert/strict";
import { test } from "node:test";

import { groupTree } from "../../../static/js/model/groups.js";
import { outlineOf } from "../../../static/js/panels/side/outline.js";
import { Sketch } from "../layout/samples.js";

test("modules stand in the order they run, wherever their parameters do", () => {
  const g = new Sketch();
  const late = g.parameter("late.weight", "late");
  const early = g.parameter("early.weight", "early");
  const x = g.input("x");
  const first = g.node("mul", [x, early], "early");
  g.node("mul", [first, late], "late");
  const model = g.model();
  const tree = groupTree(model);
  const inside = outlineOf(model, tree);
  const groups = inside[0].filter((entry) => entry.group > 0).map((entry) => tree.title[entry.group]);
  assert.deepEqual(groups, ["early", "late"]);
  const shown = inside.flat().filter((entry) => entry.node >= 0);
  assert.equal(shown.length, model.count, "every node once, parameters too");
});
