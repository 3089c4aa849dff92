/** From some nodes along an arrow of a pattern: walks in execution order, linear in the edges. */

import { isView } from "../../folding/views.js";
import { OP } from "../../graph.js";

/**
 * @typedef {import("../../graph.js").GraphModel} GraphModel
 *
 * @typedef {object} Lane how an arrow may be followed
 * @property {boolean} down from what is read to what reads it
 * @property {boolean} far through anything
 * @property {Uint8Array} through 1: a node that is passed over where it is not far
 */

/** Passed over between two steps beside views, casts and getitems: what holds the same value once more. */
const COPIES = new Set(["clone", "contiguous", "alias", "detach"]);

/** Views, casts, getitems and copies. @param {GraphModel} model @returns {Uint8Array} 1: passed over */
export function carriers(model) {
  const copies = Uint8Array.from(model.strings, (text) => (COPIES.has(text) ? 1 : 0));
  return Uint8Array.from(model.op, (op, i) => (isView(model, i) || (op > OP.GET_ATTR && copies[model.label[i]]) ? 1 : 0));
}

/**
 * The nodes to which the arrow leads from some.
 * @param {GraphModel} model @param {Uint8Array} from 1: begin here @param {Lane} lane
 * @returns {Uint8Array} 1: the arrow leads here
 */
export function spread(model, from, { down, far, through }) {
  const { count } = model;
  const [{ start, edge }, end] = down ? [model.in, model.edges.src] : [model.out, model.edges.dst];
  const led = new Uint8Array(count);
  for (let step = 0; step < count; step++) {
    const i = down ? step : count - 1 - step;
    for (let k = start[i]; k < start[i + 1] && !led[i]; k++) {
      const other = end[edge[k]];
      if (from[other] || (led[other] && (far || through[other]))) led[i] = 1;
    }
  }
  return led;
}

/**
 * The nodes of a set that the arrow leads to from one node, those behind what is passed over too.
 * @param {GraphModel} model @param {number} node @param {Lane} lane @param {Uint8Array} wanted 1: of the set
 * @param {Uint8Array} leads 1: from here something of the set is reached
 * @returns {{found: number[], looked: number}} ascending, and how many nodes were looked at
 */
export function nextOf(model, node, { down, through }, wanted, leads) {
  const [{ start, edge }, end] = down ? [model.out, model.edges.dst] : [model.in, model.edges.src];
  const found = new Set();
  const seen = new Set([node]);
  for (const at of seen) {
    for (let k = start[at]; k < start[at + 1]; k++) {
      const other = end[edge[k]];
      if (wanted[other]) found.add(other);
      else if (through[other] && leads[other]) seen.add(other);
    }
  }
  return { found: [...found].sort((a, b) => a - b), looked: seen.size };
}

/**
 * For every node the nearest of a set to which far arrows lead: the first in execution order, upwards the last.
 * @param {GraphModel} model @param {boolean} down @param {Uint8Array} wanted @returns {Int32Array} -1: none
 */
export function nearest(model, down, wanted) {
  const { count } = model;
  const [{ start, edge }, end] = down ? [model.out, model.edges.dst] : [model.in, model.edges.src];
  const found = new Int32Array(count).fill(-1);
  for (let step = 0; step < count; step++) {
    const i = down ? count - 1 - step : step;
    for (let k = start[i]; k < start[i + 1]; k++) {
      const other = end[edge[k]];
      const there = wanted[other] ? other : found[other];
      if (there >= 0 && (found[i] < 0 || (down ? there < found[i] : there > found[i]))) found[i] = there;
    }
  }
  return found;
}
