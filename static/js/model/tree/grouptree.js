/**
 * Builds a `GroupTree`: nested module groups, in them groups by original op where these are wanted, backward halves apart
 * from forward ones, later calls of a module apart from the first, chains of single groups merged. Nothing is recursive.
 */

import { splitCalls } from "./calls.js";
import { splitChains } from "./chains.js";
import { OP } from "../graph.js";
import { chainWords, groupPaths, groupTitles } from "./naming.js";
import { splitOps } from "./ops.js";
import { readableOpen } from "./readable.js";
import { repeated } from "./repeated.js";

/**
 * @typedef {import("../types.js").LayoutModel} LayoutModel
 * @typedef {import("../types.js").GroupTree} GroupTree
 */

/** What the innermost groups are; the first is the default. */
export const GROUPINGS = /** @type {const} */ (["module", "op"]);

/** @typedef {typeof GROUPINGS[number]} Grouping */

/** @param {LayoutModel} model @param {Grouping} [by] @returns {GroupTree} */
export function groupTree(model, by = "module") {
  const { modules, calls, folded } = model;
  const halves = splitHalves(model);
  const given = splitChains(model, by === "op" ? splitOps(model, halves) : halves);
  const { module, parent, backward, op, chain, call, groupOf } = splitCalls(model, given);
  const count = module.length;
  const order = parentsFirst(parent);
  const direct = new Int32Array(count);
  const first = new Int32Array(count).fill(model.count);
  for (let i = model.count - 1; i >= 0; i--) {
    if (folded[i]) continue;
    direct[groupOf[i]]++;
    first[groupOf[i]] = i;
  }
  const nodes = direct.slice();
  for (let k = count - 1; k > 0; k--) {
    const group = order[k];
    nodes[parent[group]] += nodes[group];
    first[parent[group]] = Math.min(first[parent[group]], first[group]);
  }
  const shown = mergeChains(parent, order, direct, nodes);
  const { box, children } = boxes(parent, order, shown, first);
  const words = chainWords(model, chain, groupOf);
  const named = { modules, calls, module, backward, op, chain, words, call, box };
  const path = groupPaths(named);
  const title = groupTitles(named);
  /** @type {string[]} */
  const cls = [];
  for (let g = 0; g < count; g++) cls.push(chain[g] >= 0 ? "chain" : op[g] < 0 ? modules[module[g]].cls : "original op");
  const drawnFor = repeated(model, { count, module, backward, shown, op, chain, call, groupOf, title });
  /** @type {GroupTree} */
  const tree = {
    by,
    count,
    module,
    backward,
    op,
    chain,
    call,
    parent,
    box,
    shown,
    path,
    cls,
    ...drawnFor,
    stand: model.stand,
    nodes,
    first,
    children,
    groupOf,
    open: new Uint8Array(0),
  };
  tree.open = readableOpen(tree, direct);
  return tree;
}

/**
 * One group per module, and a second for each whose subtree holds both forward and backward nodes.
 * @param {LayoutModel} model
 */
function splitHalves(model) {
  const { modules, group, folded } = model;
  const half = halves(model);
  const holds = new Uint8Array(modules.length);
  for (let i = 0; i < model.count; i++) if (!folded[i]) holds[group[i]] |= half[i] ? 2 : 1;
  for (let m = modules.length - 1; m > 0; m--) holds[modules[m].parent] |= holds[m];
  const twin = new Int32Array(modules.length).fill(-1);
  const module = modules.map((_, m) => m);
  for (let m = 1; m < modules.length; m++) {
    if (holds[m] === 3) {
      twin[m] = module.length;
      module.push(m);
    }
  }
  const count = module.length;
  const backward = new Uint8Array(count);
  const parent = new Int32Array(count).fill(-1);
  for (let g = 1; g < count; g++) {
    const m = module[g];
    const around = modules[m].parent;
    backward[g] = g >= modules.length || (holds[m] === 2 && holds[0] === 3) ? 1 : 0;
    parent[g] = backward[g] && twin[around] >= 0 ? twin[around] : around;
  }
  const groupOf = group.slice();
  for (let i = 0; i < model.count; i++) if (half[i] && twin[group[i]] >= 0) groupOf[i] = twin[group[i]];
  return { module: new Int32Array(module), backward, parent, op: new Int32Array(count).fill(-1), groupOf };
}

