import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleFor } from "../../../static/js/panels/pane/out/paper.js";

/** @param {number} width @param {number} height */
function pages(width, height) {
  const k = scaleFor({ width, height });
  return { k, columns: Math.ceil((width * k) / 700 - 1e-9), rows: Math.ceil((height * k) / 880 - 1e-9) };
}

test("a small drawing keeps its size on one page", () => {
  assert.deepEqual(pages(300, 400), { k: 1, columns: 1, rows: 1 });
});

test("one that can be read on one page is made to fit it", () => {
  const { k, columns, rows } = pages(1000, 1400);
  assert.deepEqual([columns, rows], [1, 1]);
  assert.ok(k >= 0.6);
});

test("a tall one is cut into pages at full width", () => {
  assert.deepEqual(pages(700, 8800), { k: 1, columns: 1, rows: 10 });
  assert.deepEqual(pages(1600, 9000).columns, 1);
});

test("a wide one is cut into columns that can be read", () => {
  const { k, columns, rows } = pages(6000, 2000);
  assert.deepEqual([k, columns, rows], [0.6, 6, 2]);
});

test("no more pages than anybody would print", () => {
  for (const [width, height] of [[2000, 200_000], [100_000, 100_000], [500_000, 100]]) {
    const { columns, rows } = pages(width, height);
    assert.ok(columns * rows <= 60, `${columns} by ${rows}`);
  }
});
