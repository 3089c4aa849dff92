/**
 * Pass 5: the middle of every vertex on the x axis. Before: chains. After: whole numbers, no two vertices of a rank closer
 * than their widths and gaps, chains exactly straight.
 *
 * Chains first. They never cross, so "left of" is an order of chains without circles, and least distances leave every chain
 * an interval. The heaviest chain, the spine, is put down first; then, by weight, every chain as near as its interval allows
 * to where its lines to chains already placed would run straight. After each the intervals beside it are narrowed, so that
 * room is left for all that are still to come. Single vertices come last, rank by rank.
 */

import { Bounds } from "./bounds.js";
import { fillRanks } from "./fill.js";

/**
 * @param {import("../layers.js").Layered} layered
 * @param {import("../ordering/order.js").Order} order
 * @param {import("./chains.js").Chains} chains
 * @param {import("../../budget.js").Budget} budget
 * @returns {{x: Float64Array, rough: boolean}} `rough`: there are chains that no time was left for, and that may bend
 */
export function placeVertices(layered, order, chains, budget) {
  const { of, shift } = chains;
  const { line, rough } = placeChains(layered, order, chains, budget);
  const fixed = Float64Array.from(of, (c, v) => line[c] + shift[v]);
  return { x: fillRanks(layered, order, fixed), rough };
}

/**
 * The line of every chain of two vertices and more; NaN for the others, and for those that no time was left for.
 * @param {import("../layers.js").Layered} layered
 * @param {import("../ordering/order.js").Order} order
 * @param {import("./chains.js").Chains} chains
 * @param {import("../../budget.js").Budget} budget
 */
function placeChains(layered, order, chains, budget) {
  const { count, of, weight, size } = chains;
  const bounds = new Bounds(layered, order, chains);
  const packed = packedLines(layered, order, chains);
  const line = new Float64Array(count).fill(NaN);
  const members = membersOf(order, of, size);
  const heaviest = Int32Array.from(weight, (_, c) => c).sort((a, b) => weight[b] - weight[a] || a - b);
  for (const c of heaviest) {
    if (size[c] < 2) continue;
    if (bounds.exhausted || budget.spent) return { line, rough: true };
    const list = members.vertex.subarray(members.start[c], members.start[c] + size[c]);
    const wanted = layered.aside[list[0]] ? packed[c] : (wantedLine(layered, chains, list, line) ?? packed[c]);
    line[c] = Math.min(Math.max(Math.round(wanted), bounds.low[c]), bounds.high[c]);
    bounds.fix(c, line[c]);
  }
  return { line, rough: false };
}

/** Vertices by chain. @param {import("../ordering/order.js").Order} order @param {Int32Array} of @param {Int32Array} size */
function membersOf({ vertex }, of, size) {
  const start = new Int32Array(size.length + 1);
  for (let c = 0; c < size.length; c++) start[c + 1] = start[c] + size[c];
  const next = start.slice();
  const sorted = new Int32Array(vertex.length);
  for (const v of vertex) sorted[next[of[v]]++] = v;
  return { start, vertex: sorted };
}

/**
 * Where a chain would stand in packed ranks: on average, or of a line set aside, at its outermost.
 * @param {import("../layers.js").Layered} layered
 * @param {import("../ordering/order.js").Order} order
 * @param {import("./chains.js").Chains} chains
 */
function packedLines({ aside }, { middle }, { count, of, shift, size }) {
  const line = new Float64Array(count);
  const outermost = new Float64Array(count).fill(-Infinity);
  const bundled = new Uint8Array(count);
  for (let v = 0; v < middle.length; v++) {
    const at = middle[v] - shift[v];
    line[of[v]] += at / size[of[v]];
    outermost[of[v]] = Math.max(outermost[of[v]], at);
    bundled[of[v]] = aside[v];
  }
  return line.map((mean, c) => (bundled[c] ? outermost[c] : mean));
}

/**
 * The mean of what the segments to chains already placed ask for; undefined while there are none.
 * @param {import("../layers.js").Layered} layered
 * @param {import("./chains.js").Chains} chains
 * @param {Int32Array} members
 * @param {Float64Array} line
 */
function wantedLine({ up, down, upper, lower, upperAt, lowerAt }, { of, shift }, members, line) {
  let sum = 0;
  let count = 0;
  const ask = (/** @type {number} */ v, /** @type {number} */ other, /** @type {number} */ across) => {
    const placed = line[of[other]];
    if (of[other] === of[v] || Number.isNaN(placed)) return;
    sum += placed + shift[other] + across - shift[v];
    count++;
  };
  for (const v of members) {
    for (let i = up.start[v]; i < up.start[v + 1]; i++)
      ask(v, upper[up.member[i]], upperAt[up.member[i]] - lowerAt[up.member[i]]);
    for (let i = down.start[v]; i < down.start[v + 1]; i++)
      ask(v, lower[down.member[i]], lowerAt[down.member[i]] - upperAt[down.member[i]]);
  }
  return count ? sum / count : undefined;
}
