/** A scene made ready to draw: which item shows a node, each item's edges, the order in which edges are worth drawing. */
import { ITEM } from "../base/scene/scene.js";
import { adjacency } from "../base/adjacency.js";
import { groupTexts, nodeTexts } from "../model/texts.js";

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../model/types.js").GroupTree} GroupTree
 * @typedef {import("../base/adjacency.js").Adjacency} Adjacency
 * @typedef {import("../base/scene/scene.js").Scene} Scene
 * @typedef {import("../base/scene/scene.js").SceneItems} SceneItems
 * @typedef {import("../base/scene/scene.js").SceneEdges} SceneEdges
 * @typedef {import("./lens/camera.js").Rect} Rect
 *
 * @typedef {import("../model/texts.js").Row} Chip
 *
 * @typedef {{title: string, detail: string, chips: readonly Chip[]}} ItemTexts label and type of a node, or the two lines of a group
 */

/** Buckets of edge lengths: a factor of two each, from under one unit up. */
const BUCKETS = 32;
/** @type {readonly Chip[]} */
const NO_CHIPS = Object.freeze([]);

/** Immutable once made. */
export class Drawing {
  /** @param {GraphModel} model @param {GroupTree} tree @param {Scene} scene */
  constructor(model, tree, scene) {
    this.model = model;
    this.tree = tree;
    this.scene = scene;
    /** @type {Rect} */
    this.rect = { x: 0, y: 0, w: scene.width, h: scene.height };
    this.itemOfGroup = new Int32Array(tree.count).fill(-1);
    this.itemOfNode = new Int32Array(model.count).fill(-1);
    this.place(scene.items);
    const { edges, items } = scene;
    /** @type {Adjacency} edges of the scene that start at an item */
    this.out = adjacency(items.count, edges.from);
    /** @type {Adjacency} edges of the scene that end at an item */
    this.in = adjacency(items.count, edges.to);
    const sorted = sortEdges(edges);
    /** Edges of the scene, long ones first. */
    this.order = sorted.order;
    /** x0, y0, x1, y1 of every edge, in that order. */
    this.bounds = sorted.bounds;
    /** Of every item: how many groups are around it. */
    this.depth = depths(items);
    /** Items at which an edge too long to draw starts or ends. */
    this.stubbed = stubbed(edges, items.count);
    /** @type {(ItemTexts | undefined)[]} made when an item is first drawn large enough */
    this.texts = new Array(items.count);
  }

  /** @param {SceneItems} items */
  place(items) {
    for (let i = 0; i < items.count; i++) {
      (items.kind[i] === ITEM.NODE ? this.itemOfNode : this.itemOfGroup)[items.ref[i]] = i;
    }
    const { groupOf, parent } = this.tree;
    for (let node = 0; node < this.itemOfNode.length; node++) {
      if (this.itemOfNode[node] >= 0 || this.model.folded[node]) continue;
      let group = groupOf[node];
      while (group > 0 && this.itemOfGroup[group] < 0) group = parent[group];
      this.itemOfNode[node] = group > 0 ? this.itemOfGroup[group] : -1;
    }
  }

  /** @param {number} item @returns {Rect} */
  rectOf(item) {
    const { x, y, w, h } = this.scene.items;
    return { x: x[item], y: y[item], w: w[item], h: h[item] };
  }

  /** @param {number} item */
  isNode(item) {
    return this.scene.items.kind[item] === ITEM.NODE;
  }

  /** The node that is drawn for a node: the same one of the first of identical blocks, what a hidden view is of, itself. @param {number} node @returns {number} */
  standOf(node) {
    return this.model.stand?.[node] ?? node;
  }

  /** The items on which a node is seen: itself, the closed group around it, or the nodes that read or write a folded node. @param {number} node @returns {number[]} */
  itemsOf(node) {
    const drawn = this.standOf(node);
    const own = this.itemOfNode[drawn] ?? -1;
    if (own >= 0) return [own];
    if (!this.model.folded[drawn]) return [];
    const seen = [...this.model.usersOf(drawn), ...(this.model.writers.get(drawn) ?? [])];
    return [...new Set(seen.map((each) => this.itemOfNode[each]))].filter((item) => item >= 0);
  }

  /** The nodes that an item shows: its own, or all of a closed group. @param {number} item @returns {number[]} */
  nodesOf(item) {
    if (this.isNode(item)) return [this.scene.items.ref[item]];
    const nodes = [];
    for (let node = 0; node < this.itemOfNode.length; node++) if (this.itemOfNode[node] === item) nodes.push(node);
    return nodes;
  }

  /** @param {number} item @returns {ItemTexts} */
  textsOf(item) {
    return (this.texts[item] ??= this.isNode(item) ? this.textsOfNode(this.scene.items.ref[item])
      : { ...groupTexts(this.tree, this.scene.items.ref[item]), chips: NO_CHIPS });
  }

