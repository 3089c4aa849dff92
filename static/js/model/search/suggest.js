/** What may be typed next: the values of a field that the graph has, and searches to begin with. */

import { OP } from "../graph.js";
import { FIELDS } from "./fields.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {{from: number, to: number, text: string, what: string, count: number}} Suggestion `text` goes in place of `from` up to `to`;
 *   `count`: nodes it would find, -1: not counted
 */

const MOST = 8;

/** Kinds of what comes in: most nodes are parameters, which says little of how to ask. */
const GIVEN = new Set(["input", "parameter", "buffer", "constant"]);

/** A field and what was begun after its colon, the last of several alternatives. */
const BEGUN = /(?:^|[\s>→<←-])(\w+):((?:"[^"]*"?|\[[^\]]*\]?|[^\s"[])*)$/;

/** @type {WeakMap<GraphModel, Map<string, Map<string, number>>>} */
const counted = new WeakMap();

/** How many nodes have each value of a field. @param {GraphModel} model @param {string} name @returns {Map<string, number>} the most frequent first */
function countsOf(model, name) {
  const fields = counted.get(model) ?? new Map();
  counted.set(model, fields);
  const known = fields.get(name);
  if (known) return known;
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let node = 0; node < model.count; node++)
    for (const value of new Set(FIELDS[name].values(model, node))) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = new Map([...counts].sort((a, b) => b[1] - a[1]));
  fields.set(name, sorted);
  return sorted;
}

/**
 * Values that fit what stands before the caret, where that is a field; names of fields where it is a word that begins one.
 * @param {GraphModel} model @param {string} text @param {number} caret @returns {Suggestion[]}
 */
export function suggestions(model, text, caret) {
  const before = text.slice(0, caret);
  const begun = BEGUN.exec(before);
  const field = begun && Object.hasOwn(FIELDS, begun[1].toLowerCase()) ? begun[1].toLowerCase() : "";
  if (!begun || !field) return fieldsFor(before);
  const part = begun[2].slice(begun[2].lastIndexOf("|") + 1);
  const wanted = part.toLowerCase();
  const found = [...countsOf(model, field)].filter(([value]) => value.toLowerCase().includes(wanted));
  if (found.length === 1 && found[0][0].toLowerCase() === wanted) return [];
  return found
    .slice(0, MOST)
    .map(([value, count]) => ({ from: caret - part.length, to: caret, text: quoted(value), what: field, count }));
}

/** @param {string} before @returns {Suggestion[]} */
function fieldsFor(before) {
  const [word = ""] = /[a-z]{2,}$/i.exec(before) ?? [];
  const from = before.length - word.length;
  if (word === "" || /[\w:."]/.test(before[from - 1] ?? " ")) return [];
  const names = Object.keys(FIELDS).filter((name) => name.startsWith(word.toLowerCase()));
  return names.map((name) => ({ from, to: before.length, text: `${name}:`, what: FIELDS[name].what, count: -1 }));
}

/** @param {string} value */
function quoted(value) {
  return /[\s|]/.test(value) && !/^\[[^\]]*\]$/.test(value) ? `"${value}"` : value;
}

/** Searches that find something in this graph, one for each way to ask. @param {GraphModel} model @returns {Suggestion[]} */
export function examples(model) {
  const asks = ["op", "shape", "dtype", "module", "kind"].flatMap((name) => {
    const most = [...countsOf(model, name).keys()].find((value) => !GIVEN.has(value));
    return most ? [{ from: 0, to: 0, text: `${name}:${quoted(most)}`, what: FIELDS[name].what, count: -1 }] : [];
  });
  const pattern = patternIn(model);
  const what = "a pattern: each reads the one before, over views and casts; ... for anything in between, <- the other way";
  return [...asks, ...(pattern ? [{ from: 0, to: 0, text: pattern, what, count: -1 }] : [])];
}

/** Three operators in a row that are no views. @param {GraphModel} model @returns {string} "" when there are none */
function patternIn(model) {
  const works = (/** @type {number} */ node) =>
    model.op[node] > OP.GET_ATTR &&
    model.op[node] < OP.OUTPUT &&
    !["view", "symbolic"].includes(model.kindOf(node)) &&
    /^\w+$/.test(model.labelOf(node));
  for (let node = 0; node < model.count; node++) {
    const chain = works(node) ? [node] : [];
    while (chain.length && chain.length < 3) {
      const labels = chain.map((each) => model.labelOf(each));
      const user = model.usersOf(chain[chain.length - 1]).find((each) => works(each) && !labels.includes(model.labelOf(each)));
      if (user === undefined) break;
      chain.push(user);
    }
    if (chain.length === 3) return chain.map((each) => model.labelOf(each)).join(" -> ");
  }
  return "";
}
