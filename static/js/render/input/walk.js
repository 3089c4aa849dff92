/** Where the keys lead from an item. Pure. */
import { ITEM } from "../../base/scene/scene.js";

/** @typedef {import("../drawing.js").Drawing} Drawing */
/** @typedef {import("./keyboard.js").Direction} Direction */

/** Of a drawing that flows to the right: what each arrow is where it flows down. @type {Record<Direction, Direction>} */
const TURNED = { right: "down", left: "up", up: "left", down: "right" };

/** Which way an arrow goes in a drawing, seen as if it flowed down. @param {Drawing} drawing @param {Direction} arrow @returns {Direction} */
export function alongFlow({ scene }, arrow) {
  return scene.flow === "right" ? TURNED[arrow] : arrow;
}

/**
 * Where a drawing flows down (else the direction comes from `alongFlow`): down: the first user; up: the first input; left and right: the neighbour in the same rank. Down from an open group goes
 * in, up from what has no input goes out to the group around it.
 * @param {Drawing} drawing
 * @param {number} item -1: from nowhere to the first thing that is no open group
 * @param {Direction} direction
 * @returns {number} item, the same one when there is no way
 */
export function step(drawing, item, direction) {
  const { items } = drawing.scene;
  if (item < 0) return items.kind.findIndex((kind) => kind !== ITEM.OPEN);
  if (direction === "left" || direction === "right") return beside(drawing, item, direction === "left" ? -1 : 1);
  if (direction === "down") return items.kind[item] === ITEM.OPEN ? item + 1 : ends(drawing, item, "out")[0] ?? item;
  return ends(drawing, item, "in")[0] ?? (items.parent[item] >= 0 ? items.parent[item] : item);
}

/**
 * The other ends of an item's edges, each once, in the order of their users and of the argument slots.
 * @param {Drawing} drawing @param {number} item @param {"in" | "out"} side @returns {number[]} items
 */
export function ends(drawing, item, side) {
  const { edges } = drawing.scene;
  const sorted = Array.from(drawing.edgesOf(item, side)).sort((a, b) => edges.edge[a] - edges.edge[b]);
  const far = side === "in" ? edges.from : edges.to;
  return [...new Set(sorted.map((edge) => far[edge]))];
}

/** Where the first or the last node in execution order is drawn. @param {Drawing} drawing @param {boolean} last @returns {number} item, or -1 */
export function extreme({ model, itemOfNode }, last) {
  for (let i = 0; i < model.count; i++) {
    const node = last ? model.count - 1 - i : i;
    if (!model.folded[node] && itemOfNode[node] >= 0) return itemOfNode[node];
  }
  return -1;
}

/** @param {Drawing} drawing @param {number} item @param {-1 | 1} sign @returns {number} */
function beside({ scene: { items, flow } }, item, sign) {
  const { parent, end, count } = items;
  const { x, y, w, h } = flow === "right" ? { x: items.y, y: items.x, w: items.h, h: items.w } : items;
  const around = parent[item];
  const middle = y[item] + h[item] / 2;
  const centre = x[item] + w[item] / 2;
  let best = item;
  let least = Infinity;
  for (let i = around + 1, last = around < 0 ? count : end[around]; i < last; i = end[i]) {
    const away = (x[i] + w[i] / 2 - centre) * sign;
    if (i !== item && away > 0 && away < least && y[i] <= middle && y[i] + h[i] >= middle) [best, least] = [i, away];
  }
  return best;
}
