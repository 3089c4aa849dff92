/** What a trace finds in the graph it starts in, as far as that graph alone tells. */

import { nodesInside } from "../kin/inside.js";
import { search } from "../search/search.js";
import { groupTree } from "../tree/grouptree.js";
import { ancestors, around, between, descendants, nodesOf } from "./reach.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("../viewhash.js").Trace} Trace
 */

/** In `from` of a neighbourhood: before the path of a group, in place of names of nodes, which have commas between. */
const GROUP = "@";

/** The furthest a neighbourhood is drawn. */
export const MOST_STEPS = 9;

/** @param {string} gid @param {readonly string[]} names @param {string|null} group its path, in place of names @returns {Trace} */
export function nearTrace(gid, names, group) {
  return { how: "near", gid, from: group === null ? names.join(",") : `${GROUP}${group}`, to: "1" };
}

/** How many edges around its nodes a trace goes; null: it does not go around. @param {Trace} trace @returns {number|null} */
export function stepsOf({ how, to }) {
  return (how === "near" || how === "found") && to !== "" ? Number(to) : null;
}

/** The same with so many steps. @param {Trace} trace @param {number} steps @returns {Trace} */
export function withSteps(trace, steps) {
  return { ...trace, to: String(Math.max(0, Math.min(MOST_STEPS, steps))) };
}

/** @param {Trace} trace @returns {string} the same for equal traces */
export function traceKey({ how, gid, from, to }) {
  return JSON.stringify([how, gid, from, to]);
}

/** In words: `paths from a to b`. @param {Trace} trace */
export function traceWords({ how, from, to }) {
  if (how === "between") return `paths between ${from} and ${to}`;
  if (how === "near") return `neighbourhood of ${startWords(from)}`;
  if (how === "found") return `nodes found by “${from}”`;
  return how === "gradient" ? `gradient path of ${from}` : `${how} of ${from}`;
}

/** @param {string} from of a neighbourhood */
function startWords(from) {
  if (from.startsWith(GROUP)) return from.slice(GROUP.length);
  const names = from.split(",");
  return names.length > 2 ? `${names.length} nodes` : names.join(" and ");
}

/**
 * Nodes found by following the edges of the trace's own graph, ends included; none where a name is unknown or nothing connects.
 * @param {GraphModel} model the trace's graph @param {Trace} trace any but `gradient`
 * @returns {Int32Array} ascending
 */
export function reached(model, trace) {
  const { how, from, to } = trace;
  if (how === "near") return nodesOf(around(model, startOf(model, from), stepsOf(trace) ?? 0));
  if (how === "found") return foundBy(model, from, stepsOf(trace));
  const start = model.indexOf(from);
  const end = model.indexOf(to);
  if (start < 0 || (how === "between" && end < 0)) return new Int32Array(0);
  if (how === "between") return nodesOf(between(model, start, end));
  return nodesOf((how === "ancestors" ? ancestors : descendants)(model, [start]));
}

/** @param {GraphModel} model @param {string} text @param {number|null} steps null: nothing but what was found */
function foundBy(model, text, steps) {
  const { nodes } = search(model, text);
  return steps === null ? Int32Array.from(nodes).sort() : nodesOf(around(model, nodes, steps));
}

/** @param {GraphModel} model @param {string} from @returns {ArrayLike<number>} */
function startOf(model, from) {
  if (!from.startsWith(GROUP)) return from.split(",").flatMap((name) => model.index.get(name) ?? []);
  const tree = groupTree(model, "op"); // has the groups of modules too
  const group = tree.path.indexOf(from.slice(GROUP.length));
  return group < 0 ? [] : nodesInside(tree, group);
}

/** @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {Uint8Array} 1: this node is among them */
export function maskOf(model, nodes) {
  const mask = new Uint8Array(model.count);
  for (let i = 0; i < nodes.length; i++) mask[nodes[i]] = 1;
  return mask;
}
