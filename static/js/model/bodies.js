// What a higher-order op and the graphs it runs have to do with each other: which node runs a body, and what a body is given.

import { OP } from "./graph.js";

/** @typedef {import("./graph.js").GraphModel} GraphModel */

/** The node that runs a body, or -1. @param {GraphModel} around @param {string} gid of the body @returns {number} */
export function runnerOf(around, gid) {
  for (const [node, gids] of around.bodies) if (gids.includes(gid)) return node;
  return -1;
}

/**
 * The node of the graph around that each input of a body stands for. torch hands operands over in order, behind what only the op
 * itself reads (the predicate of `cond`); of a `scan` the input is one slice of it at a time. Empty where the numbers do not fit.
 * @param {GraphModel} around @param {number} runner @param {GraphModel} body @returns {Map<number, number>} node of the body -> node around
 */
export function operandsOf(around, runner, body) {
  const { in: into, edges } = around;
  const given = [...into.edge.subarray(into.start[runner], into.start[runner + 1])].map((edge) => edges.src[edge]).filter((node) => !isFetched(around, node));
  const inputs = [...body.op.keys()].filter((node) => body.op[node] === OP.PLACEHOLDER);
  const own = given.length - inputs.length;
  return own === 0 || own === 1 ? new Map(inputs.map((node, at) => [node, given[own + at]])) : new Map();
}

/** Does a node only fetch the graph to run? @param {GraphModel} model @param {number} node */
function isFetched(model, node) {
  return model.op[node] === OP.GET_ATTR && model.kindOf(node) === "higher-order";
}
