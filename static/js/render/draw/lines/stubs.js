/** Edges too long to draw: a short tail at each end with the name of what is at the other one. */
import { textWidth } from "../../../base/scene/boxes.js";
import { traceArrow } from "./edges.js";
import { outputNumbers } from "./labels.js";
import { strengthOf } from "../focus.js";
import { STYLE, isLegible } from "../text.js";

/**
 * @typedef {import("../draw.js").Frame} Frame
 * @typedef {import("../../drawing.js").Drawing} Drawing
 * @typedef {import("../../lens/camera.js").Rect} Rect
 *
 * @typedef {object} Stub all edges too long to draw at one side of an item
 * @property {number[]} edges
 * @property {string} text
 * @property {Rect} rect of the label, world units
 * @property {boolean} leaves
 */

const SIZE = 10;
const HEIGHT = 14;
const PAD = 5;
const MOST_CHARACTERS = 18;

/** @param {Frame} frame */
export function drawStubs(frame) {
  const { drawing, k } = frame;
  if (!isLegible(SIZE, k)) return;
  for (const item of drawing.stubbed) {
    if (!isNear(frame, item)) continue;
    frame.ink.globalAlpha = strengthOf(frame, item);
    for (const stub of stubsOf(drawing, item)) drawStub(frame, stub);
  }
  frame.ink.globalAlpha = 1;
}

/** @param {Frame} frame @param {number} item @returns {boolean} is it drawn, and on the screen or just beside it? */
function isNear({ view, visible, drawing: { scene: { items } } }, item) {
  const [x, y] = [items.x[item], items.y[item]];
  const edge = 3 * HEIGHT;
  return x < view.x + view.w && y < view.y + view.h + edge && x + items.w[item] > view.x && y + items.h[item] > view.y - edge
    && visible.holds(items.parent[item]);
}

/** @param {Drawing} drawing @param {number} item @returns {Stub[]} */
export function stubsOf(drawing, item) {
  const { edges } = drawing.scene;
  const stubs = [];
  for (const side of /** @type {const} */ (["in", "out"])) {
    const long = [...drawing.edgesOf(item, side)].filter((edge) => edges.stub[edge]);
    if (long.length) stubs.push(makeStub(drawing, long, side === "out"));
  }
  return stubs;
}

/** @param {Drawing} drawing @param {number[]} long @param {boolean} leaves @returns {Stub} */
function makeStub(drawing, long, leaves) {
  const { edges } = drawing.scene;
  const name = drawing.nameOf(leaves ? edges.to[long[0]] : edges.from[long[0]]);
  const short = name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS - 1)}…` : name;
  const output = outputNumbers(drawing, long[0]);
  const which = output && `[${output}]`;
  const text = (leaves ? `${which} to ${short}`.trim() : `from ${short}${which}`) + (long.length > 1 ? ` +${long.length - 1}` : "");
  const w = textWidth(text, SIZE, "text") + 2 * PAD;
  const at = leaves ? 2 * edges.start[long[0]] + 2 : 2 * edges.start[long[0] + 1] - 4;
  const up = leaves ? edges.points[at + 1] < edges.points[at - 1] : edges.points[at + 1] > edges.points[at + 3];
  const y = leaves === up ? edges.points[at + 1] - HEIGHT : edges.points[at + 1];
  return { edges: long, text, rect: { x: edges.points[at] - w / 2, y, w, h: HEIGHT }, leaves };
}

/** @param {Frame} frame @param {Stub} stub */
function drawStub({ ink, theme, fitter, drawing: { scene: { edges } } }, { edges: long, text, rect, leaves }) {
  const tail = leaves ? 2 * edges.start[long[0]] : 2 * edges.start[long[0] + 1] - 4;
  const [x0, y0, x1, y1] = edges.points.subarray(tail, tail + 4);
  ink.strokeStyle = theme.edge;
  ink.fillStyle = theme.edge;
  ink.lineWidth = 1.2;
  ink.beginPath();
  ink.moveTo(x0, y0);
  ink.lineTo(x1, y1);
  ink.stroke();
  if (!leaves) {
    ink.beginPath();
    traceArrow(ink, x1, y1, 0, Math.sign(y1 - y0) || 1);
    ink.fill();
  }
  ink.beginPath();
  ink.roundRect(rect.x, rect.y, rect.w, rect.h, HEIGHT / 2);
  ink.fillStyle = theme.card;
  ink.fill();
  ink.stroke();
  ink.font = STYLE.text(SIZE);
  ink.textAlign = "center";
  ink.fillStyle = theme["ink-muted"];
  ink.fillText(fitter.cut(ink, text, SIZE, rect.w - PAD), rect.x + rect.w / 2, rect.y + HEIGHT / 2);
}
