/**
 * Pass 7: what every open group has to lay out. Before: hops, and which of them are kept. After: per slot its children and
 * hops; `groupProblem` makes the layered problem of one slot once its open children have their layout.
 */

import { rowsOf } from "../../base/rows.js";
import { GROUP_BOX } from "../../base/scene/boxes.js";
import { ITEM } from "../../base/scene/scene.js";
import { GAP } from "../layered/problem.js";
import { closedGroupSize, nodeSize, titleWidth } from "../size.js";

/**
 * @typedef {import("../layered/problem.js").Problem} Problem
 * @typedef {import("../layered/problem.js").Layout} Layout
 *
 * @typedef {object} Slots
 * @property {import("../../base/rows.js").Rows} children items of every slot
 * @property {import("../../base/rows.js").Rows} hops of every slot that have to be in its problem
 * @property {Int32Array} place of every item among its siblings
 * @property {Int32Array} edge of every hop in its slot's problem
 */

/** Taller groups stand in columns: this is some 27 screens, of which nothing can be read when one looks at the whole. */
const TALL = 24_000;

/**
 * @param {import("./visible.js").Items} items @param {import("./hops.js").Hops} hops @param {Uint8Array} kept
 * @returns {Slots}
 */
export function slots(items, hops, kept) {
  const children = rowsOf(
    items.count + 1,
    items.parent.map((parent) => parent + 1),
  );
  // Hops that are not drawn still keep their ends above one another, where both are children.
  const row = hops.slot.map((slot, hop) => (kept[hop] || (hops.upper[hop] >= 0 && hops.lower[hop] >= 0) ? slot : -1));
  const inSlot = rowsOf(items.count + 1, row);
  const place = new Int32Array(items.count);
  const edge = new Int32Array(hops.count).fill(-1);
  for (let slot = 0; slot <= items.count; slot++) {
    for (let i = children.start[slot]; i < children.start[slot + 1]; i++)
      place[children.member[i]] = i - children.start[slot];
    for (let i = inSlot.start[slot]; i < inSlot.start[slot + 1]; i++) edge[inSlot.member[i]] = i - inSlot.start[slot];
  }
  return { children, hops: inSlot, place, edge };
}

/**
 * @typedef {object} Whole everything that is known before groups are laid out one by one
 * @property {import("../../model/types.js").LayoutModel} model
 * @property {import("../../model/types.js").GroupTree} tree
 * @property {import("../../base/scene/flow.js").Flow} flow
 * @property {boolean} wrap whether tall groups stand in columns
 * @property {import("./visible.js").Items} items
 * @property {import("./hops.js").Hops} hops
 * @property {{above: Int32Array, below: Int32Array}} paths by hop
 * @property {Uint8Array} kept
 * @property {Uint8Array} labels of edges that are not drawn: 1 below an item, 2 above it
 * @property {Int32Array} rank
 * @property {Slots} slots
 */

/**
 * @param {Whole} whole @param {number} slot
 * @param {(LaidOut|null)[]} done by slot: the layouts of the open children at least
 * @returns {{problem: Problem, upperPort: Map<number, number>, lowerPort: Map<number, number>}} and where the group's ports went
 */
