/** The heaviest subsequence that never descends. */

/**
 * @param {readonly number[]} order whole numbers from 0 @param {readonly number[]} weight positive
 * @returns {number[]} indices, ascending; O(n log n)
 */
export function heaviestChain(order, weight) {
  const size = order.reduce((most, value) => Math.max(most, value + 1), 0);
  const best = new Best(size);
  const before = new Int32Array(order.length);
  const total = new Float64Array(order.length);
  let end = -1;
  for (let i = 0; i < order.length; i++) {
    const last = best.upTo(order[i], total);
    before[i] = last;
    total[i] = weight[i] + (last < 0 ? 0 : total[last]);
    best.put(order[i], i, total);
    if (end < 0 || total[i] > total[end]) end = i;
  }
  const chain = [];
  for (let i = end; i >= 0; i = before[i]) chain.push(i);
  return chain.reverse();
}

/** A Fenwick tree of the heaviest chains by the value they end with. */
class Best {
  /** @param {number} size */
  constructor(size) {
    this.chain = new Int32Array(size + 1).fill(-1);
  }

  /** The heaviest chain that ends with at most `value`, by its last index, or -1. @param {number} value @param {Float64Array} total */
  upTo(value, total) {
    let found = -1;
    for (let at = value + 1; at > 0; at -= at & -at) {
      const each = this.chain[at];
      if (each >= 0 && (found < 0 || total[each] > total[found])) found = each;
    }
    return found;
  }

  /** @param {number} value @param {number} index @param {Float64Array} total */
  put(value, index, total) {
    for (let at = value + 1; at < this.chain.length; at += at & -at)
      if (this.chain[at] < 0 || total[index] > total[this.chain[at]]) this.chain[at] = index;
  }
}
