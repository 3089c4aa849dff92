/**
 * Pass 1: no rank is a kilometre wide. Before: ranks of the children. After: ranks whose boxes fit MAX_ROW_WIDTH side by
 * side (a single wider box stays), every edge still runs down.
 *
 * Where a rank is too wide, first whole parts that hang together are stacked below each other (300 parallel chains become
 * blocks of chains); what is still too wide is cut into rows.
 */

import { rowsOf } from "../../base/rows.js";

/** Two screens: wider rows need more scrolling sideways than they save downwards. */
const MAX_ROW_WIDTH = 2600;

/** More neighbours than this make a hub: what hangs together only through it can be stacked. */
const HUB = 24;

/** @param {import("./problem.js").Problem} problem @returns {Int32Array} rank of every child */
export function wrapRanks(problem) {
  if (!tooWide(problem, problem.rank)) return problem.rank;
  const stacked = stackParts(problem);
  return tooWide(problem, stacked) ? splitRows(problem, stacked) : stacked;
}

/** @param {import("./problem.js").Problem} problem @param {Int32Array} rank */
function tooWide(problem, rank) {
  return rankWidths(problem, rank).some((width) => width > MAX_ROW_WIDTH);
}

/** @param {import("./problem.js").Problem} problem @param {Int32Array} rank */
function rankWidths({ children, w, boxGap }, rank) {
  const widths = new Float64Array(rank.reduce((most, each) => Math.max(most, each + 1), 0));
  for (let v = 0; v < children; v++) widths[rank[v]] += w[v] + boxGap;
  return widths;
}

/**
 * Moves parts down so that those which start in the same rank stand in blocks of at most MAX_ROW_WIDTH.
 * @param {import("./problem.js").Problem} problem
 */
function stackParts(problem) {
  const { children, rank } = problem;
  const part = partsWithoutHubs(problem);
  const members = rowsOf(children, part);
  const lowest = rank.slice();
  /** @type {Map<number, {width: number, top: number, height: number}>} by first rank: the block that is being filled */
  const blocks = new Map();
  for (let p = 0; p < children; p++) {
    const list = members.member.subarray(members.start[p], members.start[p + 1]);
    if (list.length === 0) continue;
    const { first, height, width } = extent(problem, list);
    let block = blocks.get(first) ?? { width: 0, top: 0, height: 0 };
    if (block.width > 0 && block.width + width > MAX_ROW_WIDTH)
      block = { width: 0, top: block.top + block.height, height: 0 };
    blocks.set(first, { width: block.width + width, top: block.top, height: Math.max(block.height, height) });
    for (const v of list) lowest[v] += block.top;
  }
  return pushDown(problem, lowest);
}

/**
 * A part's first rank, number of ranks, and widest rank.
 * @param {import("./problem.js").Problem} problem
 * @param {Int32Array} list
 */
function extent({ rank, w, boxGap }, list) {
  /** @type {Map<number, number>} */
  const widths = new Map();
  for (const v of list) widths.set(rank[v], (widths.get(rank[v]) ?? 0) + w[v] + boxGap);
  let first = Infinity;
  let last = 0;
  let width = 0;
  for (const [r, each] of widths) {
    first = Math.min(first, r);
    last = Math.max(last, r);
    width = Math.max(width, each);
  }
  return { first, height: last - first + 1, width };
}

/**
 * Which children hang together when edges at hubs do not count; a part is called by its first child, a hub is a part alone.
 * @param {import("./problem.js").Problem} problem
 */
function partsWithoutHubs({ children, edges, upper, lower }) {
  const degree = new Int32Array(children);
  const inside = (/** @type {number} */ e) => upper[e] < children && lower[e] < children;
  for (let e = 0; e < edges; e++) {
    if (!inside(e)) continue;
    degree[upper[e]]++;
    degree[lower[e]]++;
  }
  const root = Int32Array.from(degree, (_, v) => v);
  const find = (/** @type {number} */ v) => {
    while (root[v] !== v) v = root[v] = root[root[v]];
    return v;
  };
  for (let e = 0; e < edges; e++) {
    if (!inside(e) || degree[upper[e]] > HUB || degree[lower[e]] > HUB) continue;
    const a = find(upper[e]);
    const b = find(lower[e]);
    root[Math.max(a, b)] = Math.min(a, b);
  }
  return root.map((_, v) => find(v));
}

/**
 * Least ranks that are at least `lowest` and let every edge run down. Children sorted by their old rank are an order of the
 * edges already.
 * @param {import("./problem.js").Problem} problem @param {Int32Array} lowest
 */
function pushDown({ children, edges, upper, lower, rank }, lowest) {
  const next = lowest.slice();
  const down = rowsOf(
    children,
    Int32Array.from(upper, (u, e) => (e < edges && u < children && lower[e] < children ? u : -1)),
  );
  const byRank = rowsOf(
    rank.reduce((most, each) => Math.max(most, each + 1), 0),
    rank,
  );
  for (const v of byRank.member) {
    for (let i = down.start[v]; i < down.start[v + 1]; i++)
      next[lower[down.member[i]]] = Math.max(next[lower[down.member[i]]], next[v] + 1);
  }
  return withoutGaps(next);
}

/**
 * Cuts ranks that are still too wide into rows, children in order.
 * @param {import("./problem.js").Problem} problem
 * @param {Int32Array} rank
 */
function splitRows(problem, rank) {
  const { w, boxGap } = problem;
  const widths = rankWidths(problem, rank);
  const byRank = rowsOf(widths.length, rank);
  const next = new Int32Array(rank.length);
  let row = 0;
  for (let r = 0; r < widths.length; r++) {
    const rows = Math.ceil(widths[r] / MAX_ROW_WIDTH);
    let filled = 0;
    for (const v of byRank.member.subarray(byRank.start[r], byRank.start[r + 1])) {
      if (filled > 0 && filled + w[v] > widths[r] / rows + boxGap) {
        row++;
        filled = 0;
      }
      next[v] = row;
      filled += w[v] + boxGap;
    }
    row++;
  }
  return next;
}

/** @param {Int32Array} rank */
function withoutGaps(rank) {
  const used = new Uint8Array(rank.reduce((most, each) => Math.max(most, each + 1), 0));
  for (const r of rank) used[r] = 1;
  const index = new Int32Array(used.length + 1);
  for (let r = 0; r < used.length; r++) index[r + 1] = index[r] + used[r];
  return rank.map((r) => index[r]);
}
