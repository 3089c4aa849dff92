/**
 * Pass 6: which edges are too long to draw. Before: hops and ranks. After: `stub`, and `kept`: the hops that some drawn
 * edge takes. A stub is drawn as its two ends only.
 *
 * Note [Long edges]: the values that a forward pass saves for its backward run past hundreds of ranks. Drawn whole, a joint
 * graph of 10,041 nodes has 2.76 million bends, and nothing can be read for lines. So short edges come first, and at most
 * MAX_PASSING lines may pass beside the nodes of any rank; in a group of more than BIG_GROUP items no line passes more than
 * BIG_GROUP_SPAN ranks.
 */

import { PassingLines } from "../passing.js";

const BIG_GROUP = 400;
const BIG_GROUP_SPAN = 12;

/**
 * @param {import("./visible.js").Items} items
 * @param {import("./hops.js").Hops} hops
 * @param {Int32Array} rank of every item among its siblings
 * @returns {{stub: Uint8Array, kept: Uint8Array}} by visible edge, by hop
 */
export function chooseStubs(items, hops, rank) {
  const { children, ranks } = groupMeasures(items, rank);
  const top = Int32Array.from(hops.upper, (end) => (end < 0 ? -1 : rank[end]));
  const bottom = Int32Array.from(hops.lower, (end, hop) => (end < 0 ? ranks[hops.slot[hop]] : rank[end]));
  const edges = hops.start.length - 1;
  const stub = new Uint8Array(edges);
  const kept = new Uint8Array(hops.count);
  const reach = new Int32Array(hops.nets);
  for (let hop = 0; hop < hops.count; hop++) reach[hops.net[hop]] = top[hop] + 1;
  const first = runningSum(ranks);
  const lines = new PassingLines(first[ranks.length], reach);
  for (const edge of byLength(hops, top, bottom)) {
    const [from, to] = [hops.start[edge], hops.start[edge + 1]];
    let fits = true;
    for (let i = from; i < to && fits; i++) {
      const hop = hops.path[i];
      const long = children[hops.slot[hop]] > BIG_GROUP && bottom[hop] - top[hop] > BIG_GROUP_SPAN;
      fits = !long && (kept[hop] === 1 || lines.fits(hops.net[hop], bottom[hop], first[hops.slot[hop]]));
    }
    stub[edge] = fits ? 0 : 1;
    for (let i = from; i < to && fits; i++) {
      const hop = hops.path[i];
      lines.take(hops.net[hop], bottom[hop], first[hops.slot[hop]]);
      kept[hop] = 1;
    }
  }
  return { stub, kept };
}

/**
 * Where the labels of edges that are not drawn stand: 1 below an item, 2 above it, 3 both; by item.
 * @param {number} items
 * @param {import("./lift.js").VisibleEdges} edges @param {Uint8Array} reversed @param {Uint8Array} stub
 */
export function labelsOf(items, edges, reversed, stub) {
  const labels = new Uint8Array(items);
  for (let e = 0; e < edges.count; e++) {
    if (!stub[e]) continue;
    labels[edges.from[e]] |= reversed[e] ? 2 : 1;
    labels[edges.to[e]] |= reversed[e] ? 1 : 2;
  }
  return labels;
}

/**
 * By slot: how many items a group holds directly, and in how many ranks.
 * @param {import("./visible.js").Items} items
 * @param {Int32Array} rank
 */
function groupMeasures({ count, parent }, rank) {
  const children = new Int32Array(count + 1);
  const ranks = new Int32Array(count + 1);
  for (let item = 0; item < count; item++) {
    children[parent[item] + 1]++;
    ranks[parent[item] + 1] = Math.max(ranks[parent[item] + 1], rank[item] + 1);
  }
  return { children, ranks };
}

/**
 * Visible edges, those that pass the fewest ranks first.
 * @param {import("./hops.js").Hops} hops
 * @param {Int32Array} top
 * @param {Int32Array} bottom
 */
function byLength({ start, path }, top, bottom) {
  const count = start.length - 1;
  const key = new Float64Array(count);
  for (let e = 0; e < count; e++) {
    let length = 0;
    for (let i = start[e]; i < start[e + 1]; i++) length += bottom[path[i]] - top[path[i]];
    key[e] = length * count + e;
  }
  return Int32Array.from(key.sort(), (value) => value % count);
}

/** @param {Int32Array} values */
function runningSum(values) {
  const sums = new Int32Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}