/** Stages whose graphs the partitioner has cut: a node of the other half that was moved in is no reason to split modules. */
const CUT_STAGES = ["forward", "backward"];

/**
 * 1 for nodes that belong to the backward, where a graph holds both. A value that is only given (placeholder, attribute) goes
 * with its users: it is of the backward when all of them are.
 * @param {LayoutModel} model @returns {Uint8Array}
 */
function halves({ stage, count, op, backward, edges }) {
  if (CUT_STAGES.includes(stage)) return new Uint8Array(count);
  const forwardUser = new Uint8Array(count);
  const used = new Uint8Array(count);
  for (let e = 0; e < edges.count; e++) {
    used[edges.src[e]] = 1;
    if (!backward[edges.dst[e]] && op[edges.dst[e]] !== OP.OUTPUT) forwardUser[edges.src[e]] = 1;
  }
  const half = backward.slice();
  for (let i = 0; i < count; i++)
    if (op[i] === OP.PLACEHOLDER || op[i] === OP.GET_ATTR) half[i] = used[i] && !forwardUser[i] ? 1 : 0;
  return half;
}

/** Groups with every parent before its children. @param {Int32Array} parent */
function parentsFirst(parent) {
  const count = parent.length;
  const start = new Uint32Array(count + 1);
  for (let g = 1; g < count; g++) start[parent[g] + 1]++;
  for (let g = 0; g < count; g++) start[g + 1] += start[g];
  const next = start.slice();
  const child = new Int32Array(count);
  for (let g = 1; g < count; g++) child[next[parent[g]]++] = g;
  const order = new Int32Array(count);
  let length = 1;
  for (let k = 0; k < length; k++) {
    for (let i = start[order[k]]; i < start[order[k] + 1]; i++) order[length++] = child[i];
  }
  return order;
}

/**
 * For every group the one it is drawn as: the only group inside it where it holds nothing else, -1 where nothing in it is drawn.
 * @param {Int32Array} parent @param {Int32Array} order @param {Int32Array} direct @param {Int32Array} nodes
 */
function mergeChains(parent, order, direct, nodes) {
  const count = parent.length;
  const inner = new Int32Array(count);
  const only = new Int32Array(count).fill(-1);
  const shown = new Int32Array(count).fill(-1);
  for (let k = count - 1; k >= 0; k--) {
    const group = order[k];
    if (group > 0 && nodes[group] === 0) continue;
    shown[group] = group > 0 && direct[group] === 0 && inner[group] === 1 ? only[group] : group;
    if (group === 0) break;
    inner[parent[group]]++;
    only[parent[group]] = shown[group];
  }
  return shown;
}

/**
 * The nearest drawn box around every group, and the boxes in every box in execution order.
 * @param {Int32Array} parent
 * @param {Int32Array} order
 * @param {Int32Array} shown
 * @param {Int32Array} first first node in a group
 */
function boxes(parent, order, shown, first) {
  const box = new Int32Array(parent.length).fill(-1);
  /** @type {number[][]} */
  const inside = [];
  for (let k = 1; k < order.length; k++) {
    const group = order[k];
    const around = parent[group];
    box[group] = around === 0 || shown[around] === around ? around : box[around];
    if (shown[group] === group) (inside[box[group]] ??= []).push(group);
  }
  const none = new Int32Array(0); // of most groups: one for all is copied to and from the worker once
  /** @type {Int32Array[]} */
  const children = [];
  for (let g = 0; g < parent.length; g++)
    children.push(inside[g] ? new Int32Array(inside[g].sort((a, b) => first[a] - first[b] || a - b)) : none);
  return { box, children };
}
