import assert from "node:assert/strict";
import { test } from "node:test";

import { Float32List, Int32List } from "../../../static/js/base/growable.js";
import { rowsOf } from "../../../static/js/base/rows.js";
import { sortInPlace } from "../../../static/js/base/sort.js";
import { random } from "../layout/samples.js";

test("lists grow and keep what they hold", () => {
  const ints = new Int32List(1);
  const floats = new Float32List(1);
  for (let i = 0; i < 1000; i++) {
    assert.equal(ints.push(i), i);
    floats.pushPair(i, -i);
  }
  assert.deepEqual(
    Array.from(ints.view()),
    Array.from({ length: 1000 }, (_, i) => i),
  );
  assert.equal(floats.take().length, 2000);
  assert.equal(floats.take()[1999], -999);
});

test("members by row, in their order; negative rows hold nothing", () => {
  const { start, member } = rowsOf(3, [2, 0, -1, 2, 0]);
  assert.deepEqual(Array.from(start), [0, 2, 2, 4]);
  assert.deepEqual(Array.from(member), [1, 4, 0, 3]);
});

test("sorting is stable, short and long", () => {
  const next = random(1);
  for (const length of [0, 1, 10, 24, 25, 500]) {
    const key = Array.from({ length }, () => Math.floor(next() * 5));
    const sorted = Int32Array.from({ length }, (_, i) => i);
    sortInPlace(sorted, (a, b) => key[a] - key[b]);
    const expected = [...key.keys()].sort((a, b) => key[a] - key[b] || a - b);
    assert.deepEqual(Array.from(sorted), expected);
  }
});
