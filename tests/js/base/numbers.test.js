import assert from "node:assert/strict";
import { test } from "node:test";

import { decimal } from "../../../static/js/base/numbers.js";

test("numbers are written as Intl writes them in English", () => {
  const format = new Intl.NumberFormat("en-US");
  for (const value of [0, 7, 999, 1000, 10041, 123456, 1234567, 99653127855, -1, -1000, -123456, 0.5, 1234.5, 1234.5678, 0.0004, 1e15])
    assert.equal(decimal(value), format.format(value));
});
