/**
 * Places what is not placed yet, rank by rank: as near as possible, in least squares, to the mean of its neighbours above and
 * below, in the given order and at the least distances. This is pool-adjacent-violators: neighbours that want to overlap
 * move as one block.
 */

import { distance } from "../problem.js";

/** Down, up, and down again: the first sweep does not know what is below. */
const SWEEPS = 3;

/** Against this weight, no number of others moves a vertex that is fixed by so much that rounding would show it. */
const FIXED = 1e9;

/**
 * @param {import("../layers.js").Layered} layered @param {import("../ordering/order.js").Order} order
 * @param {Float64Array} fixed middle of every vertex that stays; NaN for the others
 * @returns {Float64Array} whole numbers
 */
export function fillRanks(layered, order, fixed) {
  const x = fixed.slice();
  const pool = new Pool(layered, order);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let k = 0; k < layered.ranks; k++) {
      const r = sweep % 2 ? layered.ranks - 1 - k : k;
      pool.solve(r, fixed, x);
    }
  }
  return x.map(Math.round);
}

class Pool {
  /** @param {import("../layers.js").Layered} layered @param {import("../ordering/order.js").Order} order */
  constructor(layered, order) {
    this.layered = layered;
    this.order = order;
    let longest = 0;
    for (let r = 0; r < layered.ranks; r++) longest = Math.max(longest, order.start[r + 1] - order.start[r]);
    this.packed = new Float64Array(longest);
    this.sum = new Float64Array(longest);
    this.weight = new Float64Array(longest);
    this.size = new Int32Array(longest);
  }

  /** @param {number} r @param {Float64Array} fixed @param {Float64Array} x changed in place */
  solve(r, fixed, x) {
    const { vertex, start } = this.order;
    if (!vertex.subarray(start[r], start[r + 1]).some((v) => Number.isNaN(fixed[v]))) return;
    this.pack(r);
    const blocks = this.merge(r, fixed, x);
    let i = start[r];
    let k = 0;
    for (let b = 0; b < blocks; b++) {
      const mean = this.sum[b] / this.weight[b];
      for (let left = this.size[b]; left > 0; left--) x[vertex[i++]] = mean + this.packed[k++];
    }
  }

  /** Where the rank's vertices stand when each touches the next. @param {number} r */
  pack(r) {
    const { start, vertex } = this.order;
    let x = 0;
    for (let i = start[r]; i < start[r + 1]; i++) {
      if (i > start[r]) x += distance(this.layered, vertex[i - 1], vertex[i]);
      this.packed[i - start[r]] = x;
    }
  }

  /** @param {number} r @param {Float64Array} fixed @param {Float64Array} x @returns {number} blocks */
  merge(r, fixed, x) {
    const { packed, sum, weight, size } = this;
    const { start, vertex } = this.order;
    let blocks = 0;
    for (let i = start[r]; i < start[r + 1]; i++) {
      const v = vertex[i];
      const free = Number.isNaN(fixed[v]);
      const w = free ? 1 : FIXED;
      sum[blocks] = ((free ? this.wanted(v, x) : fixed[v]) - packed[i - start[r]]) * w;
      weight[blocks] = w;
      size[blocks++] = 1;
      while (blocks > 1 && sum[blocks - 2] / weight[blocks - 2] >= sum[blocks - 1] / weight[blocks - 1]) {
        blocks--;
        sum[blocks - 1] += sum[blocks];
        weight[blocks - 1] += weight[blocks];
        size[blocks - 1] += size[blocks];
      }
    }
    return blocks;
  }

  /**
   * The mean of its neighbours that have a place (lines set aside are none); where it stands, or would in a packed rank, when none has.
   * @param {number} v
   * @param {Float64Array} x
   */
  wanted(v, x) {
    const { up, down, upper, lower, upperAt, lowerAt, aside } = this.layered;
    let sum = 0;
    let count = 0;
    for (let i = up.start[v]; i < up.start[v + 1]; i++) {
      const s = up.member[i];
      if (aside[upper[s]] || Number.isNaN(x[upper[s]])) continue;
      sum += x[upper[s]] + upperAt[s] - lowerAt[s];
      count++;
    }
    for (let i = down.start[v]; i < down.start[v + 1]; i++) {
      const s = down.member[i];
      if (aside[lower[s]] || Number.isNaN(x[lower[s]])) continue;
      sum += x[lower[s]] + lowerAt[s] - upperAt[s];
      count++;
    }
    if (count) return sum / count;
    return Number.isNaN(x[v]) ? this.order.middle[v] : x[v];
  }
}
