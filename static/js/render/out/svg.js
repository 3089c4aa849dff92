/** A drawing as an SVG document, by the walk that draws it on the canvas. */
import { draw } from "../draw/draw.js";
import { SvgInk } from "../draw/ink.js";

/**
 * @typedef {Omit<import("../draw/draw.js").Frame, "ink" | "visible" | "mostEdges" | "view" | "k"> & {title: string,
 *   measure: (text: string, font: string) => TextMetrics}} Drawable what is drawn, in which colours
 */

/**
 * A part of a drawing.
 * @param {Drawable} what
 * @param {import("../lens/camera.js").Rect} view world units
 * @param {number} k pixels a unit
 * @param {import("../visible.js").Visible} visible
 * @returns {string}
 */
export function toSvg(what, view, k, visible) {
  const ink = new SvgInk(what.measure);
  draw({ ...what, ink, view, k, mostEdges: Infinity, visible });
  return ink.document(view, what.theme.surface, k, what.title);
}
