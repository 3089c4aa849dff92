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

/**
 * What is at most so many edges away, whichever way they lead. Parameters and constants belong to what reads them: they are no
 * way from one reader to another.
 * @param {GraphModel} model @param {ArrayLike<number>} nodes @param {number} steps
 * @returns {Uint8Array} 1: one of the nodes, near one, or folded into one of those
 */
export function around(model, nodes, steps) {
  const near = marked(model.count, nodes);
  let rim = Array.from(nodes);
  for (let step = 0; step < steps && rim.length; step++) rim = rim.flatMap((node) => beside(model, node, near));
  for (let node = 0; node < model.count; node++) if (near[node]) for (const chip of model.chipsOf(node)) near[chip] = 1;
  return near;
}

/** @param {GraphModel} model @param {number} node @param {Uint8Array} near marks what it finds @returns {number[]} from where to go on */
function beside({ in: reads, out, edges, folded }, node, near) {
  const next = [];
  for (const [{ start, edge }, end] of /** @type {const} */ ([
    [reads, edges.src],
    [out, edges.dst],
  ])) {
    for (let k = start[node]; k < start[node + 1]; k++) {
      const other = end[edge[k]];
      if (!near[other] && !folded[other]) next.push(other);
      near[other] = 1;
    }
  }
  return next;
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
