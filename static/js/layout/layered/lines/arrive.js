/**
 * Pass 6: where lines enter boxes from above. Before: vertices are placed. After: `lowerAt` of every segment whose place was
 * free: a chained line in the middle, others as straight below their source as the box allows, never on one another.
 */

import { sortInPlace } from "../../../base/sort.js";
import { GAP } from "../problem.js";

/**
 * @param {import("../layers.js").Layered} layered `lowerAt` is written
 * @param {import("../placing/chains.js").Chains} chains
 * @param {Float64Array} x
 */
export function chooseArrivals({ children, up, upper, upperAt, lowerAt, chosen, half }, { straight }, x) {
  const comesFrom = (/** @type {number} */ s) => x[upper[s]] + upperAt[s];
  for (let v = 0; v < children; v++) {
    const free = up.member.subarray(up.start[v], up.start[v + 1]).filter((s) => !chosen[s]);
    if (free.length < 2 && !(free.length === 1 && !straight[free[0]])) continue;
    sortInPlace(free, (a, b) => comesFrom(a) - comesFrom(b) || straight[a] - straight[b] || a - b);
    const room = Math.max(half[v] - GAP.line, 0);
    const middle = free.findIndex((s) => straight[s] === 1);
    const wanted = Float64Array.from(free, (s) => comesFrom(s) - x[v]);
    if (middle < 0) spread(wanted, 0, free.length, -room, room);
    else {
      const step = Math.min(GAP.line, room);
      wanted[middle] = 0;
      spread(wanted, 0, middle, -room, -step);
      spread(wanted, middle + 1, free.length, step, room);
    }
    free.forEach((s, i) => (lowerAt[s] = Math.round(wanted[i])));
  }
}

/**
 * Moves ascending places into an interval, with steps of GAP.line between them, or smaller ones where there is no room.
 * @param {Float64Array} places changed in place from `from` to `to`
 * @param {number} from
 * @param {number} to
 * @param {number} low
 * @param {number} high
 */
function spread(places, from, to, low, high) {
  const step = to - from > 1 ? Math.min(GAP.line, (high - low) / (to - from - 1)) : 0;
  for (let i = from; i < to; i++) places[i] = Math.max(places[i], i > from ? places[i - 1] + step : low);
  for (let i = to - 1; i >= from; i--) places[i] = Math.min(places[i], i < to - 1 ? places[i + 1] - step : high);
}
