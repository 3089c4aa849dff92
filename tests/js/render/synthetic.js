// Graphs and scenes made up for the tests of drawing: of any size, with groups, folded parameters, bodies, long edges.
import { ITEM } from "../../../static/js/base/scene/scene.js";
import { GROUP_BOX } from "../../../static/js/base/scene/boxes.js";
import { closedGroupSize, nodeSize } from "../../../static/js/layout/size.js";
import { groupTree } from "../../../static/js/model/groups.js";
import { GraphModel } from "../../../static/js/model/graph.js";

/**
 * @typedef {import("../../../static/js/model/types.js").GraphColumns} GraphColumns
 * @typedef {import("../../../static/js/model/types.js").GroupTree} GroupTree
 * @typedef {import("../../../static/js/base/scene/scene.js").Scene} Scene
 */

export const KINDS = [
  "input", "parameter", "buffer", "constant", "output", "matmul", "conv", "pointwise", "reduction", "view", "random", "higher-order", "symbolic", "other",
];

/** Grows the columns of a graph node by node. */
class Writer {
  constructor() {
    /** @type {string[]} */ this.strings = [];
    /** @type {Map<string, number>} */ this.known = new Map();
    this.modules = [{ path: "", cls: "Model", parent: -1 }];
    /** @type {import("../../../static/js/model/types.js").NodeColumns} */
    this.nodes = { name: [], op: [], target_s: [], label_s: [], kind: [], type_s: [], module: [], group: [], line: [], chip: [], backward: [],
      call: [], dtype_s: [], bytes: [], core: [], tag_s: [], original_s: [] };
    /** @type {GraphColumns["edges"]} */
    this.edges = { src: [], dst: [], slot_s: [], output: [] };
    /** @type {[number, string][]} */
    this.bodies = [];
  }

  /** @param {string} text */
  string(text) {
    let at = this.known.get(text);
    if (at === undefined) {
      at = this.strings.push(text) - 1;
      this.known.set(text, at);
    }
    return at;
  }

  /** @param {string} path @param {string} cls @param {number} parent */
  module(path, cls, parent) {
    return this.modules.push({ path, cls, parent }) - 1;
  }

