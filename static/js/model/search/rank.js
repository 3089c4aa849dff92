/**
 * Order of found nodes: better places first, then execution order. The tables of strings are searched once per word, so that
 * 100,000 nodes take a few milliseconds.
 */

import { tablesOf } from "./tables.js";

/** @typedef {import("../graph.js").GraphModel} GraphModel */

/** How good a place is: the whole field, its start, the start of a part (`scaled_dot`, `attn.qkv`), anywhere. */
const PLACE = Object.freeze({ whole: 100, start: 60, part: 40, inside: 20 });

/** How much a field tells about a node. */
const FIELD = Object.freeze({ name: 4, label: 4, target: 3, module: 2, type: 1 });

/**
 * @param {GraphModel} model @param {Uint8Array} mask 1: found @param {readonly string[]} words that were looked for, in small letters
 * @returns {number[]} the found nodes, best first, then in execution order
 */
export function ranked(model, mask, words) {
  const score = new Float64Array(model.count);
  for (const word of words) addScores(model, mask, word, score);
  const most = words.length * PLACE.whole * FIELD.name;
  const keys = new Float64Array(model.count);
  let found = 0;
  for (let i = 0; i < model.count; i++) if (mask[i]) keys[found++] = (most - score[i]) * model.count + i;
  return Array.from(keys.subarray(0, found).sort(), (key) => key % model.count);
}

/** @param {GraphModel} model @param {Uint8Array} mask @param {string} word @param {Float64Array} score added to */
function addScores(model, mask, word, score) {
  const { names, strings, paths } = tablesOf(model);
  const ofString = Uint8Array.from(strings, (text) => quality(text, word));
  const ofPath = Uint8Array.from(paths, (text) => quality(text, word));
  for (let i = 0; i < model.count; i++) {
    if (!mask[i]) continue;
    score[i] += Math.max(
      FIELD.name * quality(names[i], word),
      FIELD.label * ofString[model.label[i]],
      FIELD.target * ofString[model.target[i]],
      FIELD.type * ofString[model.type[i]],
      FIELD.module * ofPath[model.group[i]],
      model.module[i] < 0 ? 0 : FIELD.module * ofPath[model.module[i]],
    );
  }
}

/** @param {string} text @param {string} word @returns {number} 0 when it does not occur */
function quality(text, word) {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return text.length === word.length ? PLACE.whole : PLACE.start;
  for (let next = at; next > 0; next = text.indexOf(word, next + 1)) if (/[^a-z0-9]/.test(text[next - 1])) return PLACE.part;
  return PLACE.inside;
}