export function groupProblem(whole, slot, done) {
  const { hops, paths, kept, labels, rank, slots: all } = whole;
  const children = all.children.member.subarray(all.children.start[slot], all.children.start[slot + 1]);
  const list = all.hops.member.subarray(all.hops.start[slot], all.hops.start[slot + 1]);
  const boxes = childBoxes(whole, children, done);
  const upperPort = usedPorts(list, hops.upper);
  const lowerPort = usedPorts(list, hops.lower);
  const n = children.length;
  const endOf = (/** @type {number} */ end, /** @type {Map<number, number>} */ ports, /** @type {number} */ first) =>
    end >= 0 ? all.place[end] : first + /** @type {number} */ (ports.get(-1 - end));
  const nets = new Map();
  const net = Int32Array.from(list, (hop) => nets.get(hops.net[hop]) ?? (nets.set(hops.net[hop], nets.size), nets.size - 1));
  /** @type {Problem} */
  const problem = {
    children: n,
    w: boxes.w,
    h: boxes.h,
    identity: boxes.identity,
    rank: Int32Array.from(children, (item) => rank[item]),
    labels: Uint8Array.from(children, (item) => labels[item]),
    upperPorts: upperPort.size,
    lowerPorts: lowerPort.size,
    edges: list.length,
    upper: Int32Array.from(list, (hop) => endOf(hops.upper[hop], upperPort, n)),
    lower: Int32Array.from(list, (hop) => endOf(hops.lower[hop], lowerPort, n + upperPort.size)),
    upperAt: Float64Array.from(list, (hop) => portPlace(done, hops.upper[hop], hops.upperPort[hop], "lower")),
    lowerAt: Float64Array.from(list, (hop) => portPlace(done, hops.lower[hop], hops.lowerPort[hop], "upper")),
    net,
    above: Int32Array.from(list, (hop) => paths.above[hop]),
    below: Int32Array.from(list, (hop) => paths.below[hop]),
    drawn: Uint8Array.from(list, (hop) => kept[hop]),
    ...frameOf(whole, slot),
    tall: whole.wrap ? TALL : Infinity,
    turned: whole.flow === "right" ? 1 : 0,
  };
  return { problem, upperPort, lowerPort };
}

/**
 * @typedef {object} LaidOut a slot's layout, and which index in it every port got
 * @property {Problem} problem
 * @property {Layout} layout
 * @property {Map<number, number>} upperPort
 * @property {Map<number, number>} lowerPort
 * @property {number} serial tells layouts apart
 */

/**
 * What a group needs beside its content: its title bar is at its top, which is where lines to the right have their side.
 * @param {Whole} whole @param {number} slot
 */
function frameOf({ tree, items, flow }, slot) {
  const title = slot === 0 ? 0 : GROUP_BOX.title;
  const least = slot === 0 ? 0 : titleWidth(tree, items.ref[slot - 1]);
  return flow === "down"
    ? { minWidth: least, minHeight: 0, header: title, side: 0, boxGap: GAP.box }
    : { minWidth: 0, minHeight: least, header: 0, side: title, boxGap: GAP.boxBelow };
}

/** Sizes as the layered layout has them, which knows of lines that run down only. @param {Whole} whole @param {Int32Array} children @param {(LaidOut|null)[]} done */
function childBoxes({ model, tree, flow, items: { kind, ref } }, children, done) {
  const w = new Float64Array(children.length);
  const h = new Float64Array(children.length);
  const identity = new Int32Array(children.length * 2);
  children.forEach((item, i) => {
    const inside = kind[item] === ITEM.OPEN ? /** @type {LaidOut} */ (done[item + 1]) : null;
    const box = kind[item] === ITEM.NODE ? nodeSize(model, ref[item]) : inside ? null : closedGroupSize(tree, ref[item]);
    const size = box && flow === "right" ? { w: box.h, h: box.w } : (box ?? /** @type {LaidOut} */ (inside).layout);
    w[i] = size.w;
    h[i] = size.h;
    identity[2 * i] = kind[item] === ITEM.NODE ? -1 - ref[item] : ref[item];
    identity[2 * i + 1] = inside ? inside.serial : -1;
  });
  return { w, h, identity };
}

/** Ports that some hop uses, renumbered in order. @param {Int32Array} hops @param {Int32Array} ends */
function usedPorts(hops, ends) {
  const used = new Set();
  for (const hop of hops) if (ends[hop] < 0) used.add(-1 - ends[hop]);
  return new Map([...used].sort((a, b) => a - b).map((port, i) => [port, i]));
}

/**
 * Where on an open child's border a hop is fixed, from the child's middle; NaN: not fixed.
 * @param {(LaidOut|null)[]} done @param {number} item @param {number} port @param {"upper" | "lower"} side
 */
function portPlace(done, item, port, side) {
  if (item < 0) return 0;
  if (port < 0) return NaN;
  const { layout, upperPort, lowerPort } = /** @type {LaidOut} */ (done[item + 1]);
  const index = (side === "upper" ? upperPort : lowerPort).get(port);
  return index === undefined ? 0 : (side === "upper" ? layout.upperX : layout.lowerX)[index] - layout.w / 2;
}
