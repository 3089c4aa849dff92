/** Pass 4: two scenes as one, side by side. */

import { ITEM } from "../../base/scene/scene.js";

/** @typedef {import("../../base/scene/scene.js").Scene} Scene */

/**
 * @param {Scene} left @param {Scene} right
 * @param {{x: number, nodes: number, groups: number, edges: number}} by how far right the second comes to stand, and what its
 *   numbers of nodes, of groups but the top, and of the graph's edges follow on
 * @returns {Scene}
 */
export function joinScenes(left, right, { x, nodes, groups, edges }) {
  const first = left.items.count;
  return {
    flow: left.flow,
    width: x + right.width,
    height: Math.max(left.height, right.height),
    items: joinItems(left.items, right.items, x, { nodes, groups }),
    edges: joinEdges(left.edges, right.edges, x, first, edges),
  };
}

/** @param {Scene["items"]} a @param {Scene["items"]} b @param {number} dx @param {{nodes: number, groups: number}} by @returns {Scene["items"]} */
function joinItems(a, b, dx, by) {
  const ref = b.ref.map((value, i) => value + (b.kind[i] === ITEM.NODE ? by.nodes : by.groups - 1));
  return {
    count: a.count + b.count,
    kind: join(Uint8Array, a.kind, b.kind),
    ref: join(Int32Array, a.ref, ref),
    x: join(
      Float32Array,
      a.x,
      b.x.map((value) => value + dx),
    ),
    y: join(Float32Array, a.y, b.y),
    w: join(Float32Array, a.w, b.w),
    h: join(Float32Array, a.h, b.h),
    parent: join(Int32Array, a.parent, after(b.parent, a.count)),
    end: join(Int32Array, a.end, after(b.end, a.count)),
  };
}

/** @param {Scene["edges"]} a @param {Scene["edges"]} b @param {number} dx @param {number} items @param {number} edges @returns {Scene["edges"]} */
function joinEdges(a, b, dx, items, edges) {
  const points = b.points.map((value, i) => (i % 2 ? value : value + dx));
  return {
    count: a.count + b.count,
    from: join(Int32Array, a.from, after(b.from, items)),
    to: join(Int32Array, a.to, after(b.to, items)),
    owner: join(Int32Array, a.owner, after(b.owner, items)),
    weight: join(Uint32Array, a.weight, b.weight),
    edge: join(Int32Array, a.edge, after(b.edge, edges)),
    stub: join(Uint8Array, a.stub, b.stub),
    start: join(
      Uint32Array,
      a.start,
      b.start.subarray(1).map((value) => value + a.start[a.count]),
    ),
    points: join(Float32Array, a.points, points),
  };
}

/** @param {Int32Array} values @param {number} by @returns {Int32Array} -1 stays */
function after(values, by) {
  return values.map((value) => (value < 0 ? value : value + by));
}

/** @template {Uint8Array|Int32Array|Uint32Array|Float32Array} T @param {new (length: number) => T} Kind @param {T} a @param {T} b @returns {T} */
function join(Kind, a, b) {
  const joined = new Kind(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
