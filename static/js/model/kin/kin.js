/** The kin of nodes in another graph: by the links that are known, and until then by the source line they share. */

import { NO_KIN } from "./links.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("./links.js").Kin} Kin
 * @typedef {import("./links.js").Links} Links
 */

/**
 * @param {GraphModel} from @param {ArrayLike<number>} nodes of `from` @param {GraphModel} to
 * @param {Links|null} links null: not here yet, or not to be had
 * @returns {Kin} nodes of `to`; in the same graph the nodes themselves are left out
 */
export function kinBetween(from, nodes, to, links) {
  if (nodes.length === 0) return NO_KIN;
  if (from.id !== to.id) return links ? links.kinOf(from.id, nodes) : { exact: NO_KIN.exact, line: sameLine(from, nodes, to) };
  if (!links) return NO_KIN;
  const own = new Uint8Array(to.count);
  for (let i = 0; i < nodes.length; i++) own[nodes[i]] = 1;
  const { exact, line } = links.kinOf(from.id, nodes);
  return { exact: exact.filter((node) => !own[node]), line: line.filter((node) => !own[node]) };
}

/**
 * The nodes of one graph that come from the source lines of nodes of another, ascending. Linear in the two graphs.
 * @param {GraphModel} from @param {ArrayLike<number>} nodes @param {GraphModel} to @returns {Int32Array}
 */
export function sameLine(from, nodes, to) {
  const used = new Uint8Array(from.lines.length);
  for (let i = 0; i < nodes.length; i++) if (from.line[nodes[i]] >= 0) used[from.line[nodes[i]]] = 1;
  const keys = new Set(from.lines.filter((_, i) => used[i]).map(keyOf));
  const wanted = Uint8Array.from(to.lines, (line) => (keys.has(keyOf(line)) ? 1 : 0));
  const found = [];
  for (let i = 0; i < to.count; i++) if (to.line[i] >= 0 && wanted[to.line[i]]) found.push(i);
  return Int32Array.from(found);
}

/** @param {[string, number]} line */
function keyOf([file, line]) {
  return `${file}:${line}`;
}