  /** @param {number} node @returns {ItemTexts} */
  textsOfNode(node) {
    const { label, type, rows } = nodeTexts(this.model, node);
    return { title: label, detail: type, chips: rows };
  }

  /** Does anything read this output of a node, by itself or with the others? @param {number} item @param {number} output */
  readsOutput(item, output) {
    const { out, edges } = this.model;
    const node = this.scene.items.ref[item];
    const read = out.edge.subarray(out.start[node], out.start[node + 1]);
    return read.some((edge) => edges.output[edge] === output || edges.output[edge] < 0);
  }

  /** Do several nodes read this one? @param {number} node */
  isShared(node) {
    const { out, edges } = this.model;
    const [first, last] = [out.start[node], out.start[node + 1] - 1];
    return edges.dst[out.edge[first]] !== edges.dst[out.edge[last]]; // edges stand in order of the nodes they end in
  }

  /** What to call an item: the node's name, or the group's title. @param {number} item */
  nameOf(item) {
    const ref = this.scene.items.ref[item];
    if (this.isNode(item)) return this.model.name[ref];
    return this.tree.backward[ref] ? `backward ${this.tree.title[ref]}` : this.tree.title[ref];
  }

  /** Scene edges of an item. @param {number} item @param {"in" | "out"} side @returns {Uint32Array} */
  edgesOf(item, side) {
    const { start, edge } = this[side];
    return edge.subarray(start[item], start[item + 1]);
  }
}

/** @param {SceneItems} items */
function depths({ count, parent }) {
  const depth = new Uint8Array(count);
  for (let i = 0; i < count; i++) depth[i] = parent[i] < 0 ? 0 : depth[parent[i]] + 1;
  return depth;
}

/** @param {SceneEdges} edges @param {number} items @returns {Int32Array} item indices, ascending */
function stubbed(edges, items) {
  const marked = new Uint8Array(items);
  for (let e = 0; e < edges.count; e++) {
    if (edges.stub[e]) marked[edges.from[e]] = marked[edges.to[e]] = 1;
  }
  const found = new Int32Array(marked.reduce((sum, mark) => sum + mark, 0));
  let length = 0;
  for (let i = 0; i < items; i++) if (marked[i]) found[length++] = i;
  return found;
}

/** @param {SceneEdges} edges @returns {{order: Uint32Array, bounds: Float32Array}} a counting sort by the length's power of two */
function sortEdges(edges) {
  const boxes = new Float32Array(4 * edges.count);
  const bucket = new Uint8Array(edges.count);
  const next = new Uint32Array(BUCKETS + 1);
  for (let e = 0; e < edges.count; e++) {
    const length = bound(edges, e, boxes);
    bucket[e] = BUCKETS - 1 - Math.min(BUCKETS - 1, Math.max(0, Math.floor(Math.log2(length + 1))));
    next[bucket[e] + 1]++;
  }
  for (let b = 0; b < BUCKETS; b++) next[b + 1] += next[b];
  const order = new Uint32Array(edges.count);
  const bounds = new Float32Array(4 * edges.count);
  for (let e = 0; e < edges.count; e++) {
    const at = next[bucket[e]]++;
    order[at] = e;
    for (let side = 0; side < 4; side++) bounds[4 * at + side] = boxes[4 * e + side];
  }
  return { order, bounds };
}

/** Writes the bounding box of edge `e`. @param {SceneEdges} edges @param {number} e @param {Float32Array} boxes @returns {number} its half perimeter */
function bound({ start, points }, e, boxes) {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = start[e]; at < start[e + 1]; at++) {
    const x = points[2 * at];
    const y = points[2 * at + 1];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  boxes[4 * e] = x0;
  boxes[4 * e + 1] = y0;
  boxes[4 * e + 2] = x1;
  boxes[4 * e + 3] = y1;
  return x1 - x0 + y1 - y0;
}

/**
 * The edges of the graph that a scene edge stands for, in order of the nodes they end in.
 * @param {Drawing} drawing @param {number} edge scene edge @returns {number[]}
 */
export function carriedBy({ model, scene: { items, edges }, itemOfNode }, edge) {
  const [from, to] = [edges.from[edge], edges.to[edge]];
  if (edges.weight[edge] === 1) return [edges.edge[edge]];
  const fits = (/** @type {number} */ each) => itemOfNode[model.edges.src[each]] === from && itemOfNode[model.edges.dst[each]] === to;
  const { start, edge: into } = model.in;
  const node = items.kind[to] === ITEM.NODE ? items.ref[to] : -1;
  const found = node < 0 ? Array.from(into) : Array.from(into.subarray(start[node], start[node + 1]));
  return found.filter(fits);
}
