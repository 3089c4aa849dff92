/** Ordinary edges: the long ones first, at most so many of them; thickness by how many edges of the graph one stands for. */
import { mix } from "../../../base/colour.js";
import { arrival, trace } from "./curve.js";
import { Filled, drawLine } from "./straight.js";

/** @typedef {import("../draw.js").Frame} Frame */

/** Zoomed out further than this, edges are many and none can be followed: fewer are drawn, and straight. */
const FAR = 0.3;
const MOST_FAR = 1500;
const MOST_NEAR = 5000;
/** How much of their colour edges have there. */
const FAINT = 0.55;

/** How many edges a frame draws at most. @param {number} k pixels a unit @returns {number} */
export const mostEdges = (k) => (k < FAR ? MOST_FAR : MOST_NEAR);

/** An edge that spans less than this on the screen is hidden by its boxes. */
const SHORT_PX = 3;
/** Edges in one path: a stroke costs more than in proportion to the path's length. */
const BATCH = 64;
const ARROW = Object.freeze({ length: 7, half: 3.2 });
/** From this weight on, this line width in world units. */
const WIDTHS = Object.freeze([{ weight: 1, width: 1.2 }, { weight: 2, width: 1.8 }, { weight: 8, width: 2.6 }]);

/** @param {Frame} frame */
export function drawEdges(frame) {
  strokeByWeight(frame, pickEdges(frame), frame.theme.edge);
}

/** Only those that are marked. @param {Frame} frame @param {Uint8Array} marked 1 for a scene edge @param {string} colour */
export function drawMarkedEdges(frame, marked, colour) {
  strokeByWeight(frame, pickEdges(frame, marked), colour);
}

/** @param {Frame} frame @param {number[]} shown @param {string} colour */
function strokeByWeight(frame, shown, colour) {
  const { ink, k, theme, drawing: { scene: { edges } } } = frame;
  ink.strokeStyle = ink.fillStyle = k < FAR ? mix(theme.surface, colour, FAINT) : colour;
  WIDTHS.forEach(({ weight, width }, at) => {
    const below = WIDTHS[at + 1]?.weight ?? Infinity;
    ink.lineWidth = Math.max(width, 0.8 / k);
    const some = shown.filter((edge) => edges.weight[edge] >= weight && edges.weight[edge] < below);
    if (frame.mostEdges === Infinity) strokeAll(frame, some); // a picture to keep: one path for each
    else drawAll(frame, some);
  });
  if (k >= FAR) fillArrows(frame, shown);
}

/** @param {Frame} frame @param {Uint8Array | null} marked 1: this edge may be drawn; null: every one may @returns {number[]} the edges to draw */
export function pickEdges({ drawing: { scene: { edges }, order, bounds }, view, k, visible, mostEdges: most }, marked = null) {
  const [left, top, right, bottom] = [view.x, view.y, view.x + view.w, view.y + view.h];
  const shown = [];
  for (let at = 0, box = 0; at < order.length && shown.length < most; at++, box += 4) {
    if (bounds[box] > right || bounds[box + 1] > bottom || bounds[box + 2] < left || bounds[box + 3] < top) continue;
    if ((bounds[box + 2] - bounds[box] + bounds[box + 3] - bounds[box + 1]) * k < SHORT_PX) continue;
    const edge = order[at];
    if (marked && !marked[edge]) continue;
    if (!edges.stub[edge] && visible.holds(edges.owner[edge])) shown.push(edge);
  }
  return shown;
}

/** See Note [Lines as rectangles]. @param {Frame} frame @param {readonly number[]} shown */
function drawAll({ ink, view, k, drawing: { scene: { edges } } }, shown) {
  const pen = { ink, view, width: ink.lineWidth, rounded: k >= FAR, k, filled: new Filled() };
  for (let at = 0; at < shown.length; at += BATCH) {
    ink.beginPath();
    for (const edge of shown.slice(at, at + BATCH)) drawLine(pen, edges.points, edges.start[edge], edges.start[edge + 1]);
    ink.stroke();
  }
}

/** @param {Frame} frame @param {readonly number[]} shown */
export function strokeAll({ ink, k, drawing: { scene: { edges } } }, shown) {
  const path = k < FAR / 2 ? traceStraight : trace;
  for (let at = 0; at < shown.length; at += BATCH) {
    ink.beginPath();
    for (const edge of shown.slice(at, at + BATCH)) path(ink, edges.points, edges.start[edge], edges.start[edge + 1]);
    ink.stroke();
  }
}

/** @param {Frame["ink"]} ink @param {Float32Array} points @param {number} first @param {number} last */
function traceStraight(ink, points, first, last) {
  ink.moveTo(points[2 * first], points[2 * first + 1]);
  for (let at = first + 1; at < last; at++) ink.lineTo(points[2 * at], points[2 * at + 1]);
}

/** @param {Frame} frame @param {readonly number[]} shown */
export function fillArrows({ ink, drawing: { scene: { edges } } }, shown) {
  for (let at = 0; at < shown.length; at += BATCH) {
    ink.beginPath();
    for (const edge of shown.slice(at, at + BATCH)) {
      const [first, last] = [edges.start[edge], edges.start[edge + 1]];
      const [dx, dy] = arrival(edges.points, first, last);
      traceArrow(ink, edges.points[2 * last - 2], edges.points[2 * last - 1], dx, dy);
    }
    ink.fill();
  }
}

/** @param {Frame["ink"]} ink @param {number} x of the tip @param {number} y @param {number} dx direction, a unit vector @param {number} dy */
export function traceArrow(ink, x, y, dx, dy) {
  const [backX, backY] = [x - dx * ARROW.length, y - dy * ARROW.length];
  ink.moveTo(x, y);
  ink.lineTo(backX - dy * ARROW.half, backY + dx * ARROW.half);
  ink.lineTo(backX + dy * ARROW.half, backY - dx * ARROW.half);
  ink.closePath();
}
