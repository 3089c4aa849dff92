import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgInk } from "../../../static/js/render/draw/ink.js";
import { Crowd } from "../../../static/js/render/draw/lines/crowd.js";
import { drawLabels, edgeText, outputNumbers } from "../../../static/js/render/draw/lines/labels.js";
import { stubsOf } from "../../../static/js/render/draw/lines/stubs.js";
import { Fitter } from "../../../static/js/render/draw/text.js";
import { Marked } from "../../../static/js/render/marked.js";
import { Paint } from "../../../static/js/render/paint.js";
import { makeTheme } from "../../../static/js/render/theme.js";
import { Visible } from "../../../static/js/render/visible.js";
import { between, drawn, item, severalOutputs } from "./outputs.js";

/** The texts and rectangles that the labels of a drawing put on it. @param {ReturnType<typeof drawn>} drawing @param {number} k */
function written(drawing, k) {
  const ink = new SvgInk((text) => /** @type {TextMetrics} */ ({ width: text.length * 6 }));
  const visible = new Visible();
  visible.collect(drawing.scene, drawing.rect, k);
  drawLabels({ ink, drawing, theme: makeTheme(() => "#888888"), view: drawing.rect, paint: new Paint(drawing, null), k, mostEdges: Infinity, visible,
    marked: new Marked(), fitter: new Fitter() });
  const texts = ink.out.flatMap((element) => element.match(/(?<=>)[^<]+(?=<\/text>)/) ?? []);
  const rects = ink.out.flatMap((element) => {
    const found = /<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"/.exec(element);
    return found ? [found.slice(1).map(Number)] : [];
  });
  return { texts, rects };
}

test("from afar nothing is written on edges; closer the number of an output; closest what every edge carries", () => {
  const drawing = drawn(severalOutputs());
  assert.deepEqual(written(drawing, 0.8), { texts: [], rects: [] });
  assert.ok(written(drawing, 1).texts.includes("0"));
  assert.ok(!written(drawing, 1).texts.includes("1"), "nothing takes the second output");
  const near = written(drawing, 1.7).texts;
  assert.ok(near.includes("f32[8, 64]"));
  assert.ok(near.length > written(drawing, 1).texts.length);
});

test("no label lies on a box or on another label", () => {
  const drawing = drawn(severalOutputs());
  const { items } = drawing.scene;
  const { rects } = written(drawing, 1.7);
  assert.ok(rects.length >= 3);
  const boxes = Array.from({ length: items.count }, (_, i) => [items.x[i], items.y[i], items.w[i], items.h[i]]);
  rects.forEach((a, at) => {
    for (const b of [...boxes, ...rects.slice(at + 1)])
      assert.ok(a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1], `${a} on ${b}`);
  });
});

test("an edge for several says how many more values it carries, and which outputs", () => {
  const columns = severalOutputs();
  const [[topk]] = columns.outputs;
  const getitem = columns.edges.dst[columns.edges.src.indexOf(topk)];
  const at = columns.edges.src.indexOf(topk);
  for (const column of /** @type {const} */ (["src", "dst", "slot_s"])) columns.edges[column].splice(at, 0, columns.edges[column][at]);
  columns.edges.output.splice(at, 1, 1, 0);
  const drawing = drawn(columns);
  const edge = between(drawing, drawing.itemOfNode[topk], drawing.itemOfNode[getitem]);
  assert.equal(outputNumbers(drawing, edge), "0,1");
  assert.equal(edgeText(drawing, edge), "i64[4, 3] +1");
  columns.edges.output.splice(at, 2, 0, 0);
  const same = drawn(columns);
  assert.equal(edgeText(same, edge), "f32[4, 3]", "the same value twice is one");
  assert.equal(outputNumbers(same, edge), "0");
  const plain = between(same, item(same, "linear", 1), item(same, "mul"));
  assert.equal(outputNumbers(same, plain), "", "one output needs no number");
});

test("the label of a far edge says which output it carries, at both ends", () => {
  const drawing = drawn(severalOutputs());
  const edge = between(drawing, item(drawing, "topk"), item(drawing, "getitem"));
  drawing.scene.edges.stub[edge] = 1;
  assert.deepEqual(stubsOf(drawing, item(drawing, "topk")).map(({ text }) => text), ["[0] to getitem_5"]);
  assert.deepEqual(stubsOf(drawing, item(drawing, "getitem")).map(({ text }) => text), ["from topk_4[0]"]);
  const plain = between(drawing, item(drawing, "linear", 1), item(drawing, "mul"));
  drawing.scene.edges.stub[plain] = 1;
  assert.deepEqual(stubsOf(drawing, item(drawing, "mul")).map(({ text }) => text), ["from linear_6"]);
});

test("a label may lie on its own line only where that runs through its middle", () => {
  const crowd = new Crowd({ x: 0, y: 0, w: 1000, h: 1000 });
  crowd.add(99, 0, 2, 500, 7);
  const label = { x: 70, y: 200, w: 60, h: 13 };
  assert.equal(crowd.isFree(label, 7), true);
  assert.equal(crowd.isFree(label, 8), false, "another's line");
  assert.equal(crowd.isFree({ ...label, x: 60 }, 7), false, "beside the middle");
  assert.equal(crowd.isFree(label, 7, false), false, "across");
});

test("inside an open group there is room, on its border there is none", () => {
  const crowd = new Crowd({ x: 0, y: 0, w: 1000, h: 1000 });
  crowd.add(100, 100, 600, 600, -1, true);
  assert.equal(crowd.isFree({ x: 300, y: 300, w: 60, h: 13 }, 1), true);
  assert.equal(crowd.isFree({ x: 80, y: 300, w: 60, h: 13 }, 1), false);
  assert.equal(crowd.isFree({ x: 20, y: 300, w: 60, h: 13 }, 1), true);
});
