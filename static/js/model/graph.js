/**
 * The columnar answer as a `GraphModel`: typed arrays, adjacency, names to indices, and which nodes fold into their users.
 */

import { adjacency, uniqueNeighbours } from "../base/adjacency.js";

/**
 * @typedef {import("./types.js").GraphColumns} GraphColumns
 * @typedef {import("../base/adjacency.js").Adjacency} Adjacency
 * @typedef {import("./types.js").Edges} Edges
 * @typedef {import("./types.js").LayoutModel} LayoutModel
 */

/** Values of `op`. */
export const OP = Object.freeze({
  PLACEHOLDER: 0,
  GET_ATTR: 1,
  CALL_FUNCTION: 2,
  CALL_METHOD: 3,
  CALL_MODULE: 4,
  OUTPUT: 5,
});

/** @type {import("./types.js").Folded} */
const NOTHING_FOLDED = Object.freeze({ rows: [], chained: false });

/** One graph. Node index = execution order. Immutable; columns are documented in docs/api.md. */
export class GraphModel {
  /**
   * @param {GraphColumns} columns @throws {RangeError} when a column has another length, or an index points outside its table
   */
  constructor(columns) {
    check(columns);
    const { nodes, edges } = columns;
    /** The answer itself, for a graph of only some of its nodes. */
    this.columns = columns;
    this.id = columns.id;
    this.title = columns.title;
    this.stage = columns.stage;
    this.targetId = columns.target;
    this.fragment = columns.fragment;
    this.inference = columns.inference;
    this.parent = columns.parent;
    this.count = nodes.name.length;
    this.strings = columns.strings;
    this.kinds = columns.kinds;
    this.modules = columns.modules;
    this.calls = columns.calls;
    this.lines = columns.lines;
    this.name = nodes.name;
    this.op = new Uint8Array(nodes.op);
    this.kind = new Uint8Array(nodes.kind);
    this.target = new Int32Array(nodes.target_s);
    this.label = new Int32Array(nodes.label_s);
    this.type = new Int32Array(nodes.type_s);
    this.module = new Int32Array(nodes.module);
    this.group = new Int32Array(nodes.group);
    this.line = new Int32Array(nodes.line);
    this.backward = new Uint8Array(nodes.backward);
    this.call = new Int32Array(nodes.call);
    this.dtype = new Int32Array(nodes.dtype_s);
    this.bytes = new Float64Array(nodes.bytes);
    this.core = new Int8Array(nodes.core);
    this.tag = new Int32Array(nodes.tag_s);
    this.original = new Int32Array(nodes.original_s);
    /** @type {Edges} */
    this.edges = {
      count: edges.src.length,
      src: new Int32Array(edges.src),
      dst: new Int32Array(edges.dst),
      slot: new Int32Array(edges.slot_s),
      output: new Int32Array(edges.output),
    };
    /** @type {Adjacency} edges that end at a node */
    this.in = adjacency(this.count, this.edges.dst);
    /** @type {Adjacency} edges that start at a node */
    this.out = adjacency(this.count, this.edges.src);
    /** 1: drawn as a chip on its users, never as an item. A chip that nobody uses is drawn as a node. */
    this.folded = new Uint8Array(nodes.chip);
    for (let i = 0; i < this.count; i++) if (this.out.start[i + 1] === this.out.start[i]) this.folded[i] = 0;
    /** Folded nodes of every node, each once: `node[start[i]]` up to `node[start[i + 1]]`. */
    this.chips = uniqueNeighbours(this.in, this.edges.src, this.folded);
    /** @type {Map<number, string[]>} GIDs of the graphs a node runs */
    this.bodies = new Map();
    for (const [node, gid] of columns.bodies) listed(this.bodies, node).push(gid);
    /** @type {Map<number, readonly number[]>} */
    this.outputs = new Map(columns.outputs);
    this.returns = columns.returns;
    /** Rows of identical blocks: `folding/` draws one for all. */
    this.repeats = columns.repeats ?? [];
    /** Which node is drawn for each; null: every node for itself. @type {Int32Array|null} */
    this.stand = null;
    /** What of it is folded. @type {import("./types.js").Folded} */
    this.folds = NOTHING_FOLDED;
    /** The graph that is folded: of one as captured itself. @type {GraphModel} */
    this.base = this;
    /** @type {Map<number, import("./types.js").Returned[]>} */
    this.returned = returnedOf(columns);
    /** Nodes whose value is written into a node, or is its gradient. @type {Map<number, number[]>} */
    this.writers = new Map();
    for (const [node, named] of this.returned)
      for (const { into } of named) if (into >= 0) listed(this.writers, into).push(node);
    /** @type {Map<string, number>|null} */
    this.named = null;
  }

