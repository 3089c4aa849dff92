/**
 * A mirror: the scenes of a forward and of its backward as one, the forward on the left flowing down, the backward on the right
 * flowing up. Boxes of the same module stand side by side, at every depth to which both are open.
 */

import { ITEM } from "../../base/scene/scene.js";
import { Half } from "./bands.js";
import { joinScenes } from "./join.js";
import { placeHalf } from "./place.js";
import { alignRows } from "./rows.js";

/** Between the halves: room for the bridges and their labels. */
const GUTTER = 220;

/**
 * @typedef {import("../../base/scene/scene.js").Scene} Scene
 *
 * @typedef {object} MirrorScene
 * @property {Scene} scene both halves; refs of the backward come behind those of the forward
 * @property {number} items number of items of the forward
 * @property {number} left where the forward ends
 * @property {number} right where the backward begins
 * @property {Int32Array} beside by item of the forward: the item of the backward at its side, or -1
 */

/**
 * @param {Scene} ahead as the layout made it @param {Scene} back
 * @param {{nodes: number, groups: number, edges: number}} offset how many nodes, groups and edges the forward has: the backward's
 *   follow, but for its top
 * @param {ArrayLike<number>} partner by group of the forward: group of the backward as the joined tree numbers it, or -1
 * @returns {MirrorScene}
 */
export function mirrorScene(ahead, back, offset, partner) {
  const beside = partners(ahead, back, offset.groups, partner);
  const left = new Half(ahead, false);
  const right = new Half(back, true);
  alignRows(left, right, beside);
  const [upper, lower] = [placeHalf(left), placeHalf(right)];
  const scene = joinScenes(upper, lower, { x: ahead.width + GUTTER, ...offset });
  const first = ahead.items.count;
  return {
    scene,
    items: first,
    left: ahead.width,
    right: ahead.width + GUTTER,
    beside: beside.map((mate) => (mate < 0 ? -1 : mate + first)),
  };
}

/**
 * The item of the backward that belongs to every item of the forward. Pairs of groups lie inside pairs, so those of items do.
 * @param {Scene} ahead @param {Scene} back @param {number} groups @param {ArrayLike<number>} partner
 */
function partners({ items }, { items: other }, groups, partner) {
  const itemOf = new Map();
  for (let i = 0; i < other.count; i++) if (other.kind[i] !== ITEM.NODE) itemOf.set(other.ref[i], i);
  const found = new Int32Array(items.count).fill(-1);
  for (let i = 0; i < items.count; i++) {
    if (items.kind[i] === ITEM.NODE || partner[items.ref[i]] < 0) continue;
    const mate = itemOf.get(partner[items.ref[i]] - groups + 1);
    if (mate !== undefined && other.kind[mate] === items.kind[i]) found[i] = mate;
  }
  return found;
}
