/**
 * Finds nodes by name, label, operator, type and module path. Every word must occur in some field; better places come first.
 * The tables of strings are searched once per word, so that 100,000 nodes take a few milliseconds.
 */

/** @typedef {import("./graph.js").GraphModel} GraphModel */

/** How good a place is: the whole field, its start, the start of a part (`scaled_dot`, `attn.qkv`), anywhere. */
const PLACE = Object.freeze({ whole: 100, start: 60, part: 40, inside: 20 });

/** How much a field tells about a node. */
const FIELD = Object.freeze({ name: 4, label: 4, target: 3, module: 2, type: 1 });

/** @type {WeakMap<GraphModel, {names: string[], strings: string[], paths: string[]}>} */
const lowered = new WeakMap();

/**
 * @param {GraphModel} model @param {string} text words in any order; letter case does not matter
 * @returns {number[]} node indices, best first, then in execution order; none for no words
 */
export function searchNodes(model, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const tables = tablesOf(model);
  const score = new Float64Array(model.count);
  const matching = new Uint8Array(model.count).fill(1);
  for (const word of words) addScores(model, tables, word, score, matching);
  const most = words.length * PLACE.whole * FIELD.name;
  const keys = new Float64Array(model.count);
  let found = 0;
  for (let i = 0; i < model.count; i++) if (matching[i]) keys[found++] = (most - score[i]) * model.count + i;
  return Array.from(keys.subarray(0, found).sort(), (key) => key % model.count);
}

/** @param {GraphModel} model */
function tablesOf(model) {
  let tables = lowered.get(model);
  if (!tables) {
    const lower = (/** @type {readonly string[]} */ texts) => texts.map((each) => each.toLowerCase());
    tables = {
      names: lower(model.name),
      strings: lower(model.strings),
      paths: lower(model.modules.map(({ path }) => path)),
    };
    lowered.set(model, tables);
  }
  return tables;
}

/**
 * @param {GraphModel} model @param {{names: string[], strings: string[], paths: string[]}} tables @param {string} word
 * @param {Float64Array} score added to @param {Uint8Array} matching set to 0 for nodes without the word
 */
function addScores(model, { names, strings, paths }, word, score, matching) {
  const ofString = Uint8Array.from(strings, (text) => quality(text, word));
  const ofPath = Uint8Array.from(paths, (text) => quality(text, word));
  for (let i = 0; i < model.count; i++) {
    if (!matching[i]) continue;
    const best = Math.max(
      FIELD.name * quality(names[i], word),
      FIELD.label * ofString[model.label[i]],
      FIELD.target * ofString[model.target[i]],
      FIELD.type * ofString[model.type[i]],
      FIELD.module * ofPath[model.group[i]],
      model.module[i] < 0 ? 0 : FIELD.module * ofPath[model.module[i]],
    );
    if (best === 0) matching[i] = 0;
    score[i] += best;
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