  /** Nodes by their names; made when first asked for: of 100,000 nodes it takes as long as a third of everything else here. */
  get index() {
    if (this.named) return this.named;
    this.named = new Map();
    for (let i = 0; i < this.count; i++) this.named.set(this.name[i], i);
    return this.named;
  }

  /** @param {string} name @returns {number} the node's index, or -1 */
  indexOf(name) {
    return this.index.get(name) ?? -1;
  }

  /** @param {number} node */
  labelOf(node) {
    return this.strings[this.label[node]];
  }

  /** @param {number} node */
  targetOf(node) {
    return this.strings[this.target[node]];
  }

  /** @param {number} node */
  typeOf(node) {
    return this.strings[this.type[node]];
  }

  /** @param {number} node */
  kindOf(node) {
    return this.kinds[this.kind[node]];
  }

  /** Module path that torch recorded, "" for none or the root. @param {number} node */
  modulePathOf(node) {
    return this.module[node] < 0 ? "" : this.modules[this.module[node]].path;
  }

  /** The person's own line, or null. @param {number} node @returns {[string, number]|null} */
  lineOf(node) {
    return this.line[node] < 0 ? null : this.lines[this.line[node]];
  }

  /** Nodes whose value this node reads, each once, ascending. @param {number} node */
  sourcesOf(node) {
    return neighbours(this.in, this.edges.src, node);
  }

  /** Nodes that read this node's value, each once, ascending. @param {number} node */
  usersOf(node) {
    return neighbours(this.out, this.edges.dst, node);
  }

  /** The type of what an edge carries: of one output where it takes one of several. @param {number} edge */
  typeOnEdge(edge) {
    const source = this.edges.src[edge];
    const value = this.edges.value?.[edge] ?? source;
    if (value !== source) return this.typeOf(value); // what a hidden view made of it
    const types = this.outputs.get(source);
    const output = this.edges.output[edge];
    return types && output >= 0 && output < types.length ? this.strings[types[output]] : this.typeOf(source);
  }

  /** The folded nodes drawn on this node. @param {number} node @returns {Int32Array} */
  chipsOf(node) {
    return this.chips.node.subarray(this.chips.start[node], this.chips.start[node + 1]);
  }
}

/** @template T @param {Map<number, T[]>} lists @param {number} key @returns {T[]} the list of a key, made when it is first asked for */
function listed(lists, key) {
  const list = lists.get(key) ?? [];
  if (list.length === 0) lists.set(key, list);
  return list;
}

/** Kinds of what a graph returns that are about something with a name. */
const NAMED = /_mutation$|^gradient$/;

/**
 * What becomes of the values that are returned as the new state of something, or as the gradient of something.
 * @param {GraphColumns} columns @returns {Map<number, import("./types.js").Returned[]>}
 */
function returnedOf({ nodes, strings, returns }) {
  const named = returns.filter(([node, kind, name]) => node >= 0 && name && NAMED.test(kind));
  /** @type {Map<number, import("./types.js").Returned[]>} */
  const found = new Map();
  if (named.length === 0) return found;
  /** @type {Map<string, number>} */
  const given = new Map();
  nodes.op.forEach((op, node) => op <= OP.GET_ATTR && given.set(strings[nodes.label_s[node]], node));
  for (const [node, kind, name] of named) listed(found, node).push({ kind, name, into: given.get(name) ?? -1 });
  return found;
}

