import assert from "node:assert/strict";
import { test } from "node:test";

import { assignTracks } from "../../../../static/js/layout/layered/lines/tracks.js";
import { heaviestUncrossed } from "../../../../static/js/layout/layered/placing/chains.js";
import { layout } from "../../../../static/js/layout/layout.js";
import { allOpen, groupTree } from "../../../../static/js/model/groups.js";
import { faults } from "../faults.js";
import { mlp } from "../samples.js";

test("of segments that cross the heavier ones are kept", () => {
  const lower = [2, 0, 1, 3]; // segment 0 crosses 1 and 2
  const kept = (/** @type {number[]} */ weights) =>
    heaviestUncrossed(Int32Array.of(0, 1, 2, 3), Int32Array.from(weights), (s) => lower[s]).sort();
  assert.deepEqual(kept([5, 1, 1, 1]), [0, 3]);
  assert.deepEqual(kept([1, 1, 1, 1]), [1, 2, 3]);
  assert.deepEqual(
    heaviestUncrossed(new Int32Array(0), new Int32Array(0), () => 0),
    [],
  );
});

/** @param {[number, number][]} lines from, to */
function tracks(lines) {
  return assignTracks({
    count: lines.length,
    low: Float64Array.from(lines, (line) => Math.min(...line)),
    high: Float64Array.from(lines, (line) => Math.max(...line)),
    source: Float64Array.from(lines, ([from]) => from),
  });
}

test("lines that do not meet share a track", () => {
  assert.deepEqual(
    tracks([
      [0, 10],
      [20, 30],
      [60, 40],
    ]).tracks,
    1,
  );
  assert.deepEqual(
    tracks([
      [0, 25],
      [20, 30],
    ]).tracks,
    2,
  );
});

test("to the right, the rightmost starts highest: no needless crossing; to the left, the leftmost", () => {
  const right = tracks([
    [0, 100],
    [50, 150],
  ]);
  assert.ok(right.track[1] < right.track[0]);
  const left = tracks([
    [100, 0],
    [150, 50],
  ]);
  assert.ok(left.track[0] < left.track[1]);
});

test("the check of scenes finds what is wrong", () => {
  const model = mlp();
  const tree = groupTree(model);
  const open = allOpen(tree);
  /** @type {((scene: import("../../../../static/js/base/scene/scene.js").Scene) => void)[]} */
  const spoil = [
    ({ items }) => (items.x[3] = -5),
    ({ items }) => (items.y[4] = items.y[2]),
    ({ items }) => (items.h[2] = items.h[1]),
    ({ items }) => (items.parent[3] = -1),
    ({ items }) => (items.end[1] = 4),
    ({ items }) => (items.ref[3] = 0),
    ({ edges }) => (edges.points[1] += 3),
    ({ edges }) => (edges.points[0] += 500),
    ({ edges }) => (edges.weight[2] = 7),
    ({ edges }) => (edges.owner[1] = -1),
    ({ edges }) => (edges.to[0] = edges.from[0]),
    ({ edges }) => (edges.stub[0] = 1),
  ];
  assert.deepEqual(faults(model, tree, open, layout(model, tree, open)), []);
  for (const change of spoil) {
    const scene = layout(model, tree, open);
    change(scene);
    assert.notDeepEqual(faults(model, tree, open, scene), [], String(change));
  }
});
