import assert from "node:assert/strict";
import { test } from "node:test";

import { Budget, ENDLESS } from "../../../../static/js/layout/budget.js";
import { layers } from "../../../../static/js/layout/layered/layers.js";
import { countCrossings } from "../../../../static/js/layout/layered/ordering/crossings.js";
import { orderRanks } from "../../../../static/js/layout/layered/ordering/order.js";
import { finish, problem } from "./made.js";

/** Four over four, each read by its opposite: in execution order everything crosses. */
const crossed = problem(
  [0, 0, 0, 0, 1, 1, 1, 1].map((rank) => [rank, 60]),
  [
    [0, 7],
    [1, 6],
    [2, 5],
    [3, 4],
  ],
);

test("lines that need not cross do not", () => {
  const layered = layers(crossed, crossed.rank);
  const order = finish(orderRanks(layered, ENDLESS));
  assert.equal(countCrossings(layered, order), 0);
  assert.equal(order.rough, false);
});

test("a crossing that no order avoids is counted once", () => {
  const both = problem(
    [0, 0, 1, 1].map((rank) => [rank, 60]),
    [
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
    ],
  );
  const layered = layers(both, both.rank);
  assert.equal(countCrossings(layered, finish(orderRanks(layered, ENDLESS))), 1);
});

test("without time there are no sweeps, and the order says so where lines still cross", () => {
  const spent = new Budget(
    (
      (clock) => () =>
        clock++
    )(0),
    { tidyMs: -1 },
  );
  // Down one sees no crossing from three to two; only a sweep up finds it.
  const asked = problem(
    [0, 0, 1, 1, 2, 2].map((rank) => [rank, 60]),
    [
      [0, 3],
      [1, 2],
      [0, 2],
      [2, 5],
      [3, 4],
      [1, 3],
    ],
  );
  const layered = layers(asked, asked.rank);
  const order = finish(orderRanks(layered, spent));
  assert.ok(countCrossings(layered, order) > 0);
  assert.equal(order.rough, true);
});
