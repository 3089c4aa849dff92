/** The interval that the chains placed so far leave to every other chain. */

import { rowsOf } from "../../../base/rows.js";
import { distance } from "../problem.js";

/**
 * Captured graphs take below 10 steps per pair of neighbours. A random graph of 100,000 nodes would take 23,000 and minutes;
 * there the rest of its chains may bend (the last one fixed still had a true interval).
 */
const STEPS_PER_PAIR = 30;

export class Bounds {
  /**
   * @param {import("../layers.js").Layered} layered
   * @param {import("../ordering/order.js").Order} order
   * @param {import("./chains.js").Chains} chains
   */
  constructor(layered, { start, vertex }, { count, of, shift }) {
    this.low = new Float64Array(count).fill(-Infinity);
    this.high = new Float64Array(count).fill(Infinity);
    /** Neighbours in some rank: this chain must stay that far left of the other. */
    this.left = new Int32Array(vertex.length);
    this.right = new Int32Array(vertex.length);
    this.apart = new Float64Array(vertex.length);
    let pairs = 0;
    for (let r = 0; r < layered.ranks; r++) {
      for (let i = start[r] + 1; i < start[r + 1]; i++) {
        const a = vertex[i - 1];
        const b = vertex[i];
        this.left[pairs] = of[a];
        this.right[pairs] = of[b];
        this.apart[pairs++] = shift[a] + distance(layered, a, b) - shift[b];
      }
    }
    this.toRight = rowsOf(count, this.left.subarray(0, pairs));
    this.toLeft = rowsOf(count, this.right.subarray(0, pairs));
    this.stepsLeft = STEPS_PER_PAIR * (pairs + 100);
    /** @type {number[]} */
    this.queue = [];
  }

  /** Whether the time for narrowing intervals is used up; then no chain may be fixed any more. */
  get exhausted() {
    return this.stepsLeft <= 0;
  }

  /**
   * Puts a chain down and narrows the intervals of all chains beside it.
   * @param {number} c
   * @param {number} at within its interval
   */
  fix(c, at) {
    this.low[c] = this.high[c] = at;
    this.spread(c, this.toRight, this.right, this.low, 1);
    this.spread(c, this.toLeft, this.left, this.high, -1);
  }

  /**
   * @param {number} c
   * @param {import("../../../base/rows.js").Rows} rows
   * @param {Int32Array} other
   * @param {Float64Array} bound
   * @param {1 | -1} sign 1: lower bounds to the right, -1: upper bounds to the left
   */
  spread(c, { start, member }, other, bound, sign) {
    const { queue, apart } = this;
    queue.length = 0;
    queue.push(c);
    for (let head = 0; head < queue.length && !this.exhausted; head++) {
      const a = queue[head];
      this.stepsLeft -= start[a + 1] - start[a];
      for (let i = start[a]; i < start[a + 1]; i++) {
        const next = other[member[i]];
        const limit = bound[a] + sign * apart[member[i]];
        if (sign * (limit - bound[next]) <= 0) continue;
        bound[next] = limit;
        queue.push(next);
      }
    }
  }
}
