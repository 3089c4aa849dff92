// What a trace finds in each graph, and the graph a pane draws: the whole of it, or only what a trace finds.

import { maskOf, nearTrace, reached, stepsOf, traceKey, traceWords, withSteps } from "../model/trace/trace.js";
import { foldedModel } from "../model/folding/folded.js";
import { subModel } from "../model/trace/submodel.js";
import { Atom, active, graphs, notice, openIn, panes, selection, setOpen, setPane, showIn, tell, trace, treeOf } from "../state.js";
import { groupByPath, toggled } from "../model/groups.js";

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../model/trace/submodel.js").SubModel} SubModel
 * @typedef {import("../model/viewhash.js").Trace} Trace
 * @typedef {import("../model/viewhash.js").PaneView} PaneView
 */

/** Answers of the server to traces it has to find, by `traceKey`; an Error where it could not. @type {Atom<ReadonlyMap<string, Api.Traced|Error>>} */
export const answers = new Atom(/** @type {ReadonlyMap<string, Api.Traced|Error>} */ (new Map()));

/** @type {WeakMap<GraphModel, Map<string, Int32Array>>} */
const followed = new WeakMap();

/**
 * The nodes of a graph that a trace finds, ascending. A gradient path runs through several graphs; anything else stays in its own.
 * @param {Trace} trace @param {GraphModel} model @returns {Int32Array|null} null: the server has not answered yet, or could not
 */
export function tracedIn(trace, model) {
  const key = traceKey(trace);
  if (trace.how === "gradient") {
    const answer = answers.get().get(key);
    return !answer || answer instanceof Error ? null : answeredIn(answer, model.id);
  }
  if (trace.gid !== model.id) return new Int32Array(0);
  const known = followed.get(model) ?? new Map();
  followed.set(model, known);
  const nodes = known.get(key) ?? reached(model, trace);
  known.set(key, nodes);
  return nodes;
}

/** @type {WeakMap<Api.Traced, Map<string, Int32Array>>} */
const answered = new WeakMap();

/** What an answer has of one graph; in the forward it is about, also the values that the path reads. @param {Api.Traced} answer @param {string} gid */
function answeredIn(answer, gid) {
  const known = answered.get(answer) ?? new Map();
  answered.set(answer, known);
  if (!known.has(gid)) {
    const nodes = new Set(answer.found.find((each) => each.graph === gid)?.nodes ?? []);
    if (gid !== answer.path && gid.replace("forward", "backward") === answer.path)
      for (const { source } of answer.saved) if (source >= 0) nodes.add(source);
    known.set(gid, Int32Array.from([...nodes].sort((a, b) => a - b)));
  }
  return /** @type {Int32Array} */ (known.get(gid));
}

/** Parts of one graph that are kept: those of all panes, and some to go back to. */
const KEPT_PARTS = 6;

/** The part used last stands last. @type {WeakMap<GraphModel, Map<string, SubModel>>} */
const parts = new WeakMap();

/**
 * What a pane draws of its graph: `part` null: the whole of it.
 * @param {PaneView} pane @returns {{whole: GraphModel, model: GraphModel, part: SubModel|null}|null} null: not known yet
 */
export function drawnIn(pane) {
  const whole = graphs.get().get(pane.show);
  if (!whole) return null;
  if (!pane.only) return { whole, model: foldedModel(whole, pane), part: null };
  const nodes = tracedIn(pane.only, whole);
  if (!nodes) return null;
  const known = parts.get(whole) ?? new Map();
  parts.set(whole, known);
  const key = `${traceKey(pane.only)} ${nodes.length}`;
  const part = known.get(key) ?? subModel(whole, maskOf(whole, nodes));
  known.delete(key);
  known.set(key, part);
  if (known.size > KEPT_PARTS) known.delete(known.keys().next().value);
  return { whole, model: foldedModel(part.model, pane), part };
}

/** Opens or closes a group in every pane that shows the graph. @param {string} gid @param {string} path of the group */
export function toggleGroup(gid, path) {
  panes.get().forEach((pane, i) => {
    const model = pane.show === gid ? drawnIn(pane)?.model : undefined;
    if (!model) return;
    const tree = treeOf(model, pane.by);
    const group = groupByPath(tree, path);
    if (group <= 0) return;
    const open = toggled(tree, openIn(pane, model), group);
    notice.set(`${path} ${open[tree.shown[group]] ? "opened" : "closed"}`);
    setOpen(i, model, open);
  });
}

/** The node from which a path is sought: the next one that is selected is its other end. @type {Atom<{gid: string, name: string}|null>} */
export const pathFrom = new Atom(/** @type {{gid: string, name: string}|null} */ (null));

selection.subscribe((now) => {
  const start = pathFrom.get();
  if (!start) return;
  pathFrom.set(null);
  if (now?.gid !== start.gid || now.names.length !== 1 || now.names[0] === start.name) return;
  follow({ how: "between", gid: start.gid, from: start.name, to: now.names[0] });
});

/** Traces asked for by hand: the graph in which they are found is to be shown. @type {Set<string>} */
export const asked = new Set();

/** Traces, and says what was found. @param {Trace} wanted */
export function follow(wanted) {
  asked.add(traceKey(wanted));
  trace.set(wanted);
  const model = graphs.get().get(wanted.gid);
  const nodes = model && tracedIn(wanted, model);
  if (nodes) notice.set(`${traceWords(wanted)}: ${nodes.length} nodes`);
  if (nodes?.length === 0) tell(`There are no ${traceWords(wanted)}`);
}

/** The trace that lists are about: what is lit, else what alone is drawn in the active pane. @returns {Trace|null} */
export function listedTrace() {
  return trace.get() ?? panes.get()[active.get()]?.only ?? null;
}

/** Drawn alone, so few nodes are shown without closed groups around them. */
const FEW = 150;

/** Draws nothing but what a trace finds, in a pane. @param {number} index @param {Trace|null} only null: the whole graph again */
export function isolate(index, only) {
  const model = only && graphs.get().get(only.gid);
  const count = model ? tracedIn(only, model)?.length : undefined;
  const few = only && stepsOf(only) !== null && count !== undefined && count <= FEW;
  if (only && count) notice.set(`Only the ${traceWords(only)}: ${count} nodes`);
  setPane(index, { only, camera: null, opened: few ? ["*"] : [], closed: [] });
}

/**
 * Draws nothing but what is near the selection; one step more of it when the active pane does already.
 * @returns {boolean} whether there was anything to do
 */
export function isolateSelection() {
  const pane = panes.get()[active.get()];
  const now = selection.get();
  if (pane?.only?.how === "near" && (now === null || nearTrace(now.gid, now.names, now.group).from === pane.only.from)) return isolateWider(1);
  if (!pane || !now) return false;
  isolateNear(now.gid, now.names, now.group);
  return true;
}

/**
 * Draws nothing but some nodes or a group and what is around them: in the pane that shows their graph, else in the active one.
 * @param {string} gid @param {readonly string[]} names @param {string|null} group its path, in place of names
 */
export function isolateNear(gid, names, group) {
  const there = panes.get().findIndex((pane) => pane.show === gid);
  if (there >= 0) active.set(there);
  else showIn(gid);
  isolate(active.get(), nearTrace(gid, names, group));
}

/** Draws more or less around what alone is drawn in the active pane. @param {number} by steps @returns {boolean} whether it could */
export function isolateWider(by, index = active.get()) {
  const only = panes.get()[index]?.only;
  const steps = only ? stepsOf(only) : null;
  if (!only || steps === null || withSteps(only, steps + by).to === only.to) return false;
  isolate(index, withSteps(only, steps + by));
  return true;
}
