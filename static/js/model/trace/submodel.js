/** A graph of only some nodes of another, to be laid out and drawn by itself. */

import { GraphModel } from "../graph.js";

/**
 * @typedef {import("../types.js").GraphColumns} GraphColumns
 *
 * @typedef {object} SubModel
 * @property {GraphModel} model of the same id and names; its indices are its own
 * @property {Int32Array} whole its node -> node of the whole graph
 * @property {Int32Array} part node of the whole graph -> its node, or -1
 */

/** @param {GraphModel} model @param {Uint8Array} keep 1: this node stays @returns {SubModel} */
export function subModel(model, keep) {
  const part = new Int32Array(model.count).fill(-1);
  const whole = [];
  for (let i = 0; i < model.count; i++) if (keep[i]) part[i] = whole.push(i) - 1;
  return { model: new GraphModel(columnsOf(model.columns, whole, part)), whole: Int32Array.from(whole), part };
}

/** @param {GraphColumns} columns @param {number[]} whole @param {Int32Array} part @returns {GraphColumns} */
function columnsOf(columns, whole, part) {
  const stays = columns.edges.src.map((src, e) => part[src] >= 0 && part[columns.edges.dst[e]] >= 0);
  const edges = Object.entries(columns.edges).map(([name, column]) => [name, column.filter((_, e) => stays[e])]);
  const { src, dst, ...others } = /** @type {GraphColumns["edges"]} */ (Object.fromEntries(edges));
  return {
    ...columns,
    nodes: /** @type {GraphColumns["nodes"]} */ (
      Object.fromEntries(Object.entries(columns.nodes).map(([name, column]) => [name, whole.map((i) => column[i])]))
    ),
    edges: { ...others, src: src.map((i) => part[i]), dst: dst.map((i) => part[i]) },
    bodies: columns.bodies.flatMap(([node, gid]) => (part[node] < 0 ? [] : [[part[node], gid]])),
    outputs: columns.outputs.flatMap(([node, types]) => (part[node] < 0 ? [] : [[part[node], types]])),
    repeats: [], // parts of identical blocks need not be identical
    returns: columns.returns.flatMap(([node, kind, name]) => (node < 0 || part[node] < 0 ? [] : [[part[node], kind, name]])),
  };
}
