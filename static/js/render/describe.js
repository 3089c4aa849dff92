/** Items in words, for screen readers. */
import { decimal } from "../base/numbers.js";
import { groupTexts } from "../model/texts.js";

/**
 * @typedef {import("./drawing.js").Drawing} Drawing
 * @typedef {import("./drawing.js").GraphModel} GraphModel
 * @typedef {import("./drawing.js").GroupTree} GroupTree
 * @typedef {{text: string, look: "" | "is-type" | "is-detail"}} TipLine
 */

const MOST_NAMES = 3;

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${decimal(count)} ${noun}${count === 1 ? "" : "s"}`;

/** @param {readonly string[]} names @returns {string} the first of them, and how many more */
export function list(names) {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/**
 * One sentence on a node: what it is, its value, what it reads, who reads it, where it belongs.
 * @param {GraphModel} model
 * @param {number} node
 * @returns {string}
 */
export function describeNode(model, node) {
  const names = (/** @type {number[]} */ nodes) => list(nodes.map((each) => model.name[each]));
  const sources = model.sourcesOf(node);
  const users = model.usersOf(node);
  const path = model.modulePathOf(node);
  const parts = [
    `${model.name[node]}, ${model.kindOf(node)} ${model.labelOf(node)}`,
    model.typeOf(node),
    sources.length ? `reads ${names(sources)}` : "reads nothing",
    users.length ? `read by ${names(users)}` : "read by nothing",
    path && `in ${path}`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

/** @param {GroupTree} tree @param {number} group @param {boolean} open @returns {string} */
export function describeGroup(tree, group, open) {
  const { title, detail } = groupTexts(tree, group);
  return `Group ${title}, ${detail}, ${open ? "open" : "closed"}.`;
}
