/** One picture: the passes in the order in which they lie on top of each other. */
import { drawEdges } from "./lines/edges.js";
import { drawClosedGroups, drawMapLabels, drawOpenGroups, drawSolidGroups } from "./groups.js";
import { drawFocus } from "./focus.js";
import { drawEmphasisedEdges, drawHighlights, drawHover, drawSelection } from "./marks.js";
import { drawLabels } from "./lines/labels.js";
import { drawNodes } from "./nodes.js";
import { drawStubs } from "./lines/stubs.js";
import { drawTitles } from "./titles.js";
import { drawVeils } from "./veils.js";

/**
 * @typedef {object} Frame
 * @property {import("./ink.js").Ink} ink in world units
 * @property {import("../drawing.js").Drawing} drawing
 * @property {import("../theme.js").Theme} theme
 * @property {import("../lens/camera.js").Rect} view
 * @property {import("../lens/camera.js").Rect} [whole] of which the view is a part that is drawn by itself: what stands at the edge stands at its edge
 * @property {import("../paint.js").Paint} paint
 * @property {number} k pixels a unit
 * @property {number} mostEdges ordinary edges to draw at most
 * @property {import("../visible.js").Visible} visible collected for this view
 * @property {import("../marked.js").Marked} marked
 * @property {import("./text.js").Fitter} fitter
 * @property {{under: (frame: Frame) => void, over: (frame: Frame) => void} | null} [overlay] what is drawn beside the graph
 * @property {readonly import("../motion/passage.js").Veil[]} [veils] groups that open or close just now
 */

/** @type {readonly ((frame: Frame) => void)[]} */
const PASSES = Object.freeze([
  drawOpenGroups,
  (frame) => frame.overlay?.under(frame),
  drawEdges,
  drawEmphasisedEdges,
  drawSolidGroups,
  drawClosedGroups,
  drawNodes,
  drawLabels,
  drawMapLabels,
  drawFocus,
  drawHighlights,
  (frame) => frame.overlay?.over(frame),
  drawVeils,
  drawTitles,
  drawStubs,
  drawSelection,
  drawHover,
]);

/** @param {Frame} frame */
export function draw(frame) {
  const steps = drawSteps(frame);
  while (!steps.next().done);
}

/** The same a pass at a time. @param {Frame} frame @returns {Generator<void, void>} */
export function* drawSteps(frame) {
  frame.visible.collect(frame.drawing.scene, frame.view, frame.k);
  for (const pass of PASSES) {
    yield;
    pass(frame);
  }
}
