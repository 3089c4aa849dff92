/** What is selected, highlighted or under the pointer. Outlines keep their thickness and a least size at every zoom. */
import { NODE_BOX as BOX } from "../../base/scene/boxes.js";
import { fillArrows, strokeAll } from "./lines/edges.js";
import { drawShared } from "./lines/shared.js";
import { chipRect } from "./nodes.js";
import { STYLE, isLegible } from "./text.js";

/**
 * @typedef {import("./draw.js").Frame} Frame
 * @typedef {import("../lens/camera.js").Rect} Rect
 * @typedef {import("../marked.js").Found} Found
 *
 * @typedef {object} Line
 * @property {string} colour
 * @property {number} width pixels
 * @property {number} gap pixels between the box and the line's middle
 * @property {number[]} [dash] pixels
 * @property {number} [alpha] 1 when left out
 */

/** A box smaller than this both ways is marked by a dot of that size, so that what was found can be seen from afar. */
const DOT_PX = 9;
/** Outlines in one frame; more are a blur. */
const MOST = 4000;
const EDGE_PX = 2.2;
/** Over the boxes an emphasised edge is only hinted at, or their texts could not be read. */
const OVER = 0.18;

/** @param {Frame} frame */
export function drawEmphasisedEdges(frame) {
  emphasise(frame, frame.marked.edgesIn, frame.theme["edge-in"]);
  emphasise(frame, frame.marked.edgesOut, frame.theme["edge-out"]);
}

/** @param {Frame} frame @param {readonly number[]} edges @param {string} colour */
function emphasise(frame, edges, colour) {
  if (edges.length === 0) return;
  const { ink, k } = frame;
  ink.strokeStyle = colour;
  ink.fillStyle = colour;
  ink.lineWidth = EDGE_PX / Math.min(k, 1);
  strokeAll(frame, edges);
  fillArrows(frame, edges);
}

/**
 * The outlines of each style, from the outer one inwards. Exact kin have a halo, so that they are found from afar; kin by source
 * line are lighter; what the pointer only points at is lighter still.
 * @param {Frame["theme"]} theme @param {import("../marked.js").Style} style @returns {Line[]}
 */
function linesOf(theme, style) {
  const { accent } = theme;
  switch (style) {
    case "search":
      return [{ colour: theme.search, width: 1.5, gap: 5 }, { colour: theme["search-fill"], width: 6, gap: 2.5 }];
    case "exact":
      return [{ colour: accent, width: 7, gap: 4, alpha: 0.2 }, { colour: accent, width: 2.2, gap: 2.5 }];
    case "line":
      return [{ colour: accent, width: 2, gap: 3, dash: [4, 4] }];
    case "near":
      return [{ colour: accent, width: 1.6, gap: 3, alpha: 0.55 }];
    case "near-line":
      return [{ colour: accent, width: 1.4, gap: 3, dash: [2, 4], alpha: 0.5 }];
  }
}

/** @param {Frame} frame */
export function drawHighlights(frame) {
  const { theme, k, marked } = frame;
  for (const { style, found } of marked.highlighted) {
    for (const line of linesOf(theme, style)) outlineAll(frame, found, line);
    if (isLegible(BOX.chipSize, k) && !style.startsWith("near")) drawCounts(frame, found, style === "search" ? theme.search : theme.accent);
  }
}

/** @param {Frame} frame */
export function drawSelection(frame) {
  const { ink, theme, marked } = frame;
  ink.globalAlpha = OVER;
  drawEmphasisedEdges(frame);
  ink.globalAlpha = 1;
  drawEnds(frame);
  drawShared(frame);
  outlineAll(frame, marked.selected, { colour: theme.accent, width: 3, gap: 1.5 });
  if (isLegible(BOX.chipSize, frame.k)) drawCounts(frame, marked.selected, theme.accent);
}

