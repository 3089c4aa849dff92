// The atoms of the capture page, each with one comment. Panels and canvas know nothing of each other: they read, set and
// subscribe here. Values are never changed in place: an atom tells its listeners only when it is set to another value.

import { foldedModel } from "./model/folding/folded.js";
import { fragmentsOf, parseShow, targetOf } from "./model/capture.js";
import { groupByPath, groupTree, openDifference, openFrom } from "./model/groups.js";
import { forwardOf } from "./model/mirror/shows.js";
import { DEFAULT_VIEW, paneView } from "./model/viewhash.js";

/** What those who subscribe during `catchUp` have missed; null: nobody is late. @type {(() => void)[]|null} */
let missed = null;

/** Whoever subscribes during `work` is told, once it is done, of what was set before. @param {() => void} work */
export function catchUp(work) {
  const told = (missed = /** @type {(() => void)[]} */ ([]));
  work();
  missed = null;
  for (const tell of told) tell();
}

/** @template T */
export class Atom {
  /** @param {T} value */
  constructor(value) {
    this.first = value;
    this.value = value;
    /** @type {Set<(value: T, before: T) => void>} */
    this.listeners = new Set();
  }

  get() {
    return this.value;
  }

  /** @param {T} value */
  set(value) {
    if (Object.is(value, this.value)) return;
    const before = this.value;
    this.value = value;
    for (const listener of [...this.listeners]) listener(value, before);
  }

