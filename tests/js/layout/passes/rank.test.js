import assert from "node:assert/strict";
import { test } from "node:test";

import { siblingOrder } from "../../../../static/js/layout/nested/acyclic.js";
import { siblingRanks } from "../../../../static/js/layout/nested/rank.js";

/** Ranks of siblings without a group around them. @param {number} count @param {[number, number][]} pairs */
function ranks(count, pairs) {
  const edges = /** @type {any} */ ({
    fromChild: Int32Array.from(pairs, ([from]) => from),
    toChild: Int32Array.from(pairs, ([, to]) => to),
  });
  const items = /** @type {any} */ ({ count, parent: new Int32Array(count).fill(-1) });
  return [...siblingRanks(items, edges, siblingOrder(count, edges))];
}

test("a skip connection does not change the rank of what it skips", () => {
  const chain = /** @type {[number, number][]} */ ([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  assert.deepEqual(ranks(4, chain), [0, 1, 2, 3]);
  assert.deepEqual(ranks(4, [...chain, [0, 3]]), [0, 1, 2, 3]);
});

test("a constant slides down to just above its user", () => {
  // 4 is a constant that 3 reads.
  assert.deepEqual(
    ranks(5, [
      [0, 1],
      [1, 2],
      [2, 3],
      [4, 3],
    ]),
    [0, 1, 2, 3, 2],
  );
});

test("what would make the line above it longer than the one below it gets shorter does not slide", () => {
  // 4 reads 0 and is read by 3: moving it would only move its own length.
  const found = ranks(5, [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 4],
    [4, 3],
  ]);
  assert.equal(found[4], 1);
});

test("of a circle the edge that runs up ends in a smaller rank", () => {
  assert.deepEqual(
    ranks(2, [
      [0, 1],
      [1, 0],
    ]),
    [0, 1],
  );
});
