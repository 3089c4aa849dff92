import assert from "node:assert/strict";
import { test } from "node:test";
import { Drawing } from "../../../static/js/render/drawing.js";
import { Fitter } from "../../../static/js/render/draw/text.js";
import { SvgInk } from "../../../static/js/render/draw/ink.js";
import { Marked } from "../../../static/js/render/marked.js";
import { Paint } from "../../../static/js/render/paint.js";
import { Ahead } from "../../../static/js/render/picture/ahead.js";
import { makeTheme } from "../../../static/js/render/theme.js";
import { layOut, load, transformer } from "./synthetic.js";

const size = { width: 1000, height: 600 };
const camera = { x: 300, y: 2000, k: 0.2 };

/** A canvas without pixels: what is drawn on it is written down. */
class FakeCanvas {
  constructor() {
    this.width = 0;
    this.height = 0;
    this.ink = Object.assign(new SvgInk((text) => /** @type {any} */ ({ width: text.length * 6 })), { setTransform() {} });
  }

  getContext() { return this.ink; }
}

/** @param {() => number} now */
function aheadOf(now) {
  const { model, tree } = load(transformer(40));
  const drawing = new Drawing(model, tree, layOut(model, tree, tree.open));
  const [paint, theme, marked, fitter] = [new Paint(drawing, null), makeTheme(() => "#888888"), new Marked(), new Fitter()];
  return new Ahead((ink, view, k, visible) => ({ ink, drawing, paint, theme, view, k, mostEdges: 100, visible, marked, fitter }), now);
}

/** @param {Ahead} ahead */
function begin(ahead) {
  const canvas = new FakeCanvas();
  ahead.begin(camera, size, "#ffffff", /** @type {any} */ (canvas));
  return canvas;
}

test("a picture takes as many frames as it needs, a part of each, and is then as if drawn at once", () => {
  let now = 0;
  const slow = aheadOf(() => (now += 3));
  const canvas = begin(slow);
  let frames = 1;
  let picture = slow.step();
  for (; !picture; picture = slow.step()) frames++;
  assert.ok(frames > 3, `${frames} frames`);
  const fast = aheadOf(() => 0);
  const other = begin(fast);
  assert.ok(fast.step());
  assert.ok(other.ink.out.length > 20);
  assert.deepEqual(canvas.ink.out, other.ink.out);
  assert.equal(picture.k, camera.k);
  assert.equal(slow.steps, null);
});

test("a picture shows more than the canvas does, around the same middle", () => {
  const ahead = aheadOf(() => 0);
  const canvas = begin(ahead);
  const { view } = /** @type {import("../../../static/js/render/picture/still.js").Picture} */ (ahead.step());
  assert.deepEqual([view.x + view.w / 2, view.y + view.h / 2], [camera.x, camera.y]);
  assert.ok(view.w > size.width / camera.k && view.h > size.height / camera.k);
  assert.equal(canvas.width / view.w, camera.k);
});

test("what was given up is never handed out", () => {
  const ahead = aheadOf(() => 0);
  begin(ahead);
  ahead.cancel();
  assert.equal(ahead.step(), null);
});