  /** @param {string} label @param {string} kind @param {string} type @param {number} group @param {number[]} inputs @param {string} [target] */
  node(label, kind, type, group, inputs, target = `aten.${label}.default`) {
    const { nodes } = this;
    const index = nodes.name.length;
    const folds = ["parameter", "buffer", "constant"].includes(kind);
    nodes.name.push(folds ? `p_${label.replaceAll(".", "_")}` : `${label}_${index}`);
    nodes.op.push(folds || kind === "input" ? 0 : kind === "output" ? 5 : 2);
    nodes.target_s.push(this.string(target));
    nodes.label_s.push(this.string(label));
    nodes.kind.push(KINDS.indexOf(kind));
    nodes.type_s.push(this.string(type));
    nodes.module.push(group);
    nodes.group.push(group);
    nodes.line.push(-1);
    nodes.chip.push(folds ? 1 : 0);
    nodes.backward.push(0);
    nodes.call.push(-1);
    nodes.dtype_s.push(this.string(type.replace(/\[.*/, "")));
    nodes.bytes.push(-1);
    nodes.core.push(-1);
    nodes.tag_s.push(this.string(""));
    nodes.original_s.push(this.string(""));
    inputs.forEach((input, slot) => {
      this.edges.src.push(input);
      this.edges.dst.push(index);
      this.edges.slot_s.push(this.string(String(slot)));
      this.edges.output.push(0);
    });
    return index;
  }

  /** @param {string} id @returns {GraphColumns} */
  columns(id) {
    return {
      id, title: `synthetic ${id}`, stage: "export", target: "t1", fragment: 0, inference: true, parent: "", strings: this.strings, nodes: this.nodes,
      kinds: KINDS, modules: this.modules, calls: [], lines: [], edges: this.edges, bodies: this.bodies, outputs: [], returns: [],
    };
  }
}

/** @param {Writer} w @param {number} group @param {string} path @param {number} x @param {string} name @returns {number} */
function linear(w, group, path, x, name) {
  const own = w.module(`${path}.${name}`, "Linear", group);
  const weight = w.node(`${path}.${name}.weight`, "parameter", "f32[768, 768]", own, []);
  const bias = w.node(`${path}.${name}.bias`, "parameter", "f32[768]", own, []);
  return w.node("linear", "matmul", "f32[8, 128, 768]", own, [x, weight, bias]);
}

/** @param {Writer} w @param {number} root @param {number} at @param {number} x @param {number} mask @returns {number} */
function block(w, root, at, x, mask) {
  const path = `h.${at}`;
  const group = w.module(path, "Block", root);
  const norm = w.node("layer_norm", "reduction", "f32[8, 128, 768]", group, [x]);
  const attn = w.module(`${path}.attn`, "CausalSelfAttention", group);
  const heads = ["q", "k", "v"].map((name) => {
    const y = linear(w, attn, `${path}.attn`, norm, name);
    return w.node("view", "view", "f32[8, 128, 12, 64]", attn, [y]);
  });
  const keys = w.node("transpose", "view", "f32[8, 12, 64, 128]", attn, [heads[1]]);
  const scores = w.node("matmul", "matmul", "f32[8, 12, 128, 128]", attn, [heads[0], keys]);
  const masked = w.node("masked_fill", "pointwise", "f32[8, 12, 128, 128]", attn, [scores, mask]);
  const soft = w.node("softmax", "reduction", "f32[8, 12, 128, 128]", attn, [masked]);
  const drop = w.node("dropout", "random", "f32[8, 12, 128, 128]", attn, [soft]);
  const mixed = w.node("matmul", "matmul", "f32[8, 12, 128, 64]", attn, [drop, heads[2]]);
  const out = linear(w, attn, `${path}.attn`, mixed, "proj");
  const sum = w.node("add", "pointwise", "f32[8, 128, 768]", group, [x, out]);
  const mlp = w.module(`${path}.mlp`, "MLP", group);
  const wide = linear(w, mlp, `${path}.mlp`, sum, "fc");
  const gelu = w.node("gelu", "pointwise", "f32[8, 128, 3072]", mlp, [wide]);
  const narrow = linear(w, mlp, `${path}.mlp`, gelu, "proj");
  return w.node("add", "pointwise", "f32[8, 128, 768]", group, [sum, narrow]);
}

/**
 * A transformer of so many blocks: 19 drawn nodes and 10 folded ones a block.
 * @param {number} blocks
 * @returns {GraphColumns}
 */
export function transformer(blocks) {
  const w = new Writer();
  const x = w.node("x", "input", "f32[8, 128, 768]", 0, [], "x");
  const mask = w.node("mask", "input", "b8[128, 128]", 0, [], "mask");
  let y = x;
  for (let at = 0; at < blocks; at++) y = block(w, 0, at, y, mask);
  const done = w.node("mean", "reduction", "f32[8, 768]", 0, [y]);
  w.node("output", "output", "", 0, [done], "output");
  return w.columns(`transformer.${blocks}`);
}

/** Ten nodes of most kinds without groups, one of them with two bodies. @returns {GraphColumns} */
export function small() {
  const w = new Writer();
  const x = w.node("x", "input", "f32[s0, 3, 32, 32]", 0, [], "x");
  const weight = w.node("conv.weight", "parameter", "f32[16, 3, 3, 3]", 0, []);
  const bias = w.node("conv.bias", "parameter", "f32[16]", 0, []);
  const conv = w.node("conv2d", "conv", "f32[s0, 16, 30, 30]", 0, [x, weight, bias]);
  const relu = w.node("relu", "pointwise", "f32[s0, 16, 30, 30]", 0, [conv]);
  const size = w.node("sym_size", "symbolic", "sym", 0, [relu]);
  const flat = w.node("view", "view", "f32[s0, 14400]", 0, [relu, size]);
  const test = w.node("any", "reduction", "b8[]", 0, [flat]);
  const cond = w.node("cond", "higher-order", "(f32[s0, 14400],)", 0, [test, flat], "cond");
  w.bodies.push([cond, "export.0/true_graph_0"], [cond, "export.0/false_graph_0"]);
  const drop = w.node("dropout", "random", "f32[s0, 14400]", 0, [flat]);
  const sum = w.node("add", "pointwise", "f32[s0, 14400]", 0, [cond, drop]);
  w.node("output", "output", "", 0, [sum], "output");
  return w.columns("small");
}

/** @param {GraphColumns} columns @returns {{model: GraphModel, tree: GroupTree}} */
export function load(columns) {
  const model = new GraphModel(columns);
  return { model, tree: groupTree(model) };
}

/**
 * A plain layout, independent of the real one: what a group holds stands in rows, top to bottom by the longest path from
 * its first things; edges are routed along the axes through the gaps, straight past whatever is between.
 * @param {GraphModel} model @param {GroupTree} tree @param {Uint8Array} open 1 for every open group
 * @param {{longest?: number, column?: number}} [options] edges over more than this many units
 *   are stubs; the graph goes on in another column when one is higher than `column`
 * @returns {Scene}
 */
export function layOut(model, tree, open, { longest = 4000, column = Infinity } = {}) {
  const build = new Builder(model, tree, open, column);
  build.list(0, -1);
  build.size();
  build.place();
  return build.scene(longest);
}

const GAP = { x: 28, y: 44 };

/** Steps of `layOut`; items are in pre-order from the start. */
class Builder {
  /** @param {GraphModel} model @param {GroupTree} tree @param {Uint8Array} open @param {number} column */
  constructor(model, tree, open, column) {
    this.column = column;
    this.model = model;
    this.tree = tree;
    this.open = open;
    /** @type {{kind: number, ref: number, parent: number, end: number, x: number, y: number, w: number, h: number, row: number}[]} */
    this.items = [];
    /** @type {number[][]} */
    this.direct = Array.from({ length: tree.count }, () => []);
    for (let node = 0; node < model.count; node++) if (!model.folded[node]) this.direct[this.boxOf(node)].push(node);
    this.itemOf = new Int32Array(model.count).fill(-1);
  }

