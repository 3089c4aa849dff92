import assert from "node:assert/strict";
import test from "node:test";

import { filesOf } from "../../../static/js/model/capture.js";

/** @param {{[name: string]: number}} files by name how many cells they have @returns {any} */
const of = (files) => ({
  source: { files: Object.entries(files).map(([name, count]) => ({ name, size: 1, cells: Array(count).fill({}) })) },
});

test("the code read out of a notebook is not among the files a person gave", () => {
  assert.equal(filesOf(of({ "a.ipynb": 0, "a.ipynb.py": 3, "b.py": 0 })), "a.ipynb, b.py");
});

test("a file that is only called like it is", () => {
  assert.equal(filesOf(of({ "a.ipynb": 0, "a.ipynb.py": 0 })), "a.ipynb, a.ipynb.py");
  assert.equal(filesOf(of({ "a.ipynb.py": 3 })), "a.ipynb.py");
});
