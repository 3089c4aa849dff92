/**
 * The columns of the two halves as a mirror draws them, and both as the columns of one graph. Saved values and gradients go
 * to no output: the bridges and marks say so, and hundreds of lines to one node say nothing.
 */

import { OP } from "../graph.js";

/**
 * @typedef {import("../types.js").GraphColumns} GraphColumns
 * @typedef {import("../types.js").NodeColumns} NodeColumns
 */

/** The forward without the edges by which saved values are returned. @param {GraphColumns} columns @returns {GraphColumns} */
export function forwardColumns(columns) {
  const shown = new Set(columns.returns.filter(([, kind]) => kind !== "saved").map(([node]) => node));
  const { op } = columns.nodes;
  return withEdges(columns, (src, dst) => op[dst] !== OP.OUTPUT || shown.has(src));
}

/**
 * The backward without its output node, the last one; saved values that the forward draws as chips are chips here too.
 * @param {GraphColumns} columns @param {readonly number[]} chips nodes @returns {GraphColumns}
 */
export function backwardColumns(columns, chips) {
  const { op } = columns.nodes;
  const count = op.at(-1) === OP.OUTPUT ? op.length - 1 : op.length;
  const cut = withEdges(columns, (_, dst) => dst < count);
  const nodes = mapColumns(cut.nodes, (column) => column.slice(0, count));
  const used = new Set(cut.edges.src);
  nodes.chip = nodes.chip.slice();
  for (const node of chips) if (used.has(node)) nodes.chip[node] = 1;
  return { ...cut, nodes, returns: [] };
}

/**
 * Where every node of a backward is to stand so that what it is given comes just before its first user: groups are drawn in the
 * order in which their nodes come, and all that was saved comes first of all. -1: the output, which is not drawn.
 * @param {GraphColumns} columns @returns {Int32Array}
 */
export function justInTime({ nodes: { op }, edges: { src, dst } }) {
  const drawn = op.at(-1) === OP.OUTPUT ? op.length - 1 : op.length;
  const user = new Int32Array(op.length).fill(-1);
  for (let e = src.length - 1; e >= 0; e--) if (dst[e] < drawn) user[src[e]] = dst[e];
  /** @type {number[][]} */
  const given = Array.from(op, () => []);
  const order = [];
  for (let i = 0; i < drawn; i++) {
    if (op[i] !== OP.PLACEHOLDER) order.push(...given[i], i);
    else if (user[i] < 0) order.push(i);
    else given[user[i]].push(i);
  }
  const place = new Int32Array(op.length).fill(-1);
  order.forEach((node, at) => (place[node] = at));
  return place;
}

/** @param {GraphColumns} columns whose output is left out @param {Int32Array} place of every node, -1 for the output @returns {GraphColumns} */
export function moved(columns, place) {
  const order = new Array(place.reduce((most, at) => Math.max(most, at + 1), 0));
  place.forEach((at, node) => {
    if (at >= 0) order[at] = node;
  });
  const { src, dst, ...others } = columns.edges;
  const at = (/** @type {number[]} */ column) => column.map((node) => place[node]);
  return {
    ...columns,
    repeats: [], // a mirror shows every block: each has its partner
    nodes: mapColumns(columns.nodes, (column) => order.map((node) => column[node])),
    edges: { ...others, src: at(src), dst: at(dst) },
    bodies: columns.bodies.map(([node, gid]) => [place[node], gid]),
    outputs: columns.outputs.map(([node, types]) => [place[node], types]),
  };
}

/** @param {GraphColumns} columns @param {(src: number, dst: number) => boolean} keep @returns {GraphColumns} */
function withEdges(columns, keep) {
  const { src, dst, slot_s, output } = columns.edges;
  const kept = src.map((from, e) => keep(from, dst[e]));
  const pick = (/** @type {number[]} */ column) => column.filter((_, e) => kept[e]);
  return { ...columns, edges: { src: pick(src), dst: pick(dst), slot_s: pick(slot_s), output: pick(output) } };
}

/** Columns that are indices into tables, beside those whose names end in `_s`. @type {{[column: string]: "modules"|"lines"|"calls"|undefined}} */
const TABLES = { module: "modules", group: "modules", line: "lines", call: "calls" };

/**
 * Both halves as one graph: first the nodes of the forward, then those of the backward.
 * @param {GraphColumns} ahead @param {GraphColumns} back @param {string} id @returns {GraphColumns}
 */
export function joinedColumns(ahead, back, id) {
  const count = ahead.nodes.name.length;
  const after = (/** @type {any[]} */ column, /** @type {number} */ by) =>
    by ? column.map((value) => (value < 0 ? value : value + by)) : column;
  const nodes = mapColumns(ahead.nodes, (column, name) => {
    const table = name.endsWith("_s") ? "strings" : TABLES[name];
    return column.concat(after(back.nodes[name], table ? ahead[table].length : 0));
  });
  const modules = back.modules.map((each, i) => ({ ...each, parent: i ? each.parent + ahead.modules.length : 0 }));
  return {
    ...ahead,
    id,
    nodes,
    strings: ahead.strings.concat(back.strings),
    modules: ahead.modules.concat(modules),
    calls: ahead.calls.concat(back.calls),
    lines: ahead.lines.concat(back.lines),
    edges: {
      src: ahead.edges.src.concat(after(back.edges.src, count)),
      dst: ahead.edges.dst.concat(after(back.edges.dst, count)),
      slot_s: ahead.edges.slot_s.concat(after(back.edges.slot_s, ahead.strings.length)),
      output: ahead.edges.output.concat(back.edges.output),
    },
    bodies: ahead.bodies.concat(back.bodies.map(([node, gid]) => [node + count, gid])),
    outputs: ahead.outputs.concat(back.outputs.map(([node, types]) => [node + count, after(types, ahead.strings.length)])),
    returns: ahead.returns,
  };
}

/** @param {NodeColumns} columns @param {(column: any[], name: keyof NodeColumns) => any[]} make @returns {NodeColumns} */
function mapColumns(columns, make) {
  const names = /** @type {(keyof NodeColumns)[]} */ (Object.keys(columns));
  return /** @type {NodeColumns} */ (Object.fromEntries(names.map((name) => [name, make(columns[name], name)])));
}
