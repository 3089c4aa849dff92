/**
 * Pass 4: the rank (row) of every item among its siblings. Before: an order of siblings. After: every edge that is not
 * reversed goes to a larger rank, a reversed one to a smaller; ranks of siblings start at 0.
 *
 * Longest paths first; then, from the bottom up, items slide down within their slack: constants and inputs to just above
 * their first user, others where that makes no line longer.
 */

import { rowsOf } from "../../base/rows.js";

/** Fewer may be the statistics that a norm hands on beside its result: those stay with it. */
const MANY_BRANCHES = 3;

/**
 * @param {import("./visible.js").Items} items
 * @param {import("./lift.js").VisibleEdges} edges
 * @param {{position: Int32Array, reversed: Uint8Array}} order
 * @returns {Int32Array} rank of every item
 */
export function siblingRanks(items, edges, { position, reversed }) {
  const upper = edges.fromChild.map((from, e) => (reversed[e] ? edges.toChild[e] : from));
  const lower = edges.toChild.map((to, e) => (reversed[e] ? edges.fromChild[e] : to));
  const sequence = new Int32Array(items.count);
  for (let item = 0; item < items.count; item++) sequence[position[item]] = item;
  const down = rowsOf(items.count, upper);
  const up = rowsOf(items.count, lower);
  const rank = new Int32Array(items.count);
  for (const item of sequence) {
    for (let i = down.start[item]; i < down.start[item + 1]; i++) {
      const below = lower[down.member[i]];
      if (rank[below] <= rank[item]) rank[below] = rank[item] + 1;
    }
  }
  slide(rank, sequence, { upper, lower, down, up });
  return fromZero(rank, items);
}

/**
 * @param {Int32Array} rank changed in place
 * @param {Int32Array} sequence
 * @param {{upper: Int32Array, lower: Int32Array, down: import("../../base/rows.js").Rows, up: import("../../base/rows.js").Rows}} graph
 */
function slide(rank, sequence, { upper, lower, down, up }) {
  const reach = new Reach(rank, upper, lower);
  const fansOut = branching(rank, sequence, { upper, lower, down, up });
  for (let k = sequence.length - 1; k >= 0; k--) {
    const item = sequence[k];
    if (down.start[item] === down.start[item + 1]) continue;
    let target = Infinity;
    for (let i = down.start[item]; i < down.start[item + 1]; i++) target = Math.min(target, rank[lower[down.member[i]]] - 1);
    if (target <= rank[item]) continue;
    let longer = false;
    for (let i = up.start[item]; i < up.start[item + 1] && !longer && !fansOut[item]; i++)
      longer = reach.without(upper[up.member[i]], item) < target;
    if (longer) continue;
    rank[item] = target;
    for (let i = up.start[item]; i < up.start[item + 1]; i++) reach.grow(upper[up.member[i]], item, target);
  }
}

/**
 * 1 for items on a branch (a chain of items with one line in and one out) of a value with at least MANY_BRANCHES branches
 * that end above their user.
 * @param {Int32Array} rank @param {Int32Array} sequence
 * @param {{upper: Int32Array, lower: Int32Array, down: import("../../base/rows.js").Rows, up: import("../../base/rows.js").Rows}} graph
 */
function branching(rank, sequence, { upper, lower, down, up }) {
  const root = new Int32Array(rank.length).fill(-1);
  const branches = new Int32Array(rank.length);
  for (const item of sequence) {
    if (up.start[item + 1] - up.start[item] !== 1 || down.start[item + 1] - down.start[item] !== 1) continue;
    const above = upper[up.member[up.start[item]]];
    root[item] = root[above] >= 0 ? root[above] : above;
    if (rank[lower[down.member[down.start[item]]]] > rank[item] + 1) branches[root[item]]++;
  }
  return Uint8Array.from(root, (above) => (above >= 0 && branches[above] >= MANY_BRANCHES ? 1 : 0));
}

/** How far down the line of every item runs: the largest rank among its users, and the largest without the farthest user. */
class Reach {
  /** @param {Int32Array} rank @param {Int32Array} upper @param {Int32Array} lower */
  constructor(rank, upper, lower) {
    this.far = new Int32Array(rank.length).fill(-1);
    this.farthest = new Int32Array(rank.length).fill(-1);
    this.second = new Int32Array(rank.length).fill(-1);
    for (let e = 0; e < upper.length; e++) this.grow(upper[e], lower[e], rank[lower[e]]);
  }

  /** @param {number} source @param {number} user @param {number} rank never smaller than before for this user */
  grow(source, user, rank) {
    if (user === this.farthest[source]) this.far[source] = Math.max(this.far[source], rank);
    else if (rank > this.far[source]) {
      this.second[source] = this.far[source];
      this.far[source] = rank;
      this.farthest[source] = user;
    } else if (rank > this.second[source]) this.second[source] = rank;
  }

  /** @param {number} source @param {number} user */
  without(source, user) {
    return user === this.farthest[source] ? this.second[source] : this.far[source];
  }
}

/** @param {Int32Array} rank @param {import("./visible.js").Items} items */
function fromZero(rank, { parent }) {
  const least = new Int32Array(rank.length + 1).fill(rank.length + 1);
  for (let item = 0; item < rank.length; item++) least[parent[item] + 1] = Math.min(least[parent[item] + 1], rank[item]);
  return rank.map((value, item) => value - least[parent[item] + 1]);
}
