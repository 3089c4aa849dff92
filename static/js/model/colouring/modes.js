/** The ways to colour a graph: a mode is one line here. */

import { byBytes } from "./bytes.js";
import { byDtype } from "./dtype.js";
import { byClass, byModule } from "./module.js";
import { byFate, fateGraphs } from "./fate.js";
import { byCore, byDecomposition, byFxOp, byHalf, byKind } from "./stages.js";

/** @typedef {import("./types.js").Mode} Mode */
/** @typedef {import("./types.js").GraphModel} GraphModel */
/** @typedef {import("./types.js").Around} Around */

/** @param {ArrayLike<number>} column @param {number} least */
const some = (column, least) => Array.prototype.some.call(column, (value) => value >= least);
/** Is a text column said of any node? @param {GraphModel} model @param {Int32Array} column */
const says = (model, column) => column.some((text) => model.strings[text] !== "");

/** The first is the default. @type {readonly Mode[]} */
export const MODES = Object.freeze([
  { id: "kind", title: "Kind of operation", fits: () => true, colour: byKind },
  { id: "module", title: "Module", fits: (model) => model.modules.length > 1, colour: byModule },
  { id: "class", title: "Module class", fits: (model) => model.modules.length > 1, colour: byClass },
  { id: "dtype", title: "Data type", fits: (model) => says(model, model.dtype), colour: byDtype },
  { id: "bytes", title: "Bytes of the value", fits: (model) => some(model.bytes, 0), colour: byBytes },
  { id: "core", title: "Core ATen", fits: (model) => some(model.core, 0), colour: byCore },
  {
    id: "decomposed",
    title: "Decomposed",
    fits: (model) => model.original.some((text, node) => model.core[node] >= 0 && model.strings[text] !== ""),
    colour: byDecomposition,
  },
  {
    id: "saved",
    title: "Saved and recomputed",
    fits: (model, around) => fateGraphs(model).length > 0 && fateGraphs(model).every((gid) => around.has(gid)),
    needs: fateGraphs,
    colour: byFate,
  },
  {
    id: "half",
    title: "Forward and backward",
    fits: (model) => says(model, model.tag) || (some(model.backward, 1) && !model.backward.every((half) => half === 1)),
    colour: byHalf,
  },
  { id: "fx", title: "FX opcode", fits: (model) => model.stage === "dynamo", colour: byFxOp },
]);

/** @param {GraphModel} model @param {Around} around @returns {Mode[]} those that say something about this graph */
export function modesFor(model, around) {
  return MODES.filter((mode) => mode.fits(model, around));
}

/** The mode of that name where it fits the graph, else the default. @param {string} id @param {GraphModel} model @param {Around} around @returns {Mode} */
export function modeFor(id, model, around) {
  return MODES.find((mode) => mode.id === id && mode.fits(model, around)) ?? MODES[0];
}

/** Whether everything is here that a mode reads. @param {Mode} mode @param {GraphModel} model @param {Around} around */
export function isReady(mode, model, around) {
  return (mode.needs?.(model) ?? []).every((gid) => gid === model.id || around.graph(gid) !== null);
}
