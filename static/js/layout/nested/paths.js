/**
 * Which line of a box is the main one, seen from the whole graph: the one on the longest path. A group alone could not know
 * that the value it hands on to the next layer matters more than the gradient that it only gives to the output.
 */

import { OP } from "../../model/graph.js";

/**
 * Longest paths in the graph, counted in nodes: from an input down to every node (0: computed from parameters and constants
 * alone, which leads no line), and from a node on.
 * @param {import("../../model/types.js").LayoutModel} model
 * @returns {{depth: Int32Array, height: Int32Array}}
 */
function longestPaths({ count, edges, op, folded }) {
  const depth = Int32Array.from(op, (value, i) => (value === OP.PLACEHOLDER && !folded[i] ? 1 : 0));
  const height = new Int32Array(count).fill(1);
  // Edges come sorted by user: a node's own depth is known before an edge leaves it, and its height after the last one did.
  for (let e = 0; e < edges.count; e++) {
    const from = depth[edges.src[e]];
    if (from > 0) depth[edges.dst[e]] = Math.max(depth[edges.dst[e]], from + 1);
  }
  for (let e = edges.count - 1; e >= 0; e--) height[edges.src[e]] = Math.max(height[edges.src[e]], height[edges.dst[e]] + 1);
  return { depth, height };
}

/**
 * For every hop the longest path up from its source and down from its target.
 * @param {import("../../model/types.js").LayoutModel} model
 * @param {import("./lift.js").VisibleEdges} edges
 * @param {import("./hops.js").Hops} hops
 * @returns {{above: Int32Array, below: Int32Array}}
 */
export function pathsThroughHops(model, edges, hops) {
  const { depth, height } = longestPaths(model);
  const above = new Int32Array(hops.count);
  const below = new Int32Array(hops.count);
  for (let e = 0; e < edges.count; e++) {
    const from = depth[model.edges.src[edges.edge[e]]];
    const on = height[model.edges.dst[edges.edge[e]]];
    for (let i = hops.start[e]; i < hops.start[e + 1]; i++) {
      const hop = hops.path[i];
      above[hop] = Math.max(above[hop], hops.reversed[hop] ? 0 : from);
      below[hop] = Math.max(below[hop], hops.reversed[hop] ? 0 : on);
    }
  }
  return { above, below };
}
