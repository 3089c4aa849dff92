/**
 * The camera as a value: which world point stands in the middle of the canvas, and how large. Pure arithmetic.
 *
 * @typedef {{x: number, y: number, k: number}} Camera world point in the middle, pixels a unit
 * @typedef {{width: number, height: number}} Size of the canvas, CSS pixels
 * @typedef {{x: number, y: number, w: number, h: number}} Rect world units
 */

/** Largest zoom: a 13-unit label is 52 px high then. */
const MAX_ZOOM = 4;
/** `fit` stops here: three nodes blown up to fill a screen look broken. */
const MAX_FIT = 1.5;
/** Smallest zoom at which a page of graph is comfortable to read: 13-unit labels are 9 px high. */
const READABLE = 0.7;
const MARGIN = 28;
/** A graph smaller than this on the screen is not seen. */
const LEAST_PX = 4;

/** @param {Camera} camera @param {Size} size @param {number} px @param {number} py @returns {{x: number, y: number}} */
export function toWorld(camera, size, px, py) {
  return { x: camera.x + (px - size.width / 2) / camera.k, y: camera.y + (py - size.height / 2) / camera.k };
}

/** @param {Camera} camera @param {Size} size @param {number} x @param {number} y @returns {{x: number, y: number}} */
export function toScreen(camera, size, x, y) {
  return { x: (x - camera.x) * camera.k + size.width / 2, y: (y - camera.y) * camera.k + size.height / 2 };
}

/** The part of the world that is seen. @param {Camera} camera @param {Size} size @returns {Rect} */
export function viewOf(camera, size) {
  const w = size.width / camera.k;
  const h = size.height / camera.k;
  return { x: camera.x - w / 2, y: camera.y - h / 2, w, h };
}

/** @param {Camera} camera @param {number} dx CSS pixels @param {number} dy @returns {Camera} */
export function panBy(camera, dx, dy) {
  return { x: camera.x - dx / camera.k, y: camera.y - dy / camera.k, k: camera.k };
}

/**
 * Zooms so that the world point under (px, py) stays there.
 * @param {Camera} camera
 * @param {Size} size
 * @param {{x: number, y: number}} at CSS pixels in the canvas
 * @param {number} factor
 * @param {number} least smallest zoom allowed
 * @returns {Camera}
 */
export function zoomAt(camera, size, at, factor, least) {
  const k = Math.min(MAX_ZOOM, Math.max(least, camera.k * factor));
  const point = toWorld(camera, size, at.x, at.y);
  return { x: point.x - (at.x - size.width / 2) / k, y: point.y - (at.y - size.height / 2) / k, k };
}

/** Zoom at which `rect` fills the canvas but for the margins. @param {Rect} rect @param {Size} size @returns {number} */
function zoomToFit(rect, size) {
  const k = Math.min((size.width - 2 * MARGIN) / Math.max(rect.w, 1), (size.height - 2 * MARGIN) / Math.max(rect.h, 1));
  return Math.max(k, 1e-5);
}

/** @param {Rect} rect @param {Size} size @returns {Camera} */
export function fit(rect, size) {
  return { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2, k: Math.min(zoomToFit(rect, size), MAX_FIT) };
}

/** How far out one may zoom: half of what `fit` gives, and never less far than 0.1. @param {Rect} rect @param {Size} size */
export function leastZoom(rect, size) {
  return Math.min(0.1, zoomToFit(rect, size) / 2);
}

/**
 * The first look at a graph: all of it where that is readable, else its top at a readable zoom, with `middle` centred
 * where the graph is wider than the canvas.
 * @param {Rect} rect of the whole graph
 * @param {Size} size
 * @param {number} middle x of what stands at the top
 * @returns {Camera}
 */
export function initial(rect, size, middle) {
  const whole = zoomToFit(rect, size);
  if (whole >= READABLE) return { ...fit(rect, size), k: Math.min(whole, 1) };
  const k = Math.min(1, Math.max(READABLE, (size.width - 2 * MARGIN) / rect.w));
  const reach = Math.max(0, rect.w / 2 - (size.width / 2 - MARGIN) / k);
  const centre = rect.x + rect.w / 2;
  const x = Math.min(centre + reach, Math.max(centre - reach, middle));
  const tall = rect.h * k > size.height - 2 * MARGIN;
  return { x, y: tall ? rect.y + (size.height / 2 - MARGIN) / k : rect.y + rect.h / 2, k };
}

