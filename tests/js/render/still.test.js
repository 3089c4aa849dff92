import assert from "node:assert/strict";
import { test } from "node:test";
import { isUseful, share } from "../../../static/js/render/picture/still.js";

/** @param {number} x @param {number} y @param {number} w @param {number} h */
const rect = (x, y, w, h) => ({ x, y, w, h });
const whole = rect(0, 0, 1000, 1000);
/** @param {import("../../../static/js/render/lens/camera.js").Rect} view */
const picture = (view) => ({ canvas: /** @type {any} */ (null), view, k: 1 });

test("a picture of everything shows all of it wherever the camera goes", () => {
  const all = picture(rect(-100, -100, 1200, 1200));
  assert.equal(share(all, rect(-5000, -5000, 10_000, 10_000), whole), 1);
  assert.equal(share(all, rect(900, 900, 400, 400), whole), 1);
});

test("a picture of a part shows what it has in common with what is seen of the graph", () => {
  const left = picture(rect(0, 0, 500, 1000));
  assert.equal(share(left, rect(250, 0, 500, 1000), whole), 0.5);
  assert.equal(share(left, rect(600, 0, 200, 200), whole), 0);
  assert.equal(share(left, rect(-700, 0, 900, 1000), whole), 1, "beside the graph there is nothing to show");
  assert.equal(share(left, rect(5000, 0, 10, 10), whole), 1);
});

test("a picture of another place, or at quite another zoom, is of no use", () => {
  const left = picture(rect(0, 0, 500, 1000));
  const view = rect(100, 100, 300, 300);
  assert.ok(isUseful(left, view, 1, whole));
  assert.ok(isUseful(left, view, 2.9, whole) && isUseful(left, view, 0.34, whole));
  assert.ok(!isUseful(left, view, 3.1, whole) && !isUseful(left, view, 0.32, whole));
  assert.ok(!isUseful(left, rect(300, 0, 600, 1000), 1, whole));
});
