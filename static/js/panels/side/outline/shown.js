// What the active pane draws, for the outline: of a graph what is drawn of it and which groups are open there; of a mirror its
// forward, whose groups are opened here alone.

import { toggled } from "../../../model/groups.js";
import { activeGraph, activeGrouping, openIn, panes, active, treeOf } from "../../../state.js";
import { drawnIn, toggleGroup } from "../../../state/trace.js";

/**
 * @typedef {import("../../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../../model/types.js").GroupTree} GroupTree
 *
 * @typedef {object} Drawn
 * @property {GraphModel} whole
 * @property {GraphModel} model what is drawn of it
 * @property {GroupTree} tree
 * @property {Uint8Array} open the same array as long as nothing opens or closes
 * @property {import("../../../model/viewhash.js").Trace|null} only
 * @property {boolean} own the drawing opens and closes with it
 * @property {(node: number) => number} drawn node of the whole graph -> node that stands for it in what is drawn, -1: none
 */

/** Open groups of trees that no pane draws. @type {WeakMap<GroupTree, Uint8Array>} */
const alone = new WeakMap();

/** @type {WeakMap<GroupTree, Uint8Array>} */
const last = new WeakMap();

/** @returns {Drawn|null} null: the active pane has no graph */
export function shownNow() {
  const whole = activeGraph();
  const pane = panes.get()[active.get()];
  if (!whole || !pane) return null;
  const found = pane.show === whole.id ? drawnIn(pane) : null;
  if (!found) {
    const tree = treeOf(whole, activeGrouping());
    return { whole, model: whole, tree, open: alone.get(tree) ?? tree.open, only: null, own: false, drawn: (node) => node };
  }
  const { model, part } = found;
  const tree = treeOf(model, pane.by);
  const drawn = (/** @type {number} */ node) => {
    const own = part && node >= 0 ? part.part[node] : node;
    return own < 0 || !model.stand ? own : model.stand[own];
  };
  return { whole, model, tree, open: settled(tree, openIn(pane, model)), only: pane.only, own: true, drawn };
}

/** The array of last time where it is equal. @param {GroupTree} tree @param {Uint8Array} open */
function settled(tree, open) {
  const had = last.get(tree);
  if (had && had.every((value, group) => value === open[group])) return had;
  last.set(tree, open);
  return open;
}

/** @param {Drawn} drawn @param {number} group */
export function toggleShown({ model, tree, open, own }, group) {
  if (own) toggleGroup(model.id, tree.path[group]);
  else alone.set(tree, toggled(tree, open, group));
}
