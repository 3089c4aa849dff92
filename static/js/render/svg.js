/** A drawing as an SVG document, by the walk that draws it on the canvas. */
import { draw } from "./draw/draw.js";
import { SvgInk } from "./draw/ink.js";
import { Fitter } from "./draw/text.js";
import { Visible } from "./visible.js";
import { Marked } from "./marked.js";

const MARGIN = 24;

/**
 * The whole drawing at zoom 1, nothing selected.
 * @param {import("./drawing.js").Drawing} drawing
 * @param {import("./paint.js").Paint} paint
 * @param {import("./theme.js").Theme} theme
 * @param {(text: string, font: string) => TextMetrics} measure
 * @param {import("./draw/draw.js").Frame["overlay"]} [overlay]
 * @returns {string}
 */
export function toSvg(drawing, paint, theme, measure, overlay = null) {
  const { x, y, w, h } = drawing.rect;
  const view = { x: x - MARGIN, y: y - MARGIN, w: w + 2 * MARGIN, h: h + 2 * MARGIN };
  const ink = new SvgInk(measure);
  draw({ ink, drawing, paint, theme, view, k: 1, mostEdges: Infinity, visible: new Visible(), marked: new Marked(), fitter: new Fitter(), overlay });
  return ink.document(view, theme.surface);
}