  /** @param {number} node @returns {number} the drawn group around it */
  boxOf(node) {
    return Math.max(0, this.tree.shown[this.tree.groupOf[node]]);
  }

  /** @param {number} group @param {number} parent item */
  list(group, parent) {
    for (const node of this.direct[group]) {
      this.itemOf[node] = this.items.length;
      this.items.push({ kind: ITEM.NODE, ref: node, parent, end: this.items.length + 1, x: 0, y: 0, w: 0, h: 0, row: 0 });
    }
    for (const child of this.tree.children[group]) {
      const at = this.items.length;
      this.items.push({ kind: this.open[child] ? ITEM.OPEN : ITEM.CLOSED, ref: child, parent, end: 0, x: 0, y: 0, w: 0, h: 0, row: 0 });
      if (this.open[child]) this.list(child, at);
      else this.hide(child, at);
      this.items[at].end = this.items.length;
    }
  }

  /** @param {number} group @param {number} item that stands for all its nodes */
  hide(group, item) {
    for (const node of this.direct[group]) this.itemOf[node] = item;
    for (const child of this.tree.children[group]) this.hide(child, item);
  }

  /** Ends of the edges, each lifted to children of the group that holds both. @returns {[number, number, number][]} from, to, graph edge */
  lifted() {
    const { edges } = this.model;
    /** @type {[number, number, number][]} */
    const found = [];
    for (let e = 0; e < edges.count; e++) {
      const from = this.itemOf[edges.src[e]];
      const to = this.itemOf[edges.dst[e]];
      if (from >= 0 && to >= 0 && from !== to) found.push([from, to, e]);
    }
    return found;
  }

  /** @param {number} item @returns {number[]} it and the groups around it, outermost first */
  path(item) {
    const path = [];
    for (let at = item; at >= 0; at = this.items[at].parent) path.unshift(at);
    return path;
  }

  /** Rows of all children, by the longest path; edges go from lower to higher node indices, so one pass in that order does. */
  rank() {
    const pairs = this.lifted().sort((a, b) => this.model.edges.dst[a[2]] - this.model.edges.dst[b[2]]);
    for (const [from, to] of pairs) {
      const [a, b] = [this.path(from), this.path(to)];
      let at = 0;
      while (a[at] === b[at]) at++;
      this.items[b[at]].row = Math.max(this.items[b[at]].row, this.items[a[at]].row + 1);
    }
  }

  size() {
    this.rank();
    for (let at = this.items.length - 1; at >= 0; at--) {
      const item = this.items[at];
      if (item.kind === ITEM.OPEN) this.arrange(at, at + 1, item.end, GROUP_BOX.title, GROUP_BOX.pad);
      else Object.assign(item, item.kind === ITEM.NODE ? nodeSize(this.model, item.ref) : closedGroupSize(this.tree, item.ref));
    }
  }