/** Outlines the other ends of emphasised edges. @param {Frame} frame */
function drawEnds(frame) {
  const { marked, theme, drawing: { scene: { edges } } } = frame;
  const fresh = (/** @type {number} */ item) => !marked.selected.items.has(item);
  const sources = new Set(marked.edgesIn.map((edge) => edges.from[edge]).filter(fresh));
  const users = new Set(marked.edgesOut.map((edge) => edges.to[edge]).filter(fresh));
  for (const item of sources) outlineItem(frame, item, { colour: theme["edge-in"], width: 1.5, gap: 0 });
  for (const item of users) outlineItem(frame, item, { colour: theme["edge-out"], width: 1.5, gap: 0 });
}

/** @param {Frame} frame */
export function drawHover(frame) {
  const { theme, marked, drawing: { scene: { edges } } } = frame;
  if (marked.edge >= 0) {
    emphasise(frame, [marked.edge], theme.ink);
    for (const item of [edges.from[marked.edge], edges.to[marked.edge]]) outlineItem(frame, item, { colour: theme.ink, width: 1.5, gap: 0 });
  }
  if (marked.item >= 0) outlineItem(frame, marked.item, { colour: theme.accent, width: 1.5, gap: 0 });
}

/** @param {Frame} frame @param {Found} found @param {Line} line */
function outlineAll(frame, found, line) {
  frame.ink.globalAlpha = line.alpha ?? 1;
  let drawn = 0;
  for (const item of found.items.keys()) {
    if (outlineItem(frame, item, line) && ++drawn > MOST) break;
  }
  const fine = isLegible(BOX.chipSize, frame.k);
  for (const [item, row] of found.chips) {
    if (fine) outline(frame, chipRect(frame.drawing, item, row), BOX.chipHeight / 2, line);
    else outlineItem(frame, item, line);
  }
  frame.ink.globalAlpha = 1;
}

/** @param {Frame} frame @param {number} item @param {Line} line @returns {boolean} was it on the screen? */
function outlineItem(frame, item, line) {
  return outline(frame, frame.drawing.rectOf(item), BOX.radius, line);
}

/** @param {Frame} frame @param {Rect} rect @param {number} radius @param {Line} line @returns {boolean} was it on the screen? */
function outline({ ink, view, k }, rect, radius, { colour, width, gap, dash = [] }) {
  const px = 1 / Math.min(k, 1);
  const isDot = Math.max(rect.w, rect.h) * k < DOT_PX;
  const growX = isDot ? (DOT_PX / k - rect.w) / 2 : gap * px;
  const growY = isDot ? (DOT_PX / k - rect.h) / 2 : gap * px;
  const [x, y, w, h] = [rect.x - growX, rect.y - growY, rect.w + 2 * growX, rect.h + 2 * growY];
  if (x > view.x + view.w || y > view.y + view.h || x + w < view.x || y + h < view.y) return false;
  ink.beginPath();
  ink.roundRect(x, y, w, h, isDot ? 2 / k : radius + gap * px);
  if (isDot) {
    ink.fillStyle = colour;
    ink.fill();
    return true;
  }
  ink.strokeStyle = colour;
  ink.lineWidth = width * px;
  if (dash.length) ink.setLineDash(dash.map((length) => length * px));
  ink.stroke();
  if (dash.length) ink.setLineDash([]);
  return true;
}

/** How many of the found nodes are inside a closed group. @param {Frame} frame @param {Found} found @param {string} colour */
export function drawCounts(frame, found, colour) {
  const { ink, theme, drawing } = frame;
  ink.font = STYLE.bold(BOX.chipSize);
  ink.textAlign = "center";
  for (const item of frame.visible.closed) {
    const count = found.items.get(item);
    if (!count || drawing.scene.items.ref[item] === frame.marked.group) continue;
    const { x, y, w } = drawing.rectOf(item);
    const text = String(count);
    const width = text.length * BOX.chipSize * 0.65 + 10;
    ink.beginPath();
    ink.roundRect(x + w - width - 6, y - 7, width, 14, 7);
    ink.fillStyle = colour;
    ink.fill();
    ink.fillStyle = theme.card;
    ink.fillText(text, x + w - width / 2 - 6, y);
  }
}
