/** Which nodes one step of a query allows: all its terms must hold. */

import { OP } from "../graph.js";
import { FIELDS, each } from "./fields.js";
import { tablesOf } from "./tables.js";
import { matching } from "./words.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("./query.js").Step} Step
 * @typedef {import("./query.js").Term} Term
 * @typedef {(model: GraphModel, text: string) => Uint8Array} WordMask what a plain word holds of
 */

/** @param {GraphModel} model @param {Step} step @param {WordMask} word @returns {Uint8Array} 1: the node is allowed */
export function stepMask(model, { terms }, word) {
  const mask = new Uint8Array(model.count).fill(1);
  for (const term of terms) {
    const holds = termMask(model, term, word);
    for (let i = 0; i < mask.length; i++) mask[i] &= term.not ? 1 - holds[i] : holds[i];
  }
  return mask;
}

/** @param {GraphModel} model @param {Term} term @param {WordMask} word @returns {Uint8Array} */
function termMask(model, { field, any }, word) {
  const masks = any.map((text) => (field ? FIELDS[field].mask(model, text) : word(model, text)));
  if (masks.length === 1) return masks[0];
  return each(model, (i) => masks.some((mask) => mask[i]));
}

/** Alone a word is looked for in every field. @type {WordMask} */
export function anywhere(model, text) {
  const { names, strings, paths } = tablesOf(model);
  const has = (/** @type {string} */ each) => each.includes(text);
  const ofString = Uint8Array.from(strings, (each) => (has(each) ? 1 : 0));
  const ofPath = Uint8Array.from(paths, (each) => (has(each) ? 1 : 0));
  return each(model, (i) => {
    const module = model.module[i];
    return (
      ofString[model.label[i]] ||
      ofString[model.target[i]] ||
      ofString[model.type[i]] ||
      ofPath[model.group[i]] ||
      (module >= 0 && ofPath[module]) ||
      has(names[i])
    );
  });
}

/** In a pattern a word is an operator, or the name of what comes into the graph. @type {WordMask} */
export function operator(model, text) {
  const { strings, operators, given } = tablesOf(model);
  const found = matching(
    strings,
    text,
    operators.map((used, i) => used | given[i]),
  );
  return each(model, (i) => found[model.label[i]] || (model.op[i] > OP.GET_ATTR && found[model.target[i]]));
}
