/** The texts of node and group boxes. Layout sizes boxes by them and render draws exactly them. */

import { decimal } from "../base/numbers.js";

/**
 * @typedef {import("./types.js").LayoutModel} LayoutModel
 * @typedef {import("./types.js").GroupTree} GroupTree
 *
 * @typedef {object} Row a line below a node's label and type
 * @property {"folded" | "body" | "output" | "into" | "more"} look a folded node; a graph that the node runs; one of its several outputs; what
 *   its value is written into, or is the gradient of; how many more there are
 * @property {string} text
 * @property {number} node the folded node, or the one written into; -1: none
 * @property {string} gid of a body, else ""
 * @property {number} output index of an output, else -1
 *
 * @typedef {object} NodeTexts
 * @property {string} label
 * @property {string} type "" when the node has no value, or its outputs have rows
 * @property {readonly Row[]} rows folded nodes, bodies, outputs, what is written into: of each kind all, or four and "+n more"
 * @property {readonly string[]} chips the texts of the rows
 */

/** More lines would make a box with 12 LSTM weights taller than a screen; the details panel lists them all. */
export const MAX_CHIPS = 4;

/** torch's own operators run at most three bodies. */
const MAX_BODIES = 8;

/** Longer texts would not fit the widest box; render cuts by measured width as well. */
const MAX_CHARACTERS = 60;

/** @type {readonly never[]} */
const NONE = Object.freeze([]);

/** @param {LayoutModel} model @param {number} node @returns {NodeTexts} */
export function nodeTexts(model, node) {
  const { strings } = model;
  const outputs = outputRows(model, node);
  const rows = [...foldedRows(model, node), ...bodyRows(model, node), ...outputs, ...writtenRows(model, node)];
  return {
    label: cut(strings[model.label[node]]),
    type: outputs.length ? "" : cut(strings[model.type[node]]),
    rows: rows.length ? rows : NONE,
    chips: rows.length ? rows.map(({ text }) => text) : NONE,
  };
}

/** @param {Row["look"]} look @param {string} text @param {Partial<Row>} [more] @returns {Row} */
const row = (look, text, more) => ({ look, text: cut(text), node: -1, gid: "", output: -1, ...more });

/**
 * The first rows, and how many more there are; one row more in place of "+1 more".
 * @template T
 * @param {readonly T[]} all @param {(each: T, index: number) => Row} make @returns {Row[]}
 */
function limited(all, make) {
  if (all.length <= MAX_CHIPS + 1) return all.map(make);
  return [...all.slice(0, MAX_CHIPS).map(make), row("more", `+${all.length - MAX_CHIPS} more`)];
}

/** Fetched bodies are left out: they have rows of their own. @param {LayoutModel} model @param {number} node @returns {Row[]} */
function foldedRows(model, node) {
  const { chips } = model;
  const from = chips.start[node];
  if (from === chips.start[node + 1]) return [];
  const folded = chips.node.subarray(from, chips.start[node + 1]);
  const shown = model.bodies.has(node) ? folded.filter((chip) => !isFetchedBody(model, chip)) : folded;
  return limited([...shown], (chip) => row("folded", chipText(model, chip, node), { node: chip }));
}

/** @param {LayoutModel} model @param {number} node */
const isFetchedBody = (model, node) => model.kinds[model.kind[node]] === "higher-order";

/** @param {LayoutModel} model @param {number} node @returns {Row[]} */
function bodyRows({ bodies }, node) {
  const gids = bodies.get(node);
  return gids ? gids.slice(0, MAX_BODIES).map((gid) => row("body", gid.slice(gid.lastIndexOf("/") + 1), { gid })) : [];
}

/** The outputs of a node that has several, numbered. @param {LayoutModel} model @param {number} node @returns {Row[]} */
function outputRows({ outputs, strings }, node) {
  const types = outputs.get(node);
  if (!types || types.length < 2) return [];
  return limited(types, (type, output) => row("output", `${output} ${strings[type] || "None"}`, { output }));
}

/** What the graph returns this value for, where that has a name: state that is written, a gradient. @param {LayoutModel} model @param {number} node @returns {Row[]} */
function writtenRows(model, node) {
  const named = model.returned.get(node);
  return named ? limited(named, ({ kind, name, into }) => row("into", writtenText(kind, below(model, name, node)), { node: into })) : [];
}

/** `into running_mean`, `gradient of weight`. @param {string} kind of what is returned @param {string} name */
function writtenText(kind, name) {
  return kind === "gradient" ? `gradient of ${name}` : `into ${name}`;
}

/**
 * A folded node's own words: its dotted name below the module it is drawn in, and its type.
 * @param {LayoutModel} model @param {number} chip @param {number} user
 */
function chipText(model, chip, user) {
  const { strings } = model;
  return cut(`${below(model, strings[model.label[chip]], user)} ${strings[model.type[chip]]}`.trim());
}

/** A dotted name without the path of the module that the node is drawn in. @param {LayoutModel} model @param {string} name @param {number} node */
function below({ modules, group }, name, node) {
  const { path } = modules[group[node]];
  return path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
}

/**
 * Two lines of a closed group, or the title bar of an open one.
 * @param {GroupTree} tree @param {number} group @returns {{title: string, detail: string}}
 */
export function groupTexts(tree, group) {
  const count = tree.nodes[group];
  const parts = [
    tree.cls[group],
    tree.backward[group] ? "backward" : "",
    `${decimal(count)} ${count === 1 ? "node" : "nodes"}${tree.times[group] > 1 ? " each" : ""}`,
  ];
  return { title: cut(tree.title[group]), detail: cut(parts.filter(Boolean).join(" · ")) };
}

/** @param {string} text */
function cut(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
