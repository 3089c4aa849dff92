/** What of a graph could be folded: for the menu that offers it, and for the details of a block. */

import { repeatPath, spelt } from "./repeats.js";
import { viewTest } from "./views.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 *
 * @typedef {object} Row identical blocks
 * @property {string} path of the group that is drawn for all
 * @property {string} words `blocks.0 … 11`, `backward of blocks.0 … 11`
 * @property {number} times
 * @property {readonly string[]} paths of all of them
 */

/** @type {WeakMap<GraphModel, {rows: Row[], views: number}>} */
const known = new WeakMap();

/** @param {GraphModel} model as captured @returns {{rows: readonly Row[], views: number}} `views`: nodes that can be hidden as such */
export function foldFacts(model) {
  let facts = known.get(model);
  if (!facts) known.set(model, (facts = { rows: rowsOf(model), views: viewsOf(model) }));
  return facts;
}

/** The row that a group is a block of, or null. @param {GraphModel} model as captured @param {string} path */
export function rowWith(model, path) {
  return foldFacts(model).rows.find((row) => row.paths.includes(path)) ?? null;
}

/**
 * The nodes that do in their blocks what a node does in its own, in the innermost row of blocks around it; null where there is none.
 * @param {GraphModel} model as captured @param {number} node @returns {{row: Row, nodes: readonly number[]}|null}
 */
export function alikeOf(model, node) {
  for (let i = model.repeats.length - 1; i >= 0; i--) {
    const { copies } = model.repeats[i];
    const own = copies.find(({ nodes }) => nodes.some((first, k) => k % 2 === 0 && node >= first && node < first + nodes[k + 1]));
    if (!own) continue;
    const at = spelt(own.nodes).indexOf(node);
    return { row: foldFacts(model).rows[i], nodes: copies.map((copy) => spelt(copy.nodes)[at]) };
  }
  return null;
}

/** @param {GraphModel} model @returns {Row[]} */
function rowsOf({ repeats, modules }) {
  return repeats.map((row) => {
    const paths = row.copies.map(({ module }) => modules[module].path);
    const half = row.backward ? "backward:" : "";
    return {
      path: repeatPath(row, modules),
      words: `${row.backward ? "backward of " : ""}${paths[0]}${restText(paths)}`,
      times: paths.length,
      paths: paths.map((path) => half + path),
    };
  });
}

/** The rest of `blocks.0 … 11`, or of `blocks.0, 2, 5` where some are missing. @param {readonly string[]} paths of modules beside each other */
export function restText(paths) {
  const parts = paths.map((path) => path.slice(path.lastIndexOf(".") + 1));
  const last = parts[parts.length - 1];
  const gapless = Number(last) - Number(parts[0]) === parts.length - 1;
  return gapless || parts.length > 4 ? ` … ${last}` : `, ${parts.slice(1).join(", ")}`;
}

/** @param {GraphModel} model */
function viewsOf(model) {
  const isView = viewTest(model);
  let views = 0;
  for (let node = 0; node < model.count; node++) if (isView(node)) views++;
  return views;
}
