/**
 * Pass 3: who stands left of whom in every rank. Before: layers. After: an order with few crossings, found by barycentre
 * sweeps down and up from execution order; the best order seen is kept.
 */

import { rowsOf } from "../../../base/rows.js";
import { sortInPlace } from "../../../base/sort.js";
import { countCrossings } from "./crossings.js";
import { GAP } from "../problem.js";

/** Four times down and up: more hardly ever finds a better order. */
const SWEEPS = 8;

/**
 * @typedef {object} Order
 * @property {Int32Array} start vertices of rank r: `vertex[start[r]]` up to `vertex[start[r + 1]]`, from left to right
 * @property {Int32Array} vertex
 * @property {Int32Array} position of every vertex in its rank
 * @property {Float64Array} middle about where every vertex would stand, packed
 * @property {boolean} rough no time was left for all sweeps
 */

/**
 * @param {import("../layers.js").Layered} layered @param {import("../../budget.js").Budget} budget
 * @returns {Generator<void, Order>} yields between sweeps
 */
export function* orderRanks(layered, budget) {
  const { start, member } = rowsOf(layered.ranks, layered.rank);
  const { count } = layered;
  const order = { start, vertex: member, position: new Int32Array(count), middle: new Float64Array(count), rough: false };
  const sorter = new Sorter(layered, order);
  for (let r = 0; r < layered.ranks; r++) sorter.place(r, "down");
  for (let r = 1; r < layered.ranks; r++) sorter.sort(r, "down");
  let best = { crossings: countCrossings(layered, order), vertex: order.vertex.slice() };
  for (let sweep = 0; sweep < SWEEPS && best.crossings > 0; sweep++) {
    yield;
    if (budget.spent) {
      order.rough = true;
      break;
    }
    if (sweep % 2) for (let r = 1; r < layered.ranks; r++) sorter.sort(r, "down");
    else for (let r = layered.ranks - 2; r >= 0; r--) sorter.sort(r, "up");
    const crossings = countCrossings(layered, order);
    if (crossings < best.crossings) best = { crossings, vertex: order.vertex.slice() };
  }
  order.vertex.set(best.vertex);
  for (let r = 0; r < layered.ranks; r++) sorter.place(r, "down");
  if (layered.aside.includes(1)) {
    for (let r = 0; r < layered.ranks; r++) moveAside(layered, order, r);
    for (let r = 0; r < layered.ranks; r++) centre(layered, order, r);
  }
  return order;
}

/**
 * Puts lines that are long only because ranks were wrapped to the right of everything, where they run in one bundle past the
 * rows: a line from an upper row outside those from lower rows, so that none crosses another.
 * @param {import("../layers.js").Layered} layered @param {Order} order @param {number} r
 */
function moveAside({ aside, up, upper, rank }, { vertex, start, position }, r) {
  const row = vertex.subarray(start[r], start[r + 1]);
  const moved = row.filter((v) => aside[v] === 1);
  if (moved.length === 0) return;
  const above = (/** @type {number} */ v) => upper[up.member[up.start[v]]];
  const starts = (/** @type {number} */ v) => (aside[above(v)] ? 0 : 1);
  moved.sort((a, b) => starts(b) - starts(a) || position[above(a)] - position[above(b)] || rank[b] - rank[a]);
  row.set(row.filter((v) => aside[v] === 0));
  row.set(moved, row.length - moved.length);
  row.forEach((v, i) => (position[v] = i));
}

/**
 * Packs a rank with its boxes around 0: wrapped rows stand below each other.
 * @param {import("../layers.js").Layered} layered
 * @param {Order} order
 * @param {number} r
 */
function centre({ aside, half, boxGap }, { vertex, start, middle }, r) {
  let x = 0;
  let width = 0;
  for (let i = start[r]; i < start[r + 1]; i++) {
    const v = vertex[i];
    middle[v] = x + half[v];
    x += 2 * half[v] + boxGap;
    if (!aside[v]) width = x - boxGap;
  }
  for (let i = start[r]; i < start[r + 1]; i++) middle[vertex[i]] -= width / 2;
}

/** Sorts ranks by the mean of their neighbours above ("down") or below ("up"). */
class Sorter {
  /** @param {import("../layers.js").Layered} layered @param {Order} order */
  constructor(layered, order) {
    this.layered = layered;
    this.order = order;
    this.wanted = new Float64Array(layered.count);
  }

  /** @param {number} r @param {"down" | "up"} direction */
  sort(r, direction) {
    const { order, wanted } = this;
    const { position } = order;
    const from = order.start[r];
    const to = order.start[r + 1];
    for (let i = from; i < to; i++) wanted[order.vertex[i]] = this.mean(order.vertex[i], direction);
    sortInPlace(order.vertex.subarray(from, to), (a, b) => wanted[a] - wanted[b] || position[a] - position[b]);
    this.place(r, direction);
  }

  /**
   * Where a vertex's neighbours in one direction would have it; where it stands when it has none.
   * @param {number} v
   * @param {"down" | "up"} direction
   */
  mean(v, direction) {
    const { upper, lower, upperAt, lowerAt } = this.layered;
    const { middle } = this.order;
    const { start, member } = direction === "down" ? this.layered.up : this.layered.down;
    const count = start[v + 1] - start[v];
    if (count === 0) return middle[v];
    let sum = 0;
    for (let i = start[v]; i < start[v + 1]; i++) {
      const s = member[i];
      const shift = upperAt[s] - lowerAt[s];
      sum += direction === "down" ? middle[upper[s]] + shift : middle[lower[s]] - shift;
    }
    return sum / count;
  }

  /**
   * Packs a rank in its order, shifted to where its vertices want to be.
   * @param {number} r
   * @param {"down" | "up"} direction
   */
  place(r, direction) {
    const { vertex, start, position, middle } = this.order;
    const { half } = this.layered;
    let x = 0;
    let shift = 0;
    for (let i = start[r]; i < start[r + 1]; i++) {
      const v = vertex[i];
      const wanted = this.mean(v, direction);
      position[v] = i - start[r];
      x += half[v];
      middle[v] = x;
      shift += wanted - x;
      x += half[v] + GAP.line;
    }
    shift /= Math.max(start[r + 1] - start[r], 1);
    for (let i = start[r]; i < start[r + 1]; i++) middle[vertex[i]] += shift;
  }
}
