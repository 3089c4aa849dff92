/**
 * Pass 3: an order of siblings. Before: lifted edges, which may run in circles between groups. After: `position`, distinct
 * among siblings; an edge whose source stands behind its target is `reversed`: it will be drawn upwards.
 *
 * Kahn's algorithm over all groups at once (edges join siblings only), ties by execution order; a circle is broken at its
 * item that executes first.
 */

import { rowsOf } from "../../base/rows.js";

/**
 * @param {number} count items; item order is execution order among siblings
 * @param {import("./lift.js").VisibleEdges} edges
 * @returns {{position: Int32Array, reversed: Uint8Array}}
 */
export function siblingOrder(count, { fromChild, toChild }) {
  const out = rowsOf(count, fromChild);
  const waiting = new Int32Array(count);
  for (let e = 0; e < toChild.length; e++) waiting[toChild[e]]++;
  const position = new Int32Array(count).fill(-1);
  const ready = new MinHeap(count);
  for (let item = 0; item < count; item++) if (waiting[item] === 0) ready.push(item);
  let unplaced = 0;
  for (let placed = 0; placed < count; ) {
    if (ready.length === 0) {
      while (position[unplaced] >= 0) unplaced++;
      ready.push(unplaced);
    }
    const item = ready.pop();
    if (position[item] >= 0) continue;
    position[item] = placed++;
    for (let i = out.start[item]; i < out.start[item + 1]; i++) {
      const target = toChild[out.member[i]];
      if (--waiting[target] === 0 && position[target] < 0) ready.push(target);
    }
  }
  const reversed = Uint8Array.from(fromChild, (from, e) => (position[from] > position[toChild[e]] ? 1 : 0));
  return { position, reversed };
}

/** The smallest of some integers first. */
class MinHeap {
  /** @param {number} capacity */
  constructor(capacity) {
    this.data = new Int32Array(capacity + 1);
    this.length = 0;
  }

  /** @param {number} value */
  push(value) {
    const { data } = this;
    let at = this.length++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (data[above] <= value) break;
      data[at] = data[above];
      at = above;
    }
    data[at] = value;
  }

  /** @returns {number} */
  pop() {
    const { data } = this;
    const least = data[0];
    const last = data[--this.length];
    let at = 0;
    for (let below = 1; below < this.length; below = 2 * at + 1) {
      if (below + 1 < this.length && data[below + 1] < data[below]) below++;
      if (data[below] >= last) break;
      data[at] = data[below];
      at = below;
    }
    data[at] = last;
    return least;
  }
}
