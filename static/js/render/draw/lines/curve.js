/**
 * The path of an edge: along the axes with rounded corners; a slanting piece (the middle of an edge too long to be laid
 * out, drawn only when selected) leaves and arrives vertically.
 */

export const CORNER = 9;
/** Steps in which a slanting piece is measured. */
const STEPS = 16;

/** @param {number} dx @param {number} dy */
export const isSlanting = (dx, dy) => Math.abs(dx) > 0.5 && Math.abs(dy) > 0.5;

/**
 * @param {Pick<CanvasRenderingContext2D, "moveTo" | "lineTo" | "bezierCurveTo" | "quadraticCurveTo">} ink
 * @param {Float32Array} points x, y, x, y ...
 * @param {number} first index of a point
 * @param {number} last index of the point after the last one
 */
export function trace(ink, points, first, last) {
  let x = points[2 * first];
  let y = points[2 * first + 1];
  ink.moveTo(x, y);
  for (let at = first + 1; at < last; at++) {
    const nextX = points[2 * at];
    const nextY = points[2 * at + 1];
    if (isSlanting(nextX - x, nextY - y)) {
      const bend = (nextY - y) / 2;
      ink.bezierCurveTo(x, y + bend, nextX, nextY - bend, nextX, nextY);
    } else if (at + 1 < last) turn(ink, x, y, nextX, nextY, points[2 * at + 2], points[2 * at + 3]);
    else ink.lineTo(nextX, nextY);
    x = nextX;
    y = nextY;
  }
}

/**
 * Draws up to and around the corner at b, on the way from a to c.
 * @param {Pick<CanvasRenderingContext2D, "lineTo" | "quadraticCurveTo">} ink
 * @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} cx @param {number} cy
 */
function turn(ink, ax, ay, bx, by, cx, cy) {
  const before = Math.abs(bx - ax) + Math.abs(by - ay);
  const after = Math.abs(cx - bx) + Math.abs(cy - by);
  const straight = (bx - ax) * (cy - by) === (by - ay) * (cx - bx);
  const radius = Math.min(CORNER, before / 2, after / 2);
  if (straight || radius < 0.5 || isSlanting(cx - bx, cy - by)) {
    ink.lineTo(bx, by);
    return;
  }
  ink.lineTo(bx - ((bx - ax) / before) * radius, by - ((by - ay) / before) * radius);
  ink.quadraticCurveTo(bx, by, bx + ((cx - bx) / after) * radius, by + ((cy - by) / after) * radius);
}

/**
 * The direction in which an edge arrives, as a unit vector.
 * @param {Float32Array} points
 * @param {number} first
 * @param {number} last
 * @returns {[number, number]}
 */
export function arrival(points, first, last) {
  for (let at = last - 1; at > first; at--) {
    const dx = points[2 * at] - points[2 * at - 2];
    const dy = points[2 * at + 1] - points[2 * at - 1];
    if (isSlanting(dx, dy)) return [0, Math.sign(dy)];
    const length = Math.hypot(dx, dy);
    if (length > 0.5) return [dx / length, dy / length];
  }
  return [0, 1];
}

/**
 * @param {Float32Array} points
 * @param {number} first
 * @param {number} last
 * @param {number} px
 * @param {number} py
 * @returns {number} distance of the point from the path (corners taken as sharp), world units
 */
export function distance(points, first, last, px, py) {
  let best = Infinity;
  for (let at = first + 1; at < last; at++) {
    const [ax, ay, bx, by] = points.subarray(2 * at - 2, 2 * at + 2);
    const measure = isSlanting(bx - ax, by - ay) ? toCurve : toLine;
    best = Math.min(best, measure(ax, ay, bx, by, px, py));
  }
  return best;
}

/** @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} px @param {number} py */
function toCurve(ax, ay, bx, by, px, py) {
  let best = Infinity;
  let x = ax;
  let y = ay;
  for (let step = 1; step <= STEPS; step++) {
    const t = step / STEPS;
    // The cubic whose control points stand half way down, one below a and one above b.
    const nextX = ax + (bx - ax) * t * t * (3 - 2 * t);
    const nextY = ay + (by - ay) * t * (1.5 - 1.5 * t + t * t);
    best = Math.min(best, toLine(x, y, nextX, nextY, px, py));
    x = nextX;
    y = nextY;
  }
  return best;
}

/** @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} px @param {number} py */
function toLine(ax, ay, bx, by, px, py) {
  const dx = bx - ax;
  const dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
