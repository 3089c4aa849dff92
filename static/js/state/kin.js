// The kin of what is selected, and of what the pointer is over, in any graph: for the canvases, the source, the text, the details.

import { nodesInside } from "../model/kin/inside.js";
import { kinBetween } from "../model/kin/kin.js";
import { NO_KIN } from "../model/kin/links.js";
import { Atom, active, graphs, hovered, panes, select, selectedIn, selection, showIn, treeWith } from "../state.js";

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../model/kin/links.js").Kin} Kin
 * @typedef {import("../model/kin/links.js").Links} Links
 *
 * @typedef {object} Found the kin of the selection in one graph
 * @property {Kin} kin
 * @property {number} from how many nodes are selected
 * @property {"links"|"waiting"|"lost"} by the links; the source line, as long as they are not here; or as they could not be had
 */

/** Links of pairs of graphs, by `pairKey`; null: they could not be had. @type {Atom<ReadonlyMap<string, Links|null>>} */
export const links = new Atom(/** @type {ReadonlyMap<string, Links|null>} */ (new Map()));
/** Graphs, beside those in the panes, to which the links of the selection's graph are wanted. @type {Atom<readonly string[]>} */
export const wanted = new Atom(/** @type {readonly string[]} */ ([]));

/** The same for both orders. @param {string} a GID @param {string} b GID */
export function pairKey(a, b) {
  return a <= b ? `${a} ${b}` : `${b} ${a}`;
}

/** @param {string} a GID @param {string} b GID @returns {Links|null|undefined} undefined: not here yet; null: not to be had */
export function linksOf(a, b) {
  return links.get().get(pairKey(a, b));
}

/** @type {WeakMap<GraphModel, {selection: unknown, nodes: readonly number[]}>} */
const chosen = new WeakMap();

/** The selected nodes of a graph, those of a selected group too. @param {GraphModel} model @returns {readonly number[]} */
export function chosenIn(model) {
  const now = selection.get();
  if (now?.gid !== model.id) return [];
  const had = chosen.get(model);
  if (had?.selection === now) return had.nodes;
  const nodes = now.group === null ? selectedIn(model) : insideOf(model, now.group);
  chosen.set(model, { selection: now, nodes });
  return nodes;
}

/** @param {GraphModel} model @param {string} path */
function insideOf(model, path) {
  const tree = treeWith(model, path);
  const group = tree.path.indexOf(path);
  return group < 0 ? [] : nodesInside(tree, group);
}

/** @type {WeakMap<GraphModel, {selection: unknown, links: unknown, source: unknown, found: Found|null}>} */
const found = new WeakMap();

/** The kin of the selection in a graph; null when nothing is selected, or its own graph is not here. @param {GraphModel} model @returns {Found|null} */
export function kinIn(model) {
  const now = selection.get();
  const source = now && graphs.get().get(now.gid);
  if (!now || !source) return null;
  const known = linksOf(source.id, model.id);
  const had = found.get(model);
  if (had && had.selection === now && had.links === known && had.source === source) return had.found;
  const made = foundIn(source, model, known);
  found.set(model, { selection: now, links: known, source, found: made });
  return made;
}

/** @param {GraphModel} source @param {GraphModel} model @param {Links|null|undefined} known @returns {Found|null} */
function foundIn(source, model, known) {
  const nodes = chosenIn(source);
  if (nodes.length === 0) return null;
  const kin = kinBetween(source, nodes, model, known ?? null);
  return { kin, from: nodes.length, by: known ? "links" : known === null ? "lost" : "waiting" };
}

/** What is under the pointer, in a graph: the nodes themselves, and their kin. @param {GraphModel} model @returns {Kin} */
export function previewIn(model) {
  const now = hovered.get();
  const source = now && graphs.get().get(now.gid);
  if (!now || !source) return NO_KIN;
  if (source === model) return { exact: Int32Array.from(now.nodes), line: NO_KIN.line };
  return kinBetween(source, now.nodes, model, linksOf(source.id, model.id) ?? null);
}

/** Nodes of a graph that are kin of what is looked at in another one, or the same; exact ones where there are. @param {{gid: string, nodes: number[]}} middle @param {GraphModel} model @returns {ArrayLike<number>} */
export function kinOfMiddle({ gid, nodes }, model) {
  if (gid === model.id) return nodes;
  const source = graphs.get().get(gid);
  if (!source) return NO_KIN.exact;
  const { exact, line } = kinBetween(source, nodes, model, linksOf(gid, model.id) ?? null);
  return exact.length ? exact : line;
}

/** Sets what the pointer is over; an empty list is nothing. @param {string} gid @param {readonly number[]} nodes */
export function hover(gid, nodes) {
  const now = hovered.get();
  if (nodes.length === 0) hovered.set(null);
  else if (now?.gid !== gid || now.nodes.join() !== nodes.join()) hovered.set({ gid, nodes });
}

/** Calls back whenever the kin of the selection may be others. @param {() => void} listener */
export function onKin(listener) {
  for (const each of [selection, links, graphs]) each.subscribe(listener);
}

/** Goes to nodes of a graph by number: in the pane that shows it, else in the active one. @param {string} gid @param {ArrayLike<number>} nodes */
export function openNodes(gid, nodes) {
  const there = panes.get().findIndex((pane) => pane.show === gid);
  if (there >= 0) active.set(there);
  else showIn(gid);
  selectNodes(gid, nodes);
}

/** Selects nodes of a graph by number, as soon as the graph is here. @param {string} gid @param {ArrayLike<number>} nodes */
export function selectNodes(gid, nodes) {
  const before = selection.get();
  const look = () => {
    const model = graphs.get().get(gid);
    if (!model) return false;
    if (selection.get() === before)
      select(
        gid,
        Array.from(nodes, (node) => model.name[node]),
      ); // something else was selected meanwhile
    return true;
  };
  if (look()) return;
  const leave = graphs.subscribe(() => {
    if (look()) leave();
  });
}
