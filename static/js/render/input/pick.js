/** What lies under a point. */
import { GROUP_BOX, NODE_BOX } from "../../base/scene/boxes.js";
import { ITEM } from "../../base/scene/scene.js";
import Flatbush from "../../../vendor/flatbush-4.7.0/index.js";
import { distance } from "../draw/lines/curve.js";
import { chipRect } from "../draw/nodes.js";
import { stubsOf } from "../draw/lines/stubs.js";
import { hasTitles, isLegible } from "../draw/text.js";
import { buttonRect, titleRect } from "../draw/titles.js";
import { isSolid } from "../visible.js";

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("../drawing.js").Chip} Chip
 * @typedef {import("../visible.js").Visible} Visible
 * @typedef {import("../draw/lines/stubs.js").Stub} Stub
 * @typedef {import("../lens/camera.js").Rect} Rect
 * @typedef {{x: number, y: number}} Point world units
 *
 * @typedef {object} Hit
 * @property {number} item -1: nothing
 * @property {"none" | "node" | "chip" | "stub" | "group" | "title" | "button" | "inside"} part "group": a closed group or one too small
 *   to enter; "inside": the ground of an open group
 * @property {Chip} [chip]
 * @property {Stub} [stub]
 *
 * @typedef {{drawing: Drawing, visible: Visible, view: Rect, k: number}} Seen what was drawn last
 */

/** An edge is under the pointer when it is no further than this many pixels. */
const EDGE_PX = 5;
/** @type {Hit} */
const NOTHING = Object.freeze({ item: -1, part: "none" });

/** @param {Rect} rect @param {Point} point */
const contains = (rect, point) => point.x >= rect.x && point.x <= rect.x + rect.w && point.y >= rect.y && point.y <= rect.y + rect.h;

/** @param {Seen} seen @param {Point} point @returns {Hit} */
export function pick(seen, point) {
  return pickMovedTitle(seen, point) ?? pickStub(seen, point) ?? pickItem(seen, point);
}

/** Titles kept at the edge of the screen lie over everything. @param {Seen} seen @param {Point} point @returns {Hit | null} */
function pickMovedTitle({ drawing, visible, view, k }, point) {
  if (!hasTitles(k)) return null;
  for (const item of [...visible.open].reverse()) {
    const rect = titleRect(drawing, item, view, k);
    if (rect.moved && contains(rect, point)) return pickTitle(item, rect, point);
  }
  return null;
}

/** @param {number} item @param {Rect} rect of the title @param {Point} point @returns {Hit} */
function pickTitle(item, rect, point) {
  return { item, part: contains(buttonRect(rect.x, rect.y), point) ? "button" : "title" };
}

/** @param {Seen} seen @param {Point} point @returns {Hit | null} */
function pickStub({ drawing, visible, k }, point) {
  if (!isLegible(NODE_BOX.chipSize, k)) return null;
  const { x, y, w, h, parent } = drawing.scene.items;
  for (const item of drawing.stubbed) {
    // No label is further from its item than this.
    const reach = 200;
    if (point.x < x[item] - reach || point.x > x[item] + w[item] + reach || point.y < y[item] - reach || point.y > y[item] + h[item] + reach) continue;
    if (!visible.holds(parent[item])) continue;
    const stub = stubsOf(drawing, item).find(({ rect }) => contains(rect, point));
    if (stub) return { item, part: "stub", stub };
  }
  return null;
}

/** The innermost item: down the tree, past every group that does not hold the point. @param {Seen} seen @param {Point} point @returns {Hit} */
function pickItem({ drawing, k }, point) {
  const { items } = drawing.scene;
  const { x, y, w, h } = items;
  let found = -1;
  for (let i = 0, end = items.count; i < end;) {
    if (point.x < x[i] || point.y < y[i] || point.x > x[i] + w[i] || point.y > y[i] + h[i]) {
      i = items.end[i];
      continue;
    }
    found = i;
    if (items.kind[i] !== ITEM.OPEN || isSolid(w[i] * k, h[i] * k)) break;
    end = items.end[i];
    i += 1;
  }
  return found < 0 ? NOTHING : pickPart(drawing, found, k, point);
}

/** @param {Drawing} drawing @param {number} item @param {number} k @param {Point} point @returns {Hit} */
function pickPart(drawing, item, k, point) {
  const { kind, x, y, w, h } = drawing.scene.items;
  if (kind[item] === ITEM.NODE) return pickChip(drawing, item, k, point) ?? { item, part: "node" };
  const legible = hasTitles(k);
  if (legible && contains(buttonRect(x[item], y[item]), point)) return { item, part: "button" };
  if (kind[item] === ITEM.CLOSED || isSolid(w[item] * k, h[item] * k)) return { item, part: "group" };
  return { item, part: point.y <= y[item] + GROUP_BOX.title ? "title" : "inside" };
}

/** @param {Drawing} drawing @param {number} item @param {number} k @param {Point} point @returns {Hit | null} */
function pickChip(drawing, item, k, point) {
  if (!isLegible(NODE_BOX.chipSize, k)) return null;
  const { chips } = drawing.textsOf(item);
  const row = chips.findIndex((_, at) => contains(chipRect(drawing, item, at), point));
  return row < 0 ? null : { item, part: "chip", chip: chips[row] };
}

/** Finds the edge under a point; the index is made when it is first needed. */
export class EdgePicker {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    /** @type {Flatbush | null} */
    this.index = null;
  }

  /** @param {Seen} seen @param {Point} point @returns {number} scene edge, or -1 */
  pick({ visible, k }, point) {
    const { edges } = this.drawing.scene;
    if (edges.count === 0) return -1;
    this.index ??= indexEdges(this.drawing);
    const reach = EDGE_PX / k;
    let best = -1;
    let least = reach;
    for (const at of this.index.search(point.x - reach, point.y - reach, point.x + reach, point.y + reach)) {
      const edge = this.drawing.order[at];
      if (edges.stub[edge] || !visible.holds(edges.owner[edge])) continue;
      const far = distance(edges.points, edges.start[edge], edges.start[edge + 1], point.x, point.y);
      if (far < least) [best, least] = [edge, far];
    }
    return best;
  }
}

/** @param {Drawing} drawing @returns {Flatbush} */
function indexEdges({ order, bounds }) {
  const index = new Flatbush(order.length, 16, Float32Array);
  for (let at = 0; at < 4 * order.length; at += 4) index.add(bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3]);
  index.finish();
  return index;
}
