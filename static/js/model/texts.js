/** The texts of node and group boxes. Layout sizes boxes by them and render draws exactly them. */

import { decimal } from "../base/numbers.js";

/**
 * @typedef {import("./types.js").LayoutModel} LayoutModel
 * @typedef {import("./types.js").GroupTree} GroupTree
 *
 * @typedef {object} NodeTexts
 * @property {string} label
 * @property {string} type "" when the node has no value
 * @property {string[]} chips one line per folded node (from six on four, then "+n more"), then one per body
 * @property {number} bodies how many of the last chips are bodies
 */

/** More lines would make a box with 12 LSTM weights taller than a screen; the details panel lists them all. */
export const MAX_CHIPS = 4;

/** torch's own operators run at most three bodies. */
const MAX_BODIES = 8;

/** Longer texts would not fit the widest box; render cuts by measured width as well. */
const MAX_CHARACTERS = 60;

/** @param {LayoutModel} model @param {number} node @returns {NodeTexts} */
export function nodeTexts(model, node) {
  const { strings, chips } = model;
  const folded = chips.node.subarray(chips.start[node], chips.start[node + 1]);
  const kept = folded.length > MAX_CHIPS + 1 ? MAX_CHIPS : folded.length;
  const lines = [];
  for (let i = 0; i < kept; i++) lines.push(chipText(model, folded[i], node));
  if (folded.length > kept) lines.push(`+${folded.length - kept} more`);
  const bodies = (model.bodies.get(node) ?? []).slice(0, MAX_BODIES);
  for (const gid of bodies) lines.push(cut(gid.slice(gid.lastIndexOf("/") + 1)));
  return {
    label: cut(strings[model.label[node]]),
    type: cut(strings[model.type[node]]),
    chips: lines,
    bodies: bodies.length,
  };
}

/**
 * A folded node's own words: its dotted name below the module it is drawn in, and its type.
 * @param {LayoutModel} model @param {number} chip @param {number} user
 */
export function chipText(model, chip, user) {
  const { strings, modules, group } = model;
  const path = modules[group[user]].path;
  const name = strings[model.label[chip]];
  const short = path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
  return cut(`${short} ${strings[model.type[chip]]}`.trim());
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
    `${decimal(count)} ${count === 1 ? "node" : "nodes"}`,
  ];
  return { title: cut(tree.title[group]), detail: cut(parts.filter(Boolean).join(" · ")) };
}

/** @param {string} text */
function cut(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
