/** A picture of a part of the world that stands in for the drawing while the camera moves over more than a frame's time can draw. */
import { meet } from "../lens/camera.js";

/**
 * @typedef {import("../lens/camera.js").Rect} Rect
 *
 * @typedef {object} Picture
 * @property {HTMLCanvasElement} canvas
 * @property {Rect} view what of the world it shows
 * @property {number} k CSS pixels a unit at which it was drawn
 */

/** A picture magnified or made smaller more than this no longer tells what is there. */
const MOST_SCALE = 3;
/** A picture that shows less than this part of what is to be seen is of another place. */
const LEAST_SHOWN = 0.5;

/**
 * How much of what is to be seen of the graph a picture shows.
 * @param {Picture} picture @param {Rect} view what is to be seen @param {Rect} whole the graph @returns {number} 0 to 1
 */
export function share(picture, view, whole) {
  const wanted = common(view, whole);
  if (wanted === 0) return 1;
  const shown = cut(view, whole);
  return shown ? common(shown, picture.view) / wanted : 1;
}

/** @param {Picture} picture @param {Rect} view @param {number} k @param {Rect} whole @returns {boolean} does it tell enough of what is there? */
export function isUseful(picture, view, k, whole) {
  const scale = k / picture.k;
  return scale <= MOST_SCALE && scale >= 1 / MOST_SCALE && share(picture, view, whole) >= LEAST_SHOWN;
}

/**
 * Draws a picture where it belongs. @param {CanvasRenderingContext2D} context in world units @param {Picture} picture
 */
export function drawPicture(context, { canvas, view }) {
  context.drawImage(canvas, view.x, view.y, view.w, view.h);
}

/** @param {Rect} a @param {Rect} b @returns {Rect | null} */
function cut(a, b) {
  if (!meet(a, b)) return null;
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
}

/** @param {Rect} a @param {Rect} b @returns {number} area of what two have in common */
function common(a, b) {
  const both = cut(a, b);
  return both ? both.w * both.h : 0;
}
