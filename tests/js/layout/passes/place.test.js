import assert from "node:assert/strict";
import { test } from "node:test";

import { distance } from "../../../../static/js/layout/layered/problem.js";
import { placed, problem } from "./made.js";

test("a chain stands straight, however wide its boxes are", () => {
  const { x } = placed(
    problem(
      [
        [0, 60],
        [1, 280],
        [2, 100],
      ],
      [
        [0, 1],
        [1, 2],
      ],
    ),
  );
  assert.deepEqual(new Set(x).size, 1);
});

test("of two branches the longer one is straight, and the line of the shorter one is beside it", () => {
  const asked = problem(
    [0, 1, 2, 3, 1].map((rank) => [rank, 80]),
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 4],
      [4, 3],
    ],
  );
  asked.below = Int32Array.of(3, 2, 1, 2, 1);
  asked.above = Int32Array.of(1, 2, 3, 1, 2);
  const { x } = placed(asked);
  assert.equal(x[0], x[1]);
  assert.equal(x[1], x[2]);
  assert.equal(x[2], x[3]);
  assert.notEqual(x[4], x[1]);
});

test("neighbours of a rank keep their distance, on whole units", () => {
  const { layered, order, x } = placed(
    problem(
      Array.from({ length: 24 }, (_, i) => [Math.floor(i / 6), 60 + 20 * (i % 5)]),
      Array.from({ length: 18 }, (_, i) => [i, i + 6 + ((i * 5) % 3) - (i % 6 > 3 ? 2 : 0)]),
    ),
  );
  for (let r = 0; r < layered.ranks; r++) {
    for (let i = order.start[r] + 1; i < order.start[r + 1]; i++) {
      const [a, b] = [order.vertex[i - 1], order.vertex[i]];
      assert.ok(x[b] - x[a] >= distance(layered, a, b), `${a} and ${b}`);
    }
  }
  assert.ok(x.every(Number.isInteger));
});
