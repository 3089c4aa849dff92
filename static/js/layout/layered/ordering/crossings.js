/** Counts crossings between neighbouring ranks, in m log n by a Fenwick tree. */

import { sortedSegments } from "../segments.js";

/** @param {import("../layers.js").Layered} layered @param {import("./order.js").Order} order @returns {number} */
export function countCrossings(layered, order) {
  let crossings = 0;
  const longest = order.start.reduce((most, first, r) => (r === 0 ? most : Math.max(most, first - order.start[r - 1])), 0);
  const tree = new Int32Array(longest + 1);
  for (let r = 0; r + 1 < layered.ranks; r++) {
    const size = order.start[r + 2] - order.start[r + 1];
    tree.fill(0, 0, size + 1);
    let seen = 0;
    for (const s of sortedSegments(layered, order, r)) {
      const at = order.position[layered.lower[s]] + 1;
      let notRight = 0;
      for (let i = at; i > 0; i -= i & -i) notRight += tree[i];
      crossings += seen - notRight;
      for (let i = at; i <= size; i += i & -i) tree[i]++;
      seen++;
    }
  }
  return crossings;
}
