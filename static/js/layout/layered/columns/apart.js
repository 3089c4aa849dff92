/**
 * Columns are placed each for itself. In one piece a line that passes a wide box keeps its distance for as far as it runs;
 * cut into columns, every column would be as wide as the widest, most of it empty. So where there are cuts, vertices are placed
 * once more, and what crosses a cut holds nothing in place.
 */

import { rowsOf } from "../../../base/rows.js";
import { GAP } from "../problem.js";

/**
 * The same vertices and segments, but nobody's neighbour is in another column.
 * @param {import("../layers.js").Layered} layered `lowerAt` is written: what was chosen for one piece is free again
 * @param {number[]} cuts the last rank of every column but the last one
 * @returns {import("../layers.js").Layered}
 */
export function apartAt(layered, cuts) {
  const { count, rank, upper, lower, lowerAt, chosen } = layered;
  const last = new Set(cuts);
  for (let s = 0; s < lowerAt.length; s++) if (!chosen[s]) lowerAt[s] = 0;
  const inside = (/** @type {Int32Array} */ ends) => ends.map((v, s) => (last.has(rank[upper[s]]) ? -1 : v));
  const apart = { ...layered, down: rowsOf(count, inside(upper)), up: rowsOf(count, inside(lower)) };
  for (let v = 0; v < layered.children; v++) if (last.has(rank[v] - 1)) enterInTheMiddle(layered, v);
  return apart;
}

/**
 * Lines from the column before come from above: one in the middle of its box, several beside each other around it.
 * @param {import("../layers.js").Layered} layered @param {number} v the box
 */
function enterInTheMiddle({ up, lowerAt, chosen, half, net }, v) {
  const lines = up.member.subarray(up.start[v], up.start[v + 1]).filter((s) => !chosen[s]);
  lines.sort((a, b) => net[a] - net[b]);
  const step = Math.min(GAP.line, (2 * Math.max(half[v] - GAP.line, 0)) / Math.max(lines.length - 1, 1));
  lines.forEach((s, i) => (lowerAt[s] = Math.round((i - (lines.length - 1) / 2) * step)));
}
