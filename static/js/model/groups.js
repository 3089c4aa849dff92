/**
 * Which groups are open. Pure functions on a `GroupTree`: a set of open groups is a `Uint8Array` with 1 at the index of
 * every open group, never changed in place. `tree.open` is how a graph opens by itself.
 */

import { groupTree } from "./tree/grouptree.js";

export { groupTree };

/** @typedef {import("./types.js").GroupTree} GroupTree */

/**
 * The set with one group opened or closed.
 * @param {GroupTree} tree @param {Uint8Array} open @param {number} group @returns {Uint8Array}
 */
export function toggled(tree, open, group) {
  const next = open.slice();
  const shown = tree.shown[group];
  if (shown > 0) next[shown] = open[shown] ? 0 : 1;
  return next;
}

/** Whether two sets are the same. @param {Uint8Array} a @param {Uint8Array} b */
export function sameOpen(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/**
 * The group around which a drawing changes: of those that opened or closed the outermost; -1 where none is farther out than
 * all others.
 * @param {GroupTree} tree @param {Uint8Array} before @param {Uint8Array} after @returns {number}
 */
export function outermostChanged(tree, before, after) {
  let found = -1;
  let least = Infinity;
  for (let group = 1; group < tree.count; group++) {
    if (before[group] === after[group] || tree.shown[group] !== group) continue;
    let depth = 0;
    for (let around = tree.box[group]; around > 0; around = tree.box[around]) depth++;
    if (depth > least) continue;
    found = depth < least ? group : -1;
    least = depth;
  }
  return found;
}

/** Everything open. @param {GroupTree} tree @returns {Uint8Array} */
export function allOpen(tree) {
  return Uint8Array.from(tree.shown, (shown, group) => (shown === group ? 1 : 0));
}

/** Everything closed but the root. @param {GroupTree} tree @returns {Uint8Array} */
export function allClosed(tree) {
  const open = new Uint8Array(tree.count);
  open[0] = 1;
  return open;
}

/**
 * The set with every group around a node opened, so that the node can be seen; `open` itself when it already can.
 * @param {GroupTree} tree @param {Uint8Array} open @param {number} node @returns {Uint8Array}
 */
export function openPathTo(tree, open, node) {
  return openGroups(tree, open, tree.shown[tree.groupOf[node]]);
}

/**
 * The set with every group around a group opened, so that its box can be seen, but not the group itself.
 * @param {GroupTree} tree @param {Uint8Array} open @param {number} group @returns {Uint8Array}
 */
export function openPathToGroup(tree, open, group) {
  const shown = tree.shown[group];
  return shown > 0 ? openGroups(tree, open, tree.box[shown]) : open;
}

/** @param {GroupTree} tree @param {Uint8Array} open @param {number} innermost @returns {Uint8Array} */
function openGroups(tree, open, innermost) {
  let next = open;
  for (let group = innermost; group > 0; group = tree.box[group]) {
    if (next[group]) continue;
    if (next === open) next = open.slice();
    next[group] = 1;
  }
  return next;
}

/** The group with this path, or the one that is drawn for it, or -1. @param {GroupTree} tree @param {string} path @returns {number} */
export function groupByPath(tree, path) {
  const own = tree.path.indexOf(path);
  return own >= 0 ? own : (tree.also.get(path) ?? -1);
}

/** In place of all paths: `opened: ["*"]` begins from everything open, `closed: ["*"]` from everything closed. */
const ALL = "*";

/**
 * How a set differs from `tree.open`, or from everything open or closed where that is said in fewer paths, for the address.
 * @param {GroupTree} tree @param {Uint8Array} open @returns {{opened: string[], closed: string[]}}
 */
export function openDifference(tree, open) {
  const differs = (/** @type {Uint8Array} */ base, /** @type {number} */ now) =>
    tree.path.filter((_, group) => group > 0 && tree.shown[group] === group && open[group] === now && base[group] !== now);
  const ways = [
    { opened: differs(tree.open, 1), closed: differs(tree.open, 0) },
    { opened: [ALL], closed: differs(allOpen(tree), 0) },
    { opened: differs(allClosed(tree), 1), closed: [ALL] },
  ];
  const paths = (/** @type {{opened: string[], closed: string[]}} */ way) => way.opened.length + way.closed.length;
  return ways.reduce((best, way) => (paths(way) < paths(best) ? way : best));
}

/**
 * The set that `openDifference` described; unknown paths are skipped.
 * @param {GroupTree} tree @param {{opened: readonly string[], closed: readonly string[]}} difference @returns {Uint8Array}
 */
export function openFrom(tree, { opened, closed }) {
  const open = opened.includes(ALL) ? allOpen(tree) : closed.includes(ALL) ? allClosed(tree) : tree.open.slice();
  const index = new Map([...tree.also, ...tree.path.map((path, group) => /** @type {[string, number]} */ ([path, group]))]);
  for (const [paths, value] of /** @type {const} */ ([
    [opened, 1],
    [closed, 0],
  ])) {
    for (const path of paths) {
      const group = tree.shown[index.get(path) ?? 0];
      if (group > 0) open[group] = value;
    }
  }
  return open;
}
