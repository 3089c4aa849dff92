import assert from "node:assert/strict";
import { test } from "node:test";

import { siblingOrder } from "../../../../static/js/layout/nested/acyclic.js";

/** @param {number} count @param {[number, number][]} edges */
function ordered(count, edges) {
  const { position, reversed } = siblingOrder(
    count,
    /** @type {any} */ ({ fromChild: Int32Array.from(edges, ([from]) => from), toChild: Int32Array.from(edges, ([, to]) => to) }),
  );
  return { position: [...position], reversed: [...reversed] };
}

test("what nothing orders stays in execution order; what is waited for comes first", () => {
  assert.deepEqual(ordered(4, [[0, 3]]), { position: [0, 1, 2, 3], reversed: [0] });
  assert.deepEqual(ordered(4, [[3, 0]]), { position: [3, 0, 1, 2], reversed: [0] });
});

test("a circle is broken at what executes first, by one edge", () => {
  const circle = ordered(3, [
    [0, 1],
    [1, 2],
    [2, 0],
  ]);
  assert.deepEqual(circle, { position: [0, 1, 2], reversed: [0, 0, 1] });
});

test("two circles that share an item", () => {
  const { reversed } = ordered(4, [
    [1, 0],
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 3],
  ]);
  assert.deepEqual(reversed, [1, 0, 0, 1, 0]);
});
