/**
 * Pass 4: which vertices stand exactly below each other. Before: an order. After: chains, each a run of neighbouring ranks
 * with one vertex in each; chains never cross. The longest path of real nodes is the spine.
 *
 * Every vertex wishes for the segment below it that leads to the longest path; the wishes make trees, which grow downwards
 * into their roots. A vertex that several wish for takes the one with the deepest tree: so every longest path is one chain.
 */

import { sortedSegments } from "../segments.js";

/**
 * @typedef {object} Chains
 * @property {number} count
 * @property {Int32Array} size vertices of every chain
 * @property {Int32Array} of chain of every vertex
 * @property {Float64Array} shift of every vertex from its chain's line
 * @property {Float64Array} weight the heaviest chain is placed first
 * @property {Uint8Array} straight by segment: 1: inside a chain
 */

/**
 * A line that enters every open group on the left and leaves it on the right would carry a hundred of them off sideways: a
 * box this far from its chain's line is put back on it, at the cost of a bend.
 */
const MAX_DRIFT = 200;

/** What a child, and a dummy, adds to the length of a chain. */
const CHILD = 3;
const DUMMY = 1;

/** @param {import("../layers.js").Layered} layered @param {import("../ordering/order.js").Order} order @returns {Chains} */
export function findChains(layered, order) {
  const { upper, lower, upperAt, lowerAt, segments, count, children, aside } = layered;
  const above = deepest(layered, order, wishes(layered, order));
  const straight = new Uint8Array(segments);
  for (let r = 0; r + 1 < layered.ranks; r++) {
    const agreed = sortedSegments(layered, order, r).filter(
      (s) => above[lower[s]] === s && aside[upper[s]] === aside[lower[s]],
    );
    const weights = agreed.map((s) => segmentWeight(layered, s));
    for (const s of heaviestUncrossed(agreed, weights, (s) => order.position[lower[s]])) straight[s] = 1;
  }
  const of = new Int32Array(count).fill(-1);
  const shift = new Float64Array(count);
  const length = [];
  const size = [];
  for (const v of order.vertex) {
    const s = above[v];
    if (s >= 0 && straight[s]) {
      of[v] = of[upper[s]];
      const exact = shift[upper[s]] + upperAt[s] - lowerAt[s];
      shift[v] = Math.abs(exact) > MAX_DRIFT ? 0 : exact;
    } else {
      of[v] = length.push(0) - 1;
      size.push(0);
    }
    // Lines set aside come after everything that wants to be somewhere.
    length[of[v]] += v < children ? CHILD : aside[v] ? 1 / count : DUMMY;
    size[of[v]]++;
  }
  return { count: length.length, size: Int32Array.from(size), of, shift, weight: Float64Array.from(length), straight };
}

/**
 * The segment below every vertex that it would like straight, or -1: the one from which the longest path goes on (so an
 * operator comes before the line that skips it); of several equal ones the middle one. A trunk goes on as a trunk.
 * @param {import("../layers.js").Layered} layered @param {import("../ordering/order.js").Order} order
 */
function wishes({ down, lower, below, ends, count }, { position }) {
  const wish = new Int32Array(count).fill(-1);
  for (let v = 0; v < count; v++) {
    let most = -1;
    /** @type {number[]} */
    let best = [];
    for (let i = down.start[v]; i < down.start[v + 1]; i++) {
      const s = down.member[i];
      const value = v >= ends && lower[s] >= ends ? Infinity : below[s];
      if (value > most) {
        most = value;
        best = [];
      }
      if (value === most) best.push(s);
    }
    if (best.length > 2) best.sort((a, b) => position[lower[a]] - position[lower[b]]);
    if (best.length) wish[v] = best[(best.length - 1) >> 1];
  }
  return wish;
}

/**
 * Of the segments that wish for a vertex the one to which the longest path comes; of equal ones the one with the deepest tree
 * above it, counted in children, then the middle one; or -1.
 * @param {import("../layers.js").Layered} layered
 * @param {import("../ordering/order.js").Order} order
 * @param {Int32Array} wish
 */
function deepest({ up, upper, above, children, count }, { vertex, position }, wish) {
  const chosen = new Int32Array(count).fill(-1);
  const depth = new Int32Array(count);
  for (const v of vertex) {
    const asked = [];
    for (let i = up.start[v]; i < up.start[v + 1]; i++)
      if (wish[upper[up.member[i]]] === up.member[i]) asked.push(up.member[i]);
    const longest = asked.reduce((found, s) => Math.max(found, above[s]), 0);
    const main = asked.filter((s) => above[s] === longest);
    const most = main.reduce((found, s) => Math.max(found, depth[upper[s]]), 0);
    const best = main.filter((s) => depth[upper[s]] === most).sort((a, b) => position[upper[a]] - position[upper[b]]);
    if (best.length) chosen[v] = best[(best.length - 1) >> 1];
    depth[v] = most + (v < children ? 1 : 0);
  }
  return chosen;
}

/** @param {import("../layers.js").Layered} layered @param {number} s */
function segmentWeight({ upper, lower, above, below, children, ends }, s) {
  const u = upper[s];
  const l = lower[s];
  if (u < children && l < children) return 10 + above[s] + below[s];
  return u >= ends && l >= ends ? 6 : 3;
}

/**
 * Of segments sorted by their upper ends, all different, those of the greatest total weight that do not cross: the heaviest
 * increasing subsequence of their lower ends.
 * @param {Int32Array} segments @param {Int32Array} weights @param {(s: number) => number} lowerPosition
 * @returns {number[]}
 */
export function heaviestUncrossed(segments, weights, lowerPosition) {
  const positions = Array.from(segments, lowerPosition);
  const size = positions.reduce((most, each) => Math.max(most, each), 0) + 1;
  const bestAt = new Int32Array(size + 1).fill(-1); // Fenwick tree of maxima: the best run that ends at or before a position
  const total = new Float64Array(segments.length);
  const before = new Int32Array(segments.length);
  let best = -1;
  for (let k = 0; k < segments.length; k++) {
    before[k] = -1;
    for (let i = positions[k]; i > 0; i -= i & -i) {
      if (bestAt[i] >= 0 && (before[k] < 0 || total[bestAt[i]] > total[before[k]])) before[k] = bestAt[i];
    }
    total[k] = weights[k] + (before[k] < 0 ? 0 : total[before[k]]);
    for (let i = positions[k] + 1; i <= size; i += i & -i) if (bestAt[i] < 0 || total[bestAt[i]] < total[k]) bestAt[i] = k;
    if (best < 0 || total[k] > total[best]) best = k;
  }
  const kept = [];
  for (let k = best; k >= 0; k = before[k]) kept.push(segments[k]);
  return kept;
}
