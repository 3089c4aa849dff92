/** The line of a bridge: level to the gutter, across it in a curve, level to its end. */

/** @typedef {import("./bridges.js").Bridge} Bridge */

/** Steps in which the curve is measured. */
const STEPS = 12;

/** @param {Pick<CanvasRenderingContext2D, "moveTo" | "lineTo" | "bezierCurveTo">} ink @param {Bridge} bridge @param {number} left of the gutter @param {number} right */
export function traceBridge(ink, { x0, y0, x1, y1 }, left, right) {
  ink.moveTo(x0, y0);
  if (y0 === y1) return ink.lineTo(x1, y1);
  const [a, b] = [Math.max(x0, left), Math.min(x1, right)];
  const middle = (a + b) / 2;
  ink.lineTo(a, y0);
  ink.bezierCurveTo(middle, y0, middle, y1, b, y1);
  ink.lineTo(x1, y1);
}

/**
 * A point of the curve across the gutter. The two control points stand in the middle, one as high as each end.
 * @param {Pick<Bridge, "x0"|"y0"|"x1"|"y1">} bridge @param {number} left @param {number} right @param {number} t 0 at the forward's side, 1 at the backward's
 */
export function pointAt({ x0, y0, x1, y1 }, left, right, t) {
  const [a, b] = [Math.max(x0, left), Math.min(x1, right)];
  return { x: a + (b - a) * (1.5 * t - 1.5 * t * t + t * t * t), y: y0 + (y1 - y0) * t * t * (3 - 2 * t) };
}

/** How far a point is from a bridge. @param {Bridge} bridge @param {number} left @param {number} right @param {number} px @param {number} py @returns {number} world units */
export function distanceTo({ x0, y0, x1, y1 }, left, right, px, py) {
  const [a, b] = [Math.max(x0, left), Math.min(x1, right)];
  let best = Math.min(toLine(x0, y0, a, y0, px, py), toLine(b, y1, x1, y1, px, py));
  let [x, y] = [a, y0];
  for (let step = 1; step <= STEPS; step++) {
    const next = pointAt({ x0, y0, x1, y1 }, left, right, step / STEPS);
    best = Math.min(best, toLine(x, y, next.x, next.y, px, py));
    [x, y] = [next.x, next.y];
  }
  return best;
}

/** @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} px @param {number} py */
function toLine(ax, ay, bx, by, px, py) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
