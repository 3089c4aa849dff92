/**
 * Finds nodes by words, by fields (`op:linear dtype:bf16 shape:[8, *, 64]`) and by small patterns (`layer_norm -> linear -> gelu`).
 * query.js says how a search is read, fields.js what may stand before a colon, pattern.js how patterns are found.
 */

import { FIELD_NAMES } from "./fields.js";
import { chainsOf } from "./pattern/pattern.js";
import { parseQuery } from "./query.js";
import { ranked } from "./rank.js";
import { anywhere, stepMask } from "./steps.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 *
 * @typedef {object} Found
 * @property {boolean} asked something was searched for
 * @property {readonly number[]} nodes every found node once; without a pattern the best first, else in execution order
 * @property {readonly (readonly number[])[]|null} chains the places of a pattern: one node for every step; null: none was asked for
 * @property {boolean} more there are more places than these
 */

/** @type {Found} */
const NOTHING = Object.freeze({ asked: false, nodes: [], chains: null, more: false });

/** The last search of every graph: list, canvas and address ask for the same one. @type {WeakMap<GraphModel, {text: string, found: Found}>} */
const last = new WeakMap();

/** @param {GraphModel} model @param {string} text @returns {Found} */
export function search(model, text) {
  const had = last.get(model);
  if (had?.text === text) return had.found;
  const found = find(model, text);
  last.set(model, { text, found });
  return found;
}

/** @param {GraphModel} model @param {string} text @returns {Found} */
function find(model, text) {
  const query = parseQuery(text, FIELD_NAMES);
  const [first] = query.steps;
  if (query.steps.length > 1) {
    const { chains, more } = chainsOf(model, query);
    return { asked: true, nodes: [...new Set(chains.flat())].sort((a, b) => a - b), chains, more };
  }
  if (!first || first.terms.length === 0) return NOTHING;
  const words = first.terms.flatMap(({ field, not, any }) => (field || not ? [] : any));
  return { asked: true, nodes: ranked(model, stepMask(model, first, anywhere), words), chains: null, more: false };
}

/** How many rows a list of what was found has. @param {Found} found */
export function placeCount({ nodes, chains }) {
  return (chains ?? nodes).length;
}

/** What one row of a list stands for: a node, or one for every step of a pattern. @param {Found} found @param {number} place @returns {readonly number[]} */
export function placeAt({ nodes, chains }, place) {
  return chains ? chains[place] : [nodes[place]];
}

/** @param {GraphModel} model @param {string} text @returns {readonly number[]} the found nodes, best first; none for no words */
export function searchNodes(model, text) {
  return search(model, text).nodes;
}
