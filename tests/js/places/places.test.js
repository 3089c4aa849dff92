import assert from "node:assert/strict";
import { test } from "node:test";

import { cellAt, numberOf, placeOf, rangeOf, whereOf } from "../../../static/js/model/places.js";

const CELLS = [
  { number: 1, line: 1 },
  { number: 3, line: 5 },
];

test("a line of a notebook is called by its cell, as Python calls it", () => {
  const words = [1, 2, 4, 5, 9].map((line) => placeOf(CELLS, line));
  assert.deepEqual(words, ["cell 1", "cell 1, line 1", "cell 1, line 3", "cell 3", "cell 3, line 4"]);
});

test("a line of any other file, or before the first cell, by its number", () => {
  assert.equal(placeOf([], 7), "line 7");
  assert.equal(placeOf([{ number: 1, line: 8 }], 7), "line 7");
  assert.equal(cellAt([], 7), undefined);
});

test("several lines", () => {
  assert.equal(rangeOf([], 3, 5), "lines 3 to 5");
  assert.equal(rangeOf([], 3, 3), "line 3");
  assert.equal(rangeOf(CELLS, 6, 6), "cell 3, line 1");
  assert.equal(rangeOf(CELLS, 6, 8), "cell 3, lines 1 to 3");
  assert.equal(rangeOf(CELLS, 5, 8), "cell 3 to cell 3, line 3");
  assert.equal(rangeOf(CELLS, 2, 7), "cell 1, line 1 to cell 3, line 2");
});

test("with the file: of a notebook the notebook's own name", () => {
  assert.equal(whereOf([], "model.py", 7), "model.py:7");
  assert.equal(whereOf(CELLS, "nb.ipynb.py", 7), "nb.ipynb, cell 3, line 2");
});

test("the number beside a line counts in its cell", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6].map((line) => numberOf(CELLS, line)), ["", "1", "2", "", "", "1"]);
  assert.equal(numberOf([], 12), "12");
});
