/** Nodes, groups and whole drawings in words, for those who do not see them. */

import { decimal } from "../../base/numbers.js";
import { groupTexts } from "../texts.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("../types.js").GroupTree} GroupTree
 */

const MOST_NAMES = 3;

/** @param {number} value @param {string} noun @returns {string} */
export function counted(value, noun) {
  return `${decimal(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** @param {readonly string[]} names @returns {string} the first of them, and how many more */
export function list(names) {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** One sentence on a node: what it is, its value, what it reads, who reads it, where it belongs. @param {GraphModel} model @param {number} node @returns {string} */
export function describeNode(model, node) {
  const { is, type, links } = nodeWords(model, node);
  return `${[`${model.name[node]}, ${is}`, type, links].filter(Boolean).join("; ")}.`;
}

/** The parts of that sentence, its name left out. @param {GraphModel} model @param {number} node */
export function nodeWords(model, node) {
  const names = (/** @type {number[]} */ nodes) => list(nodes.map((each) => model.name[each]));
  const sources = model.sourcesOf(node);
  const users = model.usersOf(node);
  const path = model.modulePathOf(node);
  const links = [
    sources.length ? `reads ${names(sources)}` : "reads nothing",
    users.length ? `read by ${names(users)}` : "read by nothing",
    path && `in ${path}`,
  ];
  return {
    is: `${model.kindOf(node)} ${model.labelOf(node)}`,
    type: model.typeOf(node),
    links: links.filter(Boolean).join("; "),
  };
}

/** @param {GroupTree} tree @param {number} group @param {boolean} open @returns {string} */
export function describeGroup(tree, group, open) {
  const { title, detail } = groupTexts(tree, group);
  return `Group ${title}, ${detail}, ${open ? "open" : "closed"}.`;
}

/**
 * What is drawn of a graph, in one sentence.
 * @param {GraphModel} model that is drawn @param {GroupTree} tree @param {Uint8Array} open @param {string} only the trace of which alone it draws the nodes; "": everything
 */
export function describeDrawing(model, tree, open, only) {
  let [groups, opened] = [0, 0];
  for (let group = 1; group < tree.count; group++) {
    if (tree.shown[group] !== group) continue;
    groups++;
    opened += open[group];
  }
  const what = only ? `the ${only}, ${counted(model.count, "node")}` : counted(model.count, "node");
  return `${model.id}: ${what}${groups ? `; ${decimal(opened)} of ${counted(groups, "group")} open` : ""}.`;
}
