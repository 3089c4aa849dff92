/** Segments below a rank, from left to right. */

import { sortInPlace } from "../../base/sort.js";

/** @type {Int32Array} */
let buffer = new Int32Array(256);

/**
 * By upper vertex, then by lower vertex. The answer is a view into one shared buffer: use it before the next call.
 * @param {import("./layers.js").Layered} layered
 * @param {import("./ordering/order.js").Order} order
 * @param {number} r upper rank
 * @returns {Int32Array}
 */
export function sortedSegments({ down, lower, upperAt, segments }, { start, vertex, position }, r) {
  if (buffer.length < segments) buffer = new Int32Array(segments);
  const compare = (/** @type {number} */ a, /** @type {number} */ b) =>
    upperAt[a] - upperAt[b] || position[lower[a]] - position[lower[b]];
  let length = 0;
  for (let i = start[r]; i < start[r + 1]; i++) {
    const first = length;
    for (let k = down.start[vertex[i]]; k < down.start[vertex[i] + 1]; k++) buffer[length++] = down.member[k];
    if (length - first > 1) sortInPlace(buffer.subarray(first, length), compare);
  }
  return buffer.subarray(0, length);
}