  /** @param {(value: T, before: T) => void} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    missed?.push(() => Object.is(this.value, this.first) || !this.listeners.has(listener) || listener(this.value, this.first));
    return () => this.listeners.delete(listener);
  }
}

/**
 * @typedef {import("./model/viewhash.js").PaneView} PaneView
 * @typedef {import("./model/viewhash.js").Selection} Selection
 * @typedef {import("./model/viewhash.js").Trace} Trace
 * @typedef {import("./model/graph.js").GraphModel} GraphModel
 */

/** The capture as the API last told it; null until the first answer. @type {Atom<Api.Capture|null>} */
export const capture = new Atom(/** @type {Api.Capture|null} */ (null));
/** The event stream: idle (nothing runs), live, or lost (the browser is connecting again). */
export const stream = new Atom(/** @type {"idle"|"live"|"lost"} */ ("idle"));
/** What the person's code printed, as far as it has come. */
export const log = new Atom({ text: "", cut: 0 });
/** The submitted files; null until they are here. @type {Atom<Api.SourceFile[]|null>} */
export const files = new Atom(/** @type {Api.SourceFile[]|null} */ (null));
/** Graphs that were fetched, by GID. @type {Atom<ReadonlyMap<string, GraphModel>>} */
export const graphs = new Atom(/** @type {ReadonlyMap<string, GraphModel>} */ (new Map()));
/** The panes from left to right: what each shows, where its camera is, which groups were opened or closed by hand. */
export const panes = new Atom(/** @type {readonly PaneView[]} */ ([]));
/** Index of the pane that keys, rail and side panels act on. */
export const active = new Atom(0);
/** The selected nodes, or the selected group, of one graph. @type {Atom<Selection|null>} */
export const selection = new Atom(/** @type {Selection|null} */ (null));
/** What is followed from a node through its graph, and lit. @type {Atom<Trace|null>} */
export const trace = new Atom(/** @type {Trace|null} */ (null));
/** What the pointer is over, on a canvas or in a list: nodes of one graph. @type {Atom<{gid: string, nodes: readonly number[]}|null>} */
export const hovered = new Atom(/** @type {{gid: string, nodes: readonly number[]}|null} */ (null));
/** Whether the panes are panned and zoomed together. */
export const locked = new Atom(DEFAULT_VIEW.locked);
/** Open tab of the left side; "" when it is closed. */
export const side = new Atom(DEFAULT_VIEW.side);
/** Open tab of the drawer; "" when it is closed; `breaks.2` points at the third break. */
export const drawer = new Atom(DEFAULT_VIEW.drawer);
/** What is searched for in the active graph; "" when nothing is. */
export const search = new Atom(DEFAULT_VIEW.search);
/** Which of torch's prints the text tab shows: plain or readable. */
export const variant = new Atom(DEFAULT_VIEW.variant);
/** A source line asked for, for the source tab to go to. @type {Atom<{file: string, line: number}|null>} */
export const sourceLine = new Atom(/** @type {{file: string, line: number}|null} */ (null));
/** What the live region says, for those who do not see the page change. */
export const notice = new Atom("");
/** What everybody is told for a moment: something asked for did not happen. Set it by `tell`. */
export const told = new Atom({ words: "" });

/** Shows words for a moment, again if they are the same. @param {string} words */
export function tell(words) {
  told.set({ words });
}

/** @returns {string} what the active pane shows; "" while nothing does */
export function activeShow() {
  return panes.get()[active.get()]?.show ?? "";
}

/** @returns {GraphModel|null} the graph in the active pane, once it is here */
export function activeGraph() {
  const show = activeShow();
  return graphs.get().get(forwardOf(show) || show) ?? null; // of a mirror the forward
}

/** Calls back whenever the graph in the active pane changes or comes. @param {(model: GraphModel|null) => void} listener */
export function onActiveGraph(listener) {
  /** @type {GraphModel|null|undefined} */
  let last;
  const look = () => {
    const model = activeGraph();
    if (model !== last) listener((last = model));
  };
  for (const each of [graphs, panes, active]) each.subscribe(look);
  look();
}

/** @param {number} index @param {Partial<PaneView>} change */
export function setPane(index, change) {
  panes.set(panes.get().map((pane, i) => (i === index ? { ...pane, ...change } : pane)));
}

/** Graphs opened by hand since the address was last followed: these are first looked at where the kin of the selection are. @type {Set<string>} */
export const openedByHand = new Set();

/**
 * Shows a graph, or a stage without one, in a pane.
 * @param {string} show @param {number} [index] the active pane when left out
 */
export function showIn(show, index = active.get()) {
  const now = panes.get();
  if (now[index]?.show !== show) {
    openedByHand.add(show);
    panes.set(now.length ? now.map((pane, i) => (i === index ? paneView(show, lookOf(pane)) : pane)) : [paneView(show)]);
  }
  active.set(Math.min(index, panes.get().length - 1));
}

/** How the next graph of a pane is looked at: as this one; a filter is about one graph. @param {PaneView|undefined} pane */
function lookOf(pane) {
  return pane ? { by: pane.by, flow: pane.flow, wrap: pane.wrap, colour: pane.colour, folds: pane.folds, map: pane.map } : {};
}

/** More than these are too narrow to read. */
export const MOST_PANES = 3;

/** Opens one more pane beside the others. @param {string} show */
export function split(show) {
  const now = panes.get();
  if (now.length >= MOST_PANES) return;
  openedByHand.add(show);
  panes.set([...now, paneView(show, lookOf(now[active.get()]))]);
  active.set(now.length);
}

/**
 * Shows a graph in another pane than the active one: where it is already, in a new one, or in place of the last.
 * @param {string} show
 */
export function showBeside(show) {
  const now = panes.get();
  const there = now.findIndex((pane, i) => pane.show === show && i !== active.get());
  if (there >= 0) active.set(there);
  else if (now.length < MOST_PANES) split(show);
  else showIn(show, active.get() === now.length - 1 ? now.length - 2 : now.length - 1);
}

/** @param {number} index */
export function closePane(index) {
  const left = panes.get().filter((_, i) => i !== index);
  if (left.length === 0) return;
  const now = active.get();
  active.set(Math.min(now > index ? now - 1 : now, left.length - 1));
  panes.set(left);
}

/** @type {{[stage: string]: string|undefined}} */
const TWINS = { forward: "backward", backward: "forward", export: "core_aten", core_aten: "export", dynamo: "joint", joint: "forward", pre_grad: "joint", post_grad: "forward" };

/**
 * What to put beside the panes there are: the backward beside a forward and the other way round, else the next stage with a graph
 * that no pane shows yet.
 * @returns {string}
 */
export function counterpart() {
  const now = capture.get();
  const show = activeShow();
  if (!now) return show;
  const { target, stage } = parseShow(show);
  const stages = targetOf(now, target)?.stages ?? [];
  const at = stages.findIndex((each) => each.id === stage);
  const twin = stages.find((each) => each.id === TWINS[stage]);
  const order = [...(twin ? [twin] : []), ...stages.slice(at + 1), ...stages.slice(0, Math.max(0, at)).reverse()];
  const shown = new Set(panes.get().map((pane) => pane.show));
  for (const each of order) {
    const same = show.replace(stage, each.id).replace(/\/.*$/, "");
    const found = [...fragmentsOf(each)].sort((a, b) => Number(b.id === same) - Number(a.id === same))[0];
    if (found && !shown.has(found.id)) return found.id;
  }
  return show;
}

/** Selects nodes of a graph by name; an empty list selects nothing. @param {string} gid @param {string[]} names */
export function select(gid, names) {
  selection.set(names.length ? { gid, names, group: null } : null);
}

/**
 * Selects nodes, or adds them to what is selected of the graph; if all of them are, takes them away from it.
 * @param {string} gid @param {string[]} names @param {boolean} add @returns {boolean} whether the selection is another one now
 */
export function pick(gid, names, add) {
  const now = selection.get();
  const had = add && now?.gid === gid ? now.names : [];
  const same = names.every((name) => had.includes(name));
  select(gid, add && same ? had.filter((name) => !names.includes(name)) : [...new Set([...had, ...names])]);
  return selection.get() !== now;
}

/** @param {string} gid @param {string} path module path of the group */
export function selectGroup(gid, path) {
  selection.set({ gid, names: [], group: path });
}

/** The selection as indices into a graph; empty when it belongs to another. @param {GraphModel|null} model @returns {number[]} */
export function selectedIn(model) {
  const now = selection.get();
  if (!model || now?.gid !== model.id) return [];
  return now.names.map((name) => model.indexOf(name)).filter((index) => index >= 0);
}

/** Shows a line of the source. @param {string} file @param {number} line */
export function goToSource(file, line) {
  side.set("source");
  sourceLine.set({ file, line });
}

/**
 * @typedef {import("./model/types.js").GroupTree} GroupTree
 * @typedef {import("./model/tree/grouptree.js").Grouping} Grouping
 */

/** @type {WeakMap<GraphModel, Map<Grouping, GroupTree>>} */
const trees = new WeakMap();

/** The group tree of a graph, made once. @param {GraphModel} model @param {Grouping} [by] @returns {GroupTree} */
export function treeOf(model, by = "module") {
  const known = trees.get(model) ?? new Map();
  trees.set(model, known);
  const tree = known.get(by) ?? groupTree(model, by);
  known.set(by, tree);
  return tree;
}

/** Whether `treeOf` has it at hand. @param {GraphModel} model @param {Grouping} by */
export function isGrouped(model, by) {
  return trees.get(model)?.has(by) ?? false;
}

/** What `treeOf` shall answer, made elsewhere. @param {GraphModel} model @param {GroupTree} tree */
export function keepTree(model, tree) {
  trees.set(model, (trees.get(model) ?? new Map()).set(tree.by, tree));
}

/**
 * The tree in which a selected group is: by module where it is one; a chain is a group only where a pane folds them.
 * @param {GraphModel} model @param {string} path @returns {GroupTree}
 */
export function treeWith(model, path) {
  const tree = treeOf(model);
  if (groupByPath(tree, path) >= 0) return tree;
  const drawn = panes.get().filter((pane) => pane.show === model.id && pane.folds.includes("chains"));
  const trees = drawn.map((pane) => treeOf(foldedModel(model, pane), pane.by));
  return trees.find((each) => groupByPath(each, path) >= 0) ?? treeOf(model, "op");
}

/** The open groups of a pane. @param {PaneView} pane @param {GraphModel} model @returns {Uint8Array} */
export function openIn(pane, model) {
  return openFrom(treeOf(model, pane.by), pane);
}

/** @param {number} index of the pane @param {GraphModel} model @param {Uint8Array} open */
export function setOpen(index, model, open) {
  setPane(index, openDifference(treeOf(model, panes.get()[index]?.by), open));
}
