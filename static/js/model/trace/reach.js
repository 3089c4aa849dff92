/**
 * What computes a node, what it goes into, and what lies between two. A graph's nodes stand in execution order, so one walk
 * along that order finds each: linear in the edges, nothing recursive.
 */

/** @typedef {import("../graph.js").GraphModel} GraphModel */

/** @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {Uint8Array} 1: one of the nodes, or needed to compute one */
export function ancestors({ count, in: { start, edge }, edges: { src } }, nodes) {
  const reached = marked(count, nodes);
  for (let i = count - 1; i >= 0; i--) {
    if (!reached[i]) continue;
    for (let k = start[i]; k < start[i + 1]; k++) reached[src[edge[k]]] = 1;
  }
  return reached;
}

/** @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {Uint8Array} 1: one of the nodes, or computed from one */
export function descendants({ count, out: { start, edge }, edges: { dst } }, nodes) {
  const reached = marked(count, nodes);
  for (let i = 0; i < count; i++) {
    if (!reached[i]) continue;
    for (let k = start[i]; k < start[i + 1]; k++) reached[dst[edge[k]]] = 1;
  }
  return reached;
}

/**
 * All paths from one node to another, whichever of the two comes first.
 * @param {GraphModel} model @param {number} a @param {number} b @returns {Uint8Array} 1: on a path, ends included; all 0: there is none
 */
export function between(model, a, b) {
  const down = descendants(model, [Math.min(a, b)]);
  const up = ancestors(model, [Math.max(a, b)]);
  for (let i = 0; i < model.count; i++) down[i] &= up[i];
  return down;
}

/** @param {Uint8Array} mask @returns {Int32Array} the marked nodes, ascending */
export function nodesOf(mask) {
  let count = 0;
  for (let i = 0; i < mask.length; i++) count += mask[i];
  const found = new Int32Array(count);
  for (let i = 0, at = 0; i < mask.length; i++) if (mask[i]) found[at++] = i;
  return found;
}

/** @param {number} count @param {ArrayLike<number>} nodes */
function marked(count, nodes) {
  const mask = new Uint8Array(count);
  for (let i = 0; i < nodes.length; i++) mask[nodes[i]] = 1;
  return mask;
}
