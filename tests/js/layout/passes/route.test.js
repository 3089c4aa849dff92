import assert from "node:assert/strict";
import { test } from "node:test";

import { ENDLESS } from "../../../../static/js/layout/budget.js";
import { layeredSteps } from "../../../../static/js/layout/layered/layered.js";
import { finish, problem } from "./made.js";

/** @param {import("../../../../static/js/layout/layered/problem.js").Layout} layout @param {number} e */
function line({ start, points }, e) {
  return Array.from({ length: start[e + 1] - start[e] }, (_, i) => [points[2 * (start[e] + i)], points[2 * (start[e] + i) + 1]]);
}

test("a straight line is straight, from the foot of a box to the top of the next", () => {
  const layout = finish(
    layeredSteps(
      problem(
        [
          [0, 80],
          [1, 80],
        ],
        [[0, 1]],
      ),
      ENDLESS,
    ),
  );
  const [[x1, y1], [x2, y2]] = [line(layout, 0)[0], /** @type {number[]} */ (line(layout, 0).at(-1))];
  assert.equal(x1, x2);
  assert.equal(y1, layout.y[0] + 40);
  assert.equal(y2, layout.y[1]);
});

test("a line that skips a box bends out beside it and back, between the ranks", () => {
  const asked = problem(
    [
      [0, 80],
      [1, 80],
      [2, 80],
    ],
    [
      [0, 1],
      [1, 2],
      [0, 2],
    ],
  );
  asked.below = Int32Array.of(2, 1, 1);
  asked.above = Int32Array.of(1, 2, 1);
  const layout = finish(layeredSteps(asked, ENDLESS));
  const points = line(layout, 2);
  assert.equal(points.length, 6, "two bends of two corners each");
  const beside = points[2][0];
  assert.ok(beside < layout.x[1] || beside > layout.x[1] + 80, "past the box, not through it");
  assert.ok(points[1][1] > layout.y[0] + 40 && points[1][1] < layout.y[1]);
  assert.ok(points[4][1] > layout.y[1] + 40 && points[4][1] < layout.y[2]);
});

test("lines of two values never lie on one another between two ranks", () => {
  const layout = finish(
    layeredSteps(
      problem(
        [
          [0, 80],
          [0, 80],
          [1, 300],
          [1, 300],
        ],
        [
          [0, 2],
          [0, 3],
          [1, 2],
          [1, 3],
        ],
      ),
      ENDLESS,
    ),
  );
  const heightOf = (/** @type {number} */ e) => line(layout, e).slice(1, -1).map(([, y]) => y);
  const first = new Set([...heightOf(0), ...heightOf(1)]);
  for (const y of [...heightOf(2), ...heightOf(3)]) assert.ok(!first.has(y));
});