/**
 * Keeps some of the graph in sight: the middle of the canvas never leaves it.
 * @param {Camera} camera
 * @param {Rect} rect of the whole graph
 * @param {number} least
 * @returns {Camera}
 */
export function clamp(camera, rect, least) {
  return {
    x: Math.min(rect.x + rect.w, Math.max(rect.x, camera.x)),
    y: Math.min(rect.y + rect.h, Math.max(rect.y, camera.y)),
    k: Math.min(MAX_ZOOM, Math.max(least, camera.k)),
  };
}

/**
 * Whether a camera from elsewhere, such as an address somebody cut or made up, shows a part of the canvas's graph, at a zoom
 * of which something can be seen. Without a graph or a canvas yet nothing speaks against it.
 * @param {Camera} camera
 * @param {Rect} rect of the whole graph
 * @param {Size} size
 */
export function shows(camera, rect, size) {
  if (rect.w === 0 || size.width === 0 || size.height === 0) return true;
  const view = viewOf(camera, size);
  const meets = view.x < rect.x + rect.w && view.x + view.w > rect.x && view.y < rect.y + rect.h && view.y + view.h > rect.y;
  return meets && Math.max(rect.w, rect.h) * camera.k >= LEAST_PX && camera.k <= MAX_ZOOM;
}

/**
 * A camera between two: zoom changes evenly in ratio, and a point that stands still in both stands still between.
 * @param {Camera} a
 * @param {Camera} b
 * @param {number} t 0 to 1
 * @returns {Camera}
 */
export function between(a, b, t) {
  const k = a.k * (b.k / a.k) ** t;
  const near = Math.abs(a.k / b.k - 1) < 1e-3;
  const part = near ? t : (1 / a.k - 1 / k) / (1 / a.k - 1 / b.k);
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, k };
}

/**
 * The move that another canvas has to make so that its picture moves on the screen as this one's did.
 * @param {Camera} before @param {Camera} after of the canvas that moved
 * @returns {{factor: number, dx: number, dy: number}} zoom around the middle, then CSS pixels
 */
export function moveBetween(before, after) {
  return { factor: after.k / before.k, dx: (before.x - after.x) * after.k, dy: (before.y - after.y) * after.k };
}

/**
 * The nearest camera that shows all of `rect`, at a readable zoom where it fits the canvas so.
 * @param {Camera} camera
 * @param {Rect} rect
 * @param {Size} size
 * @param {number} readable
 * @returns {Camera}
 */
export function frame(camera, rect, size, readable) {
  const whole = zoomToFit(rect, size);
  if (whole >= Math.max(camera.k, readable)) return reveal(camera, rect, size, readable);
  return { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2, k: Math.min(whole, MAX_FIT) };
}

/** The smallest rectangle around two. @param {Rect} a @param {Rect} b @returns {Rect} */
export function around(a, b) {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}

/** @param {Rect} a @param {Rect} b @returns {boolean} */
export function meet(a, b) {
  return a.x < b.x + b.w && a.x + a.w > b.x && a.y < b.y + b.h && a.y + a.h > b.y;
}

/**
 * The nearest camera that shows `rect`: unmoved where it is in sight already, else centred on it.
 * @param {Camera} camera
 * @param {Rect} rect
 * @param {Size} size
 * @param {number} readable zoom to come up to where the present one is smaller
 * @returns {Camera}
 */
export function reveal(camera, rect, size, readable) {
  const view = viewOf(camera, size);
  const edge = MARGIN / camera.k;
  const inside = rect.x >= view.x + edge && rect.y >= view.y + edge
    && rect.x + rect.w <= view.x + view.w - edge && rect.y + rect.h <= view.y + view.h - edge;
  if (inside && camera.k >= readable) return camera;
  const k = Math.max(camera.k, readable);
  const large = rect.h * k > size.height - 2 * MARGIN;
  return { x: rect.x + rect.w / 2, y: large ? rect.y + (size.height / 2 - MARGIN) / k : rect.y + rect.h / 2, k };
}
