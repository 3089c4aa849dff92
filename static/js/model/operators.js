// Which operators there are among some nodes.

import { OP } from "./graph.js";

/** @typedef {import("./graph.js").GraphModel} GraphModel */

/**
 * The nodes of each operator (of each kind, where a node computes nothing), the most frequent first. Linear in the nodes:
 * the overview of a graph asks it about all of them.
 * @param {GraphModel} model @param {readonly number[]} nodes
 * @returns {[word: string, nodes: number[]][]}
 */
export function nodesByOperator(model, nodes) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const node of nodes) {
    const given = model.op[node] === OP.PLACEHOLDER || model.op[node] === OP.GET_ATTR;
    const word = given ? model.kindOf(node) : model.targetOf(node);
    const its = found.get(word);
    if (its) its.push(node);
    else found.set(word, [node]);
  }
  return [...found].sort((a, b) => b[1].length - a[1].length);
}
