/** What is in focus, or what a filter leaves, stands out: a veil over the picture, and this drawn once more on top of it. */
import { drawMarkedEdges } from "./lines/edges.js";
import { drawClosedGroups, drawSolidGroups } from "./groups.js";
import { drawCounts } from "./marks.js";
import { drawNodes } from "./nodes.js";
import { isLegible } from "./text.js";
import { NODE_BOX as BOX } from "../../base/scene/boxes.js";

/** @typedef {import("./draw.js").Frame} Frame */

/** How much of what lies under the veil is lost: its shape stays, as a map of where one is. */
const VEIL = 0.74;

/** How strongly to draw what is written on an item, 0 to 1: as the item itself. @param {Frame} frame @param {number} item */
export function strengthOf({ marked: { focus, filter }, drawing: { scene: { items } } }, item) {
  const kept = (focus ?? filter)?.before;
  return !kept || kept[items.end[item]] > kept[item] ? 1 : 1 - VEIL;
}

/** @param {Frame} frame */
export function drawFocus(frame) {
  const { theme, marked: { focus, filter } } = frame;
  if (focus) drawVeiled(frame, focus, theme.trace);
  else if (filter) drawVeiled(frame, filter, theme.edge);
}

/** @param {Frame} frame @param {import("../marked.js").Focus} focus @param {string} colour of edges and counts */
function drawVeiled(frame, focus, colour) {
  const { ink, theme, view, visible, k } = frame;
  ink.globalAlpha = VEIL;
  ink.fillStyle = theme.surface;
  ink.fillRect(view.x, view.y, view.w, view.h);
  ink.globalAlpha = 1;
  const { items } = frame.drawing.scene;
  const { found, before } = focus;
  const kept = Object.assign(Object.create(visible), {
    open: [],
    solid: visible.solid.filter((item) => before[items.end[item]] > before[item]),
    closed: visible.closed.filter((item) => found.items.has(item)),
    nodes: visible.nodes.filter((item) => found.items.has(item)),
  });
  const part = { ...frame, visible: kept };
  drawMarkedEdges(part, focus.edges, colour);
  for (const pass of [drawSolidGroups, drawClosedGroups, drawNodes]) pass(part);
  if (isLegible(BOX.chipSize, k)) drawCounts(part, found, colour === theme.edge ? theme["ink-muted"] : colour);
}