/** The part of a model that layout needs, cheap to send to a worker. @param {GraphModel} model @returns {LayoutModel} */
export function layoutModel(model) {
  const {
    stage,
    count,
    strings,
    kinds,
    target,
    label,
    type,
    op,
    kind,
    group,
    folded,
    backward,
    modules,
    call,
    calls,
    edges,
    chips,
    bodies,
    outputs,
    returned,
    stand,
    folds,
  } = model;
  return {
    stage,
    count,
    strings,
    kinds,
    target,
    label,
    type,
    op,
    kind,
    group,
    folded,
    backward,
    modules,
    call,
    calls,
    edges,
    chips,
    bodies,
    outputs,
    returned,
    stand,
    folds,
  };
}

/** @param {Adjacency} adjacency @param {Int32Array} end @param {number} node @returns {number[]} */
function neighbours({ start, edge }, end, node) {
  const found = new Set();
  for (let i = start[node]; i < start[node + 1]; i++) found.add(end[edge[i]]);
  return [...found].sort((a, b) => a - b);
}

/** @param {GraphColumns} columns */
function check(columns) {
  const count = columns.nodes.name.length;
  /** @type {[keyof import("./types.js").NodeColumns, number, number][]} */
  const limits = [
    ["op", 0, 6],
    ["target_s", 0, columns.strings.length],
    ["label_s", 0, columns.strings.length],
    ["kind", 0, columns.kinds.length],
    ["type_s", 0, columns.strings.length],
    ["module", -1, columns.modules.length],
    ["group", 0, columns.modules.length],
    ["line", -1, columns.lines.length],
    ["chip", 0, 2],
    ["backward", 0, 2],
    ["call", -1, columns.calls.length],
    ["dtype_s", 0, columns.strings.length],
    ["bytes", -1, Infinity],
    ["core", -1, 2],
    ["tag_s", 0, columns.strings.length],
    ["original_s", 0, columns.strings.length],
  ];
  for (const [name, low, high] of limits)
    within(columns.id, name, /** @type {number[]} */ (columns.nodes[name]), count, low, high);
  within(columns.id, "edges.src", columns.edges.src, columns.edges.src.length, 0, count);
  within(columns.id, "edges.dst", columns.edges.dst, columns.edges.src.length, 0, count);
  within(columns.id, "edges.slot_s", columns.edges.slot_s, columns.edges.src.length, 0, columns.strings.length);
  within(columns.id, "edges.output", columns.edges.output, columns.edges.src.length, -1, Infinity);
  columns.outputs.forEach(([node, types], i) => {
    within(columns.id, `outputs[${i}]`, [node], 1, 0, count);
    within(columns.id, `outputs[${i}]`, types, types.length, 0, columns.strings.length);
  });
  const { src, dst } = columns.edges;
  const wrong = dst.findIndex((user, e) => src[e] >= user || (e > 0 && user < dst[e - 1]));
  if (wrong >= 0)
    throw new RangeError(`${columns.id}: edge ${wrong} from ${src[wrong]} to ${dst[wrong]} is not in execution order`);
  columns.modules.forEach(({ parent }, i) => {
    if (i === 0 ? parent !== -1 : !(parent >= 0 && parent < i))
      throw new RangeError(`${columns.id}: module ${i} has parent ${parent}`);
  });
}

/**
 * @param {string} id
 * @param {string} name
 * @param {number[]} column
 * @param {number} length
 * @param {number} low
 * @param {number} high
 */
function within(id, name, column, length, low, high) {
  if (column.length !== length)
    throw new RangeError(`${id}: column ${name} has ${column.length} entries, expected ${length}`);
  for (let i = 0; i < length; i++)
    if (!(column[i] >= low && column[i] < high))
      throw new RangeError(`${id}: ${name}[${i}] is ${column[i]}, expected ${low} to ${high - 1}`);
}
