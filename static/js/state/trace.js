// What a trace finds in each graph, and the graph a pane draws: the whole of it, or only what a trace finds.

import { maskOf, reached, traceKey } from "../model/trace/trace.js";
import { subModel } from "../model/trace/submodel.js";
import { Atom, graphs, openIn, panes, setOpen, treeOf } from "../state.js";
import { toggled } from "../model/groups.js";

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
    return !answer || answer instanceof Error ? null : Int32Array.from(answer.nodes[model.id] ?? []);
  }
  if (trace.gid !== model.id) return new Int32Array(0);
  const known = followed.get(model) ?? new Map();
  followed.set(model, known);
  const nodes = known.get(key) ?? reached(model, trace);
  known.set(key, nodes);
  return nodes;
}

/** @type {WeakMap<GraphModel, Map<string, SubModel>>} */
const parts = new WeakMap();

/**
 * What a pane draws of its graph: `part` null: the whole of it.
 * @param {PaneView} pane @returns {{whole: GraphModel, model: GraphModel, part: SubModel|null}|null} null: not known yet
 */
export function drawnIn(pane) {
  const whole = graphs.get().get(pane.show);
  if (!whole) return null;
  if (!pane.only) return { whole, model: whole, part: null };
  const nodes = tracedIn(pane.only, whole);
  if (!nodes) return null;
  const known = parts.get(whole) ?? new Map();
  parts.set(whole, known);
  const key = `${traceKey(pane.only)} ${nodes.length}`;
  const part = known.get(key) ?? subModel(whole, maskOf(whole, nodes));
  known.set(key, part);
  return { whole, model: part.model, part };
}

/** Opens or closes a group in every pane that shows the graph. @param {string} gid @param {string} path of the group */
export function toggleGroup(gid, path) {
  panes.get().forEach((pane, i) => {
    const model = pane.show === gid ? drawnIn(pane)?.model : undefined;
    if (!model) return;
    const tree = treeOf(model);
    const group = tree.path.indexOf(path);
    if (group > 0) setOpen(i, model, toggled(tree, openIn(pane, model), group));
  });
}
