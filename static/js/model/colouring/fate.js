/** What the partitioner did with each value: kept for the backward, computed again there, or neither. */

import { OP } from "../graph.js";
import { NONE, sorted } from "./classes.js";

/** @typedef {import("../graph.js").GraphModel} GraphModel */

const STAGES = ["joint", "forward", "backward"];

/** GIDs of the two halves a graph was cut into, or is one of; empty where it was not cut. @param {GraphModel} model @returns {string[]} */
export function fateGraphs({ id, stage, inference }) {
  if (!STAGES.includes(stage) || inference || id.includes("/")) return [];
  const at = id.startsWith(`${stage}.`) ? 0 : id.indexOf(`.${stage}.`) + 1;
  return ["forward", "backward"].map((half) => id.slice(0, at) + half + id.slice(at + stage.length));
}

/** @param {GraphModel} model @param {import("./types.js").Around} around @returns {import("./types.js").Colouring} */
export function byFate(model, around) {
  const [forward, backward] = fateGraphs(model).map((gid) => (gid === model.id ? model : around.graph(gid)));
  const saved = new Set(forward?.returns.filter(([node, kind]) => kind === "saved" && node >= 0).map(([node]) => forward.name[node]));
  const ran = (/** @type {GraphModel|null} */ graph, /** @type {string} */ name) => graph !== null && isCall(graph, graph.indexOf(name));
  const fateOf = (/** @type {number} */ node) => {
    const name = model.name[node];
    if (saved.has(name)) return "saved";
    if (!isCall(model, node)) return NONE;
    if (ran(forward, name) && ran(backward, name)) return "recomputed";
    if (ran(backward, name)) return "backward";
    return ran(forward, name) ? "forward" : "gone";
  };
  return sorted(model.count, fateOf, [
    { id: NONE, title: "inputs, parameters, output", colour: NONE },
    { id: "saved", title: "saved for the backward", colour: "hue-2" },
    { id: "recomputed", title: "recomputed in the backward", colour: "hue-4" },
    { id: "forward", title: "forward only", colour: "hue-5" },
    { id: "backward", title: "backward only", colour: "hue-7" },
    { id: "gone", title: "in neither half", colour: "hue-6" },
  ]);
}

/** @param {GraphModel} model @param {number} node -1: none */
function isCall(model, node) {
  return node >= 0 && model.op[node] >= OP.CALL_FUNCTION && model.op[node] < OP.OUTPUT;
}
