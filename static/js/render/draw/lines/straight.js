/**
 * Lines whose pieces run along the axes.
 *
 * Note [Lines as rectangles]: a browser without a graphics processor fills a rectangle that stands upright at once, but strokes a path scan
 * line by scan line, as long as the line is on the screen: a thousand long edges took 100 ms of a frame as paths, 5 as rectangles. So pieces
 * are filled, cut at the edge of the view, and only the rounded corners are strokes. Edges of one source share most of their pieces, and
 * from afar those of others fall on the same pixels: what was just filled is not filled again. Pieces lie on each other, so the colour
 * must be opaque.
 */
import { CORNER, isSlanting, trace } from "./curve.js";

/**
 * @typedef {import("../draw.js").Frame} Frame
 * @typedef {import("../../lens/camera.js").Rect} Rect
 *
 * @typedef {object} Pen
 * @property {Frame["ink"]} ink its fill style and its stroke style are the colour; a path is under way: what is no rectangle is added to it
 * @property {Rect} view
 * @property {number} width world units
 * @property {boolean} rounded corners can be seen
 * @property {number} k pixels a unit
 * @property {Filled} filled
 */

/** Slots for the last pieces; a power of two. */
const SLOTS = 1 << 13;
/** Steps to a pixel in which pieces are the same. */
const STEPS = 2;

/** The pieces that were filled last, as good as all of them; one is forgotten when another takes its slot. */
export class Filled {
  constructor() {
    this.kept = new Int32Array(4 * SLOTS).fill(0x7fffffff);
  }

  /** Remembers a piece. @param {number} left steps @param {number} top @param {number} right @param {number} bottom @returns {boolean} was it there already? */
  has(left, top, right, bottom) {
    const { kept } = this;
    const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(top, 0x85ebca6b) ^ Math.imul(right, 0xc2b2ae35) ^ Math.imul(bottom, 0x27d4eb2f);
    const at = 4 * ((hash ^ (hash >>> 15)) & (SLOTS - 1));
    if (kept[at] === left && kept[at + 1] === top && kept[at + 2] === right && kept[at + 3] === bottom) return true;
    kept[at] = left;
    kept[at + 1] = top;
    kept[at + 2] = right;
    kept[at + 3] = bottom;
    return false;
  }
}

/** @param {Pen} pen @param {Float32Array} points @param {number} first @param {number} last index of the point after the last one */
export function drawLine(pen, points, first, last) {
  let rounded = first; // the last point at which there is a corner already
  for (let at = first; at + 1 < last; at++) {
    if (!isSeen(pen, points, 2 * at)) continue;
    if (isSlanting(points[2 * at + 2] - points[2 * at], points[2 * at + 3] - points[2 * at + 1])) return trace(pen.ink, points, at, last);
    let next = at + 1;
    while (next + 1 < last && goesOn(points, 2 * at, 2 * next)) next++;
    const start = at > first && !goesOn(points, 2 * at - 2, 2 * at) ? turn(pen, points, 2 * at, at > rounded) : 0;
    const end = next + 1 < last ? turn(pen, points, 2 * next, true) : 0;
    fillPiece(pen, points, 2 * at, 2 * next, start, end);
    rounded = next;
    at = next - 1;
  }
}

/** Is some of the piece that begins at a point, or of the corners at its ends, in the view? @param {Pen} pen @param {Float32Array} points @param {number} i */
function isSeen({ view, width }, points, i) {
  const [x0, y0, x1, y1] = [points[i], points[i + 1], points[i + 2], points[i + 3]];
  const more = CORNER + width;
  return (x0 > view.x - more || x1 > view.x - more) && (y0 > view.y - more || y1 > view.y - more)
    && (x0 < view.x + view.w + more || x1 < view.x + view.w + more) && (y0 < view.y + view.h + more || y1 < view.y + view.h + more);
}

/** Draws the corner at a point. @param {Pen} pen @param {Float32Array} points @param {number} i @param {boolean} fresh it is not there yet @returns {number} how much of a piece to leave out for it */
function turn(pen, points, i, fresh) {
  const radius = pen.rounded ? cornerAt(points, i) : 0;
  if (radius && fresh) traceCorner(pen, points, i, radius);
  return radius || -pen.width / 2;
}

/** Does a piece go on straight beyond a point? @param {Float32Array} points @param {number} i where the piece's first point is @param {number} j where the point is */
function goesOn(points, i, j) {
  const [x, y] = [points[j + 2] - points[j], points[j + 3] - points[j + 1]];
  return x * (points[j + 1] - points[i + 1]) === y * (points[j] - points[i]) && x * (points[j] - points[i]) + y * (points[j + 1] - points[i + 1]) >= 0;
}

/** The radius of the corner at a point, as `trace` has it; 0: it is too narrow to be round. @param {Float32Array} points @param {number} i where the point is */
function cornerAt(points, i) {
  const before = Math.abs(points[i] - points[i - 2]) + Math.abs(points[i + 1] - points[i - 1]);
  const after = Math.abs(points[i + 2] - points[i]) + Math.abs(points[i + 3] - points[i + 1]);
  const radius = Math.min(CORNER, before / 2, after / 2);
  return radius < 0.5 ? 0 : radius;
}

/** @param {Pen} pen @param {Float32Array} points @param {number} i @param {number} radius */
function traceCorner({ ink, view }, points, i, radius) {
  const [x, y] = [points[i], points[i + 1]];
  if (x < view.x - radius || y < view.y - radius || x > view.x + view.w + radius || y > view.y + view.h + radius) return;
  ink.moveTo(x - Math.sign(x - points[i - 2]) * radius, y - Math.sign(y - points[i - 1]) * radius);
  ink.quadraticCurveTo(x, y, x + Math.sign(points[i + 2] - x) * radius, y + Math.sign(points[i + 3] - y) * radius);
}

/**
 * One piece of a line.
 * @param {Pen} pen @param {Float32Array} points @param {number} i where its first point is @param {number} j its last one
 * @param {number} start how much of it is left out for the corner at its start, less than 0: it reaches into a sharp corner @param {number} end the same at its end
 */
function fillPiece({ ink, view, width, k, filled }, points, i, j, start, end) {
  const half = width / 2;
  const [dx, dy] = [points[j] - points[i], points[j + 1] - points[i + 1]];
  const upright = Math.abs(dx) <= Math.abs(dy);
  const [sx, sy] = upright ? [0, Math.sign(dy)] : [Math.sign(dx), 0];
  const [x0, x1] = [points[i] + sx * start, points[j] - sx * end];
  const [y0, y1] = [points[i + 1] + sy * start, points[j + 1] - sy * end];
  const [wide, high] = upright ? [half, 0] : [0, half];
  const left = Math.max(Math.min(x0, x1) - wide, view.x - width);
  const right = Math.min(Math.max(x0, x1) + wide, view.x + view.w + width);
  const top = Math.max(Math.min(y0, y1) - high, view.y - width);
  const bottom = Math.min(Math.max(y0, y1) + high, view.y + view.h + width);
  if (right <= left || bottom <= top) return;
  const step = k * STEPS;
  const [x, y] = [(left - view.x) * step, (top - view.y) * step];
  if (!filled.has(Math.round(x), Math.round(y), Math.round(x + (right - left) * step), Math.round(y + (bottom - top) * step))) {
    ink.fillRect(left, top, right - left, bottom - top);
  }
}