  /** Puts children in rows, relative to their group's corner. @param {number} parent @param {number} first @param {number} end @param {number} top @param {number} pad */
  arrange(parent, first, end, top, pad) {
    /** @type {typeof this.items[number][][]} */
    const rows = [];
    for (let at = first; at < end; at = this.items[at].end) (rows[this.items[at].row] ??= []).push(this.items[at]);
    const full = rows.filter(Boolean);
    const widths = full.map((row) => row.reduce((sum, item) => sum + item.w + GAP.x, -GAP.x));
    const inner = Math.max(...widths, 120);
    let y = top + pad;
    full.forEach((row, at) => {
      let x = pad + (inner - widths[at]) / 2;
      for (const item of row) {
        Object.assign(item, { x, y });
        x += item.w + GAP.x;
      }
      y += Math.max(...row.map((item) => item.h)) + GAP.y;
    });
    const size = { w: inner + 2 * pad, h: y - GAP.y + pad };
    if (parent >= 0) Object.assign(this.items[parent], size);
    return size;
  }

  place() {
    this.whole = this.wrap(this.arrange(-1, 0, this.items.length, 0, 0));
    for (const item of this.items) {
      if (item.parent < 0) continue;
      item.x += this.items[item.parent].x;
      item.y += this.items[item.parent].y;
    }
  }

  /** Breaks what stands at the top into columns. @param {{w: number, h: number}} size */
  wrap(size) {
    if (size.h <= this.column) return size;
    const pitch = size.w + 3 * GAP.x;
    for (let at = 0; at < this.items.length; at = this.items[at].end) {
      const item = this.items[at];
      item.x += Math.floor(item.y / this.column) * pitch;
      item.y %= this.column;
    }
    const top = this.items.filter((item) => item.parent < 0);
    return { w: Math.max(...top.map((item) => item.x + item.w)), h: Math.max(...top.map((item) => item.y + item.h)) };
  }

  /** @param {number} longest @returns {Scene} */
  scene(longest) {
    const { items } = this;
    const pairs = this.lifted();
    /** @type {number[]} */ const points = [];
    /** @type {number[]} */ const start = [0];
    const stub = pairs.map(([from, to]) => (items[to].y - items[from].y > longest ? 1 : 0));
    pairs.forEach(([from, to], at) => {
      points.push(...route(items[from], items[to], stub[at] === 1));
      start.push(points.length / 2);
    });
    const owner = pairs.map(([from, to]) => {
      const [a, b] = [this.path(from), this.path(to)];
      return a.filter((each, at) => b[at] === each).pop() ?? -1;
    });
    const column = (/** @type {"x" | "y" | "w" | "h"} */ name) => Float32Array.from(items, (item) => item[name]);
    const whole = this.whole ?? { w: 0, h: 0 };
    return {
      flow: "down", width: whole.w, height: whole.h,
      items: {
        count: items.length, kind: Uint8Array.from(items, (item) => item.kind), ref: Int32Array.from(items, (item) => item.ref),
        x: column("x"), y: column("y"), w: column("w"), h: column("h"),
        parent: Int32Array.from(items, (item) => item.parent), end: Int32Array.from(items, (item) => item.end),
      },
      edges: {
        count: pairs.length, from: Int32Array.from(pairs, (pair) => pair[0]), to: Int32Array.from(pairs, (pair) => pair[1]),
        owner: Int32Array.from(owner), weight: new Uint32Array(pairs.length).fill(1), edge: Int32Array.from(pairs, (pair) => pair[2]),
        stub: Uint8Array.from(stub), start: Uint32Array.from(start), points: Float32Array.from(points),
      },
    };
  }
}

/** @param {{x: number, y: number, w: number, h: number}} a @param {{x: number, y: number, w: number, h: number}} b @param {boolean} stub */
function route(a, b, stub) {
  const [x0, y0, x1, y1] = [a.x + a.w / 2, a.y + a.h, b.x + b.w / 2, b.y];
  if (stub) return [x0, y0, x0, y0 + 14, x1, y1 - 14, x1, y1];
  const turn = y1 - GAP.y / 2;
  if (y1 < y0) return [x0, y0, x0, y0 + GAP.y / 2, (x0 + x1) / 2, y0 + GAP.y / 2, (x0 + x1) / 2, turn, x1, turn, x1, y1];
  return Math.abs(x0 - x1) < 0.5 ? [x0, y0, x1, y1] : [x0, y0, x0, turn, x1, turn, x1, y1];
}
