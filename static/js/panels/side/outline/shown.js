// What the active pane draws, for the outline: of a graph what is drawn of it and which groups are open there, of a mirror both
// halves. What is done to a row is done to the drawing.

import { isMirror, withCompared } from "../../../model/mirror/shows.js";
import { groupTexts } from "../../../model/texts.js";
import { search as find } from "../../../model/search/search.js";
import { traceWords } from "../../../model/trace/trace.js";
import { graphs, openIn, panes, active, search, select, selectGroup, selectedIn, selection, treeOf } from "../../../state.js";
import { hover } from "../../../state/kin.js";
import { drawnMirrors, openOfMirror, toggleInMirror } from "../../../state/mirror.js";
import { drawnIn, toggleGroup } from "../../../state/trace.js";

/**
 * @typedef {import("../../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../../model/types.js").GroupTree} GroupTree
 * @typedef {import("../../../model/mirror/mirror.js").MirrorModel} MirrorModel
 *
 * @typedef {object} Drawn nodes and groups have the numbers of what is drawn
 * @property {GraphModel} model
 * @property {GroupTree} tree
 * @property {Uint8Array} open the same array as long as nothing opens or closes
 * @property {string} only the trace of which alone it draws the nodes, in words; "": everything
 * @property {(group: number) => {title: string, detail: string}} texts
 * @property {() => {nodes: number[], group: number}} selected
 * @property {() => readonly number[]} found by the search
 * @property {(node: number) => void} select
 * @property {(group: number) => void} selectGroup
 * @property {(group: number) => void} toggle
 * @property {(nodes: readonly number[]) => void} hover
 */

/** @type {WeakMap<GroupTree, Uint8Array>} */
const last = new WeakMap();

/** @returns {Drawn|null} null: the active pane draws no graph, or it is not here yet */
export function shownNow() {
  const pane = panes.get()[active.get()];
  if (!pane) return null;
  if (!isMirror(pane.show)) return ofGraph(pane);
  const mirror = drawnMirrors.get().get(withCompared(pane.show, false));
  return mirror ? ofMirror(pane, mirror) : null;
}

/** @param {import("../../../state.js").PaneView} pane @returns {Drawn|null} */
function ofGraph(pane) {
  const whole = graphs.get().get(pane.show);
  const shown = drawnIn(pane);
  if (!whole || !shown) return null;
  const { model, part } = shown;
  const tree = treeOf(model, pane.by);
  /** Nodes of the graph as what stands for them in the drawing. @param {readonly number[]} nodes */
  const drawn = (nodes) =>
    nodes
      .map((node) => (part && node >= 0 ? part.part[node] : node))
      .flatMap((node) => (node < 0 ? [] : (model.stand?.[node] ?? node)));
  return {
    model,
    tree,
    open: settled(tree, openIn(pane, model)),
    only: pane.only ? traceWords(pane.only) : "",
    texts: (group) => groupTexts(tree, group),
    selected: () => ({ nodes: drawn(selectedIn(whole)), group: groupAt(tree, whole.id) }),
    found: () => (search.get().trim() ? drawn(find(whole, search.get()).nodes) : []),
    select: (node) => select(whole.id, [model.name[node]]),
    selectGroup: (group) => selectGroup(whole.id, tree.path[group]),
    toggle: (group) => toggleGroup(whole.id, tree.path[group]),
    hover: (nodes) => hover(whole.id, part ? nodes.map((node) => part.whole[node]) : nodes),
  };
}

/** @param {GroupTree} tree @param {string} gid @returns {number} the selected group, -1: none */
function groupAt(tree, gid) {
  const now = selection.get();
  return now?.gid === gid && now.group !== null ? tree.path.indexOf(now.group) : -1;
}

/** @param {import("../../../state.js").PaneView} pane @param {MirrorModel} mirror @returns {Drawn} */
function ofMirror(pane, mirror) {
  const { model, tree } = mirror;
  const open = settled(tree, openOfMirror(mirror, pane));
  return {
    model,
    tree,
    open,
    only: "",
    texts: (group) => {
      const { title, detail } = groupTexts(tree, group);
      return { title: group < mirror.groups ? title : `backward ${title}`, detail };
    },
    selected: () => {
      const now = selection.get();
      if (!now) return { nodes: [], group: -1 };
      if (now.group !== null) return { nodes: [], group: mirror.groupOf(now.gid, now.group) };
      return { nodes: now.names.map((name) => mirror.indexOf(now.gid, name)).filter((node) => node >= 0), group: -1 };
    },
    found: () => (search.get().trim() ? find(model, search.get()).nodes : []),
    select: (node) => select(mirror.nodeAt(node).gid, [mirror.nodeAt(node).name]),
    selectGroup: (group) => selectGroup(mirror.groupAt(group).gid, mirror.groupAt(group).path),
    toggle: (group) => toggleInMirror(mirror, active.get(), group),
    hover: (nodes) => {
      const [first] = nodes;
      const gid = first === undefined ? "" : mirror.nodeAt(first).gid;
      hover(
        gid,
        nodes.map((node) => mirror.nodeAt(node)).flatMap((at) => (at.gid === gid ? at.index : [])),
      );
    },
  };
}

/** The array of last time where it is equal. @param {GroupTree} tree @param {Uint8Array} open */
function settled(tree, open) {
  const had = last.get(tree);
  if (had && had.every((value, group) => value === open[group])) return had;
  last.set(tree, open);
  return open;
}
