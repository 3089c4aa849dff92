/**
 * Pass 1: the items of the scene. Before: a model, its group tree, which groups are open. After: items in pre-order,
 * siblings in execution order, and the item that stands for every node.
 */

import { Int32List } from "../../base/growable.js";
import { rowsOf } from "../../base/rows.js";
import { ITEM } from "../../base/scene/scene.js";

/**
 * @typedef {import("../../model/types.js").LayoutModel} LayoutModel
 * @typedef {import("../../model/types.js").GroupTree} GroupTree
 *
 * @typedef {object} Items
 * @property {number} count
 * @property {Uint8Array} kind an ITEM
 * @property {Int32Array} ref node or group index
 * @property {Int32Array} parent item of the open group around it, -1 at the top
 * @property {Int32Array} end item index after its last descendant
 * @property {Int32Array} depth
 * @property {Int32Array} ofNode item that stands for a node; -1 for folded ones
 */

/** @param {LayoutModel} model @param {GroupTree} tree @param {Uint8Array} open @returns {Items} */
export function visibleItems(model, tree, open) {
  const directRow = tree.groupOf.map((group, node) => (model.folded[node] ? -1 : group));
  const direct = rowsOf(tree.count, directRow);
  const kind = new Int32List();
  const ref = new Int32List();
  const parent = new Int32List();
  const depth = new Int32List();
  const end = new Int32List();
  const ofNode = new Int32Array(model.count).fill(-1);
  const add = (/** @type {number} */ itemKind, /** @type {number} */ itemRef, /** @type {number} */ around) => {
    kind.push(itemKind);
    ref.push(itemRef);
    parent.push(around);
    depth.push(around < 0 ? 0 : depth.data[around] + 1);
    return end.push(kind.length);
  };
  const walk = new OpenWalk(tree, direct);
  walk.enter(0, -1);
  while (walk.depth >= 0) {
    const next = walk.next();
    if (next.node >= 0) ofNode[next.node] = add(ITEM.NODE, next.node, walk.item());
    else if (next.group < 0) {
      const item = walk.item();
      if (item >= 0) end.data[item] = kind.length;
      walk.leave();
    } else if (open[next.group]) walk.enter(next.group, add(ITEM.OPEN, next.group, walk.item()));
    else hide(tree, direct, next.group, add(ITEM.CLOSED, next.group, walk.item()), ofNode);
  }
  return {
    count: kind.length,
    kind: Uint8Array.from(kind.view()),
    ref: ref.view().slice(),
    parent: parent.view().slice(),
    end: end.view().slice(),
    depth: depth.view().slice(),
    ofNode,
  };
}

/** Walks open groups depth first; merges each group's nodes and boxes in execution order. */
class OpenWalk {
  /** @param {GroupTree} tree @param {import("../../base/rows.js").Rows} direct */
  constructor(tree, direct) {
    this.tree = tree;
    this.direct = direct;
    this.depth = -1;
    /** @type {{group: number, item: number, node: number, child: number}[]} */
    this.stack = [];
    this.found = { node: -1, group: -1 };
  }

  /** @param {number} group @param {number} item */
  enter(group, item) {
    this.stack[++this.depth] = { group, item, node: this.direct.start[group], child: 0 };
  }

  leave() {
    this.depth--;
  }

  /** The item of the group that is being walked. */
  item() {
    return this.stack[this.depth].item;
  }

  /** The next node or group of the innermost group entered; neither at its end. */
  next() {
    const at = this.stack[this.depth];
    const { start, member } = this.direct;
    const groups = this.tree.children[at.group];
    const node = at.node < start[at.group + 1] ? member[at.node] : -1;
    const group = at.child < groups.length ? groups[at.child] : -1;
    const nodeFirst = node >= 0 && (group < 0 || node < this.tree.first[group]);
    this.found.node = nodeFirst ? node : -1;
    this.found.group = nodeFirst ? -1 : group;
    if (nodeFirst) at.node++;
    else at.child++;
    return this.found;
  }
}

/**
 * Lets a closed group's item stand for every node inside it.
 * @param {GroupTree} tree @param {import("../../base/rows.js").Rows} direct @param {number} group @param {number} item
 * @param {Int32Array} ofNode
 */
function hide(tree, direct, group, item, ofNode) {
  const pending = [group];
  for (let inside = pending.pop(); inside !== undefined; inside = pending.pop()) {
    for (let i = direct.start[inside]; i < direct.start[inside + 1]; i++) ofNode[direct.member[i]] = item;
    for (const child of tree.children[inside]) pending.push(child);
  }
}
