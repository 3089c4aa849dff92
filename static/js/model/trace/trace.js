/** What a trace finds in the graph it starts in, as far as that graph alone tells. */

import { ancestors, between, descendants, nodesOf } from "./reach.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("../viewhash.js").Trace} Trace
 */

/** What each way is called. */
export const WAY_TITLES = Object.freeze({
  ancestors: "Ancestors",
  descendants: "Descendants",
  between: "Paths",
  gradient: "Gradient path",
});

/** @param {Trace} trace @returns {string} the same for equal traces */
export function traceKey({ how, gid, from, to }) {
  return JSON.stringify([how, gid, from, to]);
}

/** In words: `paths from a to b`. @param {Trace} trace */
export function traceWords({ how, from, to }) {
  if (how === "between") return `paths between ${from} and ${to}`;
  return how === "gradient" ? `gradient path of ${from}` : `${how} of ${from}`;
}

/**
 * Nodes found by following the edges of the trace's own graph, ends included; none where a name is unknown or nothing connects.
 * @param {GraphModel} model the trace's graph @param {Trace} trace any but `gradient` @returns {Int32Array} ascending
 */
export function reached(model, { how, from, to }) {
  const start = model.indexOf(from);
  const end = model.indexOf(to);
  if (start < 0 || (how === "between" && end < 0)) return new Int32Array(0);
  if (how === "between") return nodesOf(between(model, start, end));
  return nodesOf((how === "ancestors" ? ancestors : descendants)(model, [start]));
}

/** @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {Uint8Array} 1: this node is among them */
export function maskOf(model, nodes) {
  const mask = new Uint8Array(model.count);
  for (let i = 0; i < nodes.length; i++) mask[nodes[i]] = 1;
  return mask;
}
