/** The texts of a graph in small letters, made once for each graph. */

import { OP } from "../graph.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {{names: string[], strings: string[], paths: string[], classes: string[], files: string[], operators: Uint8Array, given: Uint8Array}} Tables
 *   `operators`: strings that name what a node calls; `given`: strings that name what comes into the graph
 */

/** @type {WeakMap<GraphModel, Tables>} */
const made = new WeakMap();

/** @param {GraphModel} model @returns {Tables} */
export function tablesOf(model) {
  const known = made.get(model);
  if (known) return known;
  const lower = (/** @type {readonly string[]} */ texts) => texts.map((each) => each.toLowerCase());
  const operators = new Uint8Array(model.strings.length);
  const given = new Uint8Array(model.strings.length);
  for (let i = 0; i < model.count; i++) {
    const called = model.op[i] > OP.GET_ATTR;
    if (called) operators[model.target[i]] = 1;
    (called ? operators : given)[model.label[i]] = 1;
  }
  const tables = {
    names: lower(model.name),
    strings: lower(model.strings),
    paths: lower(model.modules.map(({ path }) => path)),
    classes: lower(model.modules.map(({ cls }) => cls)),
    files: lower(model.lines.map(([file, line]) => `${file}:${line}`)),
    operators,
    given,
  };
  made.set(model, tables);
  return tables;
}
