/** Where things are on the map of a graph. Pure arithmetic. */

/**
 * @typedef {import("../lens/camera.js").Rect} Rect
 * @typedef {import("../lens/camera.js").Size} Size
 *
 * @typedef {object} Place
 * @property {number} width of the map, CSS pixels
 * @property {number} height
 * @property {{x: number, y: number}} k CSS pixels a unit: more across a graph that would be a thread otherwise
 * @property {number} left of the graph in the map, CSS pixels
 * @property {number} top
 */

/** At most this part of the canvas, and so many pixels. */
const SHARE = Object.freeze({ width: 0.2, height: 0.3 });
const MOST = Object.freeze({ width: 200, height: 240 });
const MARGIN = 4;
/** No graph is drawn narrower than this. */
const LEAST_GRAPH = 24;
/** On a smaller canvas a map is in the way. */
const ROOM = Object.freeze({ width: 220, height: 200 });
/** The frame of what is seen is never smaller than this, or it could not be found. */
const LEAST_FRAME = 8;

/**
 * The map of a graph in a canvas, or null where there is no use for one: all is seen, or there is no room.
 * @param {Rect} whole @param {Rect} view what is seen @param {Size} size of the canvas @returns {Place | null}
 */
export function placeOf(whole, view, size) {
  const all = view.x <= whole.x && view.y <= whole.y && view.x + view.w >= whole.x + whole.w && view.y + view.h >= whole.y + whole.h;
  if (all || whole.w <= 0 || whole.h <= 0 || size.width < ROOM.width || size.height < ROOM.height) return null;
  const most = { width: Math.min(MOST.width, size.width * SHARE.width), height: Math.min(MOST.height, size.height * SHARE.height) };
  const fits = Math.min((most.width - 2 * MARGIN) / whole.w, (most.height - 2 * MARGIN) / whole.h);
  const k = { x: Math.max(fits, LEAST_GRAPH / whole.w), y: Math.max(fits, LEAST_GRAPH / whole.h) };
  const width = Math.round(whole.w * k.x + 2 * MARGIN);
  const height = Math.round(whole.h * k.y + 2 * MARGIN);
  return { width, height, k, left: MARGIN, top: MARGIN };
}

/**
 * What is seen, as a frame on the map: cut where it would leave the map.
 * @param {Place} place @param {Rect} whole @param {Rect} view @returns {Rect} CSS pixels
 */
export function frameOf({ width, height, k, left, top }, whole, view) {
  const [x, w] = span(left + (view.x - whole.x) * k.x, view.w * k.x, width);
  const [y, h] = span(top + (view.y - whole.y) * k.y, view.h * k.y, height);
  return { x, y, w, h };
}

/** @param {number} from @param {number} length @param {number} room @returns {[number, number]} */
function span(from, length, room) {
  const longer = Math.max(0, LEAST_FRAME - length);
  const start = Math.min(Math.max(0, from - longer / 2), room - LEAST_FRAME);
  const end = Math.max(Math.min(room, from + length + longer / 2), start + LEAST_FRAME);
  return [start, end - start];
}

/** The world point under a point of the map. @param {Place} place @param {Rect} whole @param {number} x CSS pixels @param {number} y */
export function worldAt({ k, left, top }, whole, x, y) {
  return { x: whole.x + (x - left) / k.x, y: whole.y + (y - top) / k.y };
}
