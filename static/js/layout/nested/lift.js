/**
 * Pass 2: the edges between items. Before: items. After: one visible edge for all graph edges between the same two items,
 * sorted by source, each lifted to the innermost open group that holds both ends.
 */

import { Int32List } from "../../base/growable.js";
import { rowsOf } from "../../base/rows.js";

/**
 * @typedef {import("./visible.js").Items} Items
 *
 * @typedef {object} VisibleEdges
 * @property {number} count
 * @property {Int32Array} from item
 * @property {Int32Array} to item
 * @property {Int32Array} weight graph edges it stands for
 * @property {Int32Array} edge the first of them
 * @property {Int32Array} owner item of the innermost open group that holds both ends, -1 at the top
 * @property {Int32Array} fromChild item directly in the owner that is, or holds, `from`
 * @property {Int32Array} toChild
 */

/** @param {import("../../model/types.js").LayoutModel} model @param {Items} items @returns {VisibleEdges} */
export function liftEdges({ edges }, items) {
  const source = edges.src.map((node, e) => (items.ofNode[node] === items.ofNode[edges.dst[e]] ? -1 : items.ofNode[node]));
  const bySource = rowsOf(items.count, source);
  const from = new Int32List();
  const to = new Int32List();
  const weight = new Int32List();
  const edge = new Int32List();
  const known = new Int32Array(items.count).fill(-1);
  for (let item = 0; item < items.count; item++) {
    const first = from.length;
    for (let i = bySource.start[item]; i < bySource.start[item + 1]; i++) {
      const target = items.ofNode[edges.dst[bySource.member[i]]];
      if (target < 0) continue;
      if (known[target] >= first) weight.data[known[target]]++;
      else {
        known[target] = from.push(item);
        to.push(target);
        weight.push(1);
        edge.push(bySource.member[i]);
      }
    }
  }
  return {
    count: from.length,
    from: from.view(),
    to: to.view(),
    weight: weight.view(),
    edge: edge.view(),
    ...owners(items, from.view(), to.view()),
  };
}

/** @param {Items} items @param {Int32Array} from @param {Int32Array} to */
function owners({ parent, depth }, from, to) {
  const owner = new Int32Array(from.length);
  const fromChild = new Int32Array(from.length);
  const toChild = new Int32Array(from.length);
  for (let e = 0; e < from.length; e++) {
    let a = from[e];
    let b = to[e];
    while (depth[a] > depth[b]) a = parent[a];
    while (depth[b] > depth[a]) b = parent[b];
    while (parent[a] !== parent[b]) {
      a = parent[a];
      b = parent[b];
    }
    owner[e] = parent[a];
    fromChild[e] = a;
    toChild[e] = b;
  }
  return { owner, fromChild, toChild };
}
