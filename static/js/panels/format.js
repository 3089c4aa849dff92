// Numbers and times as the page writes them.

export { bytes } from "../base/bytes.js";

import { decimal } from "../base/numbers.js";
import { besides, fragmentsOf, graphOf, stageOf } from "../model/capture.js";

/** @param {number} value @returns {string} 10,041 */
export function count(value) {
  return decimal(value);
}

/** @param {number} value @param {string} one @param {string} [many] @returns {string} "1 node", "12 nodes" */
export function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** @param {number} value seconds @returns {string} */
export function seconds(value) {
  if (value < 0.001) return "<1 ms";
  if (value < 0.1) return `${Math.round(value * 1000)} ms`;
  if (value < 10) return `${Number.isInteger(value) ? value : value.toFixed(1)} s`;
  if (value < 60) return `${Math.round(value)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** @param {string} iso @param {number} now milliseconds @returns {string} "5 min ago" */
export function ago(iso, now) {
  const passed = (now - Date.parse(iso)) / 1000;
  if (!Number.isFinite(passed)) return "";
  if (passed < 60) return "just now";
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86400) return `${Math.floor(passed / 3600)} h ago`;
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** A reason as a sentence. @param {string} text */
export function sentence(text) {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?:]$/.test(first) ? first : `${first}.`;
}

/**
 * The names of the stages, and what each shows, in the words of the field; `logged` are had from logs of a run only, `scripted`
 * from the script's own call only.
 * @type {{[id: string]: {title: string, what: string, logged?: true, scripted?: true}}}
 */
export const STAGES = {
  eager: { title: "Eager", what: "The ATen calls of a plain forward and backward, as they ran." },
  traced: { title: "Traced", what: "The graph of a script's own make_fx or symbolic_trace call.", scripted: true },
  dynamo: { title: "Dynamo", what: "What torch.compile read from the bytecode; it stops at graph breaks." },
  pre_grad: { title: "Pre-grad", what: "Dynamo's graph after Inductor's passes, as it is handed to AOTAutograd.", logged: true },
  export: { title: "Export", what: "torch.export: the whole model as one ATen graph." },
  core_aten: { title: "Core ATen", what: "The exported graph after run_decompositions()." },
  joint: { title: "Joint", what: "Forward and backward in one graph, before AOTAutograd splits it." },
  forward: { title: "Forward", what: "What the compiled forward runs, and what it saves for the backward." },
  backward: { title: "Backward", what: "Gradients out of tangents and saved tensors." },
  post_grad: { title: "Post-grad", what: "Forward and backward after Inductor's passes: what it generates code of.", logged: true },
};

/** What a graph is called where several stages are named: `Core ATen`, `Forward 2 (default)`, `Export true_graph_0`. @param {Api.Capture} now @param {string} gid */
export function graphTitle(now, gid) {
  const stage = stageOf(now, gid);
  const graph = graphOf(now, gid);
  if (!stage || !graph) return gid;
  if (graph.parent) return `${stageTitle(stage.id)} ${gid.slice(gid.lastIndexOf("/") + 1)}`;
  const more = besides(graph);
  return `${stageTitle(stage.id)}${fragmentsOf(stage).length > 1 ? ` ${graph.fragment + 1}` : ""}${more && ` (${more})`}`;
}

/** @param {string} id */
export function stageTitle(id) {
  return STAGES[id]?.title ?? id;
}
