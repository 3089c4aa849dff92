import assert from "node:assert/strict";
import { test } from "node:test";

import { rounds, warmUp } from "../../../static/js/layout/warm.js";

test("what is laid out beforehand can be laid out, to the end", () => {
  assert.ok([...rounds()].length > 100);
});

test("a request ends it at its next look, and so does the time", async () => {
  let clock = 0;
  let looks = 0;
  const pause = async () => void looks++;
  await warmUp(pause, () => looks === 3, () => (clock += 5));
  assert.equal(looks, 3);
  await warmUp(pause, () => false, () => (clock += 50));
  assert.ok(looks < 10);
});
