/** What is selected, highlighted and hovered, found in a drawing: items, rows of chips, edges. */
import { ITEM } from "../base/scene/scene.js";

/**
 * @typedef {import("./drawing.js").Drawing} Drawing
 * @typedef {"exact" | "line" | "search" | "near" | "near-line"} Style `near`: kin of what the pointer is over
 * @typedef {{nodes: readonly number[], style: Style}} Highlight
 *
 * @typedef {object} Found
 * @property {Map<number, number>} items item -> how many of the nodes it stands for
 * @property {readonly (readonly [number, number])[]} chips item and row
 *
 * @typedef {object} Focus what stands out: anything else is veiled
 * @property {Found} found
 * @property {Uint8Array} edges 1: both ends of this scene edge are in it
 * @property {Uint32Array} before how many of the items before each one are in it; one entry more than items
 */

/** More edges than this cannot be told apart, and cost time. */
const MOST_EDGES = 2000;
/** @type {Found} */
const NOTHING = Object.freeze({ items: new Map(), chips: [] });

/** Changed in place by the view that owns it; derived lists are made when something is set, not when it is drawn. */
export class Marked {
  constructor() {
    /** @type {readonly number[]} */ this.nodes = [];
    /** Selected group, or -1. */
    this.group = -1;
    /** @type {readonly Highlight[]} */ this.highlights = [];
    /** @type {readonly number[] | null} */ this.focused = null;
    /** @type {Focus | null} */ this.focus = null;
    /** @type {readonly number[] | null} */ this.shown = null;
    /** What a filter leaves. @type {Focus | null} */ this.filter = null;
    /** Item under the pointer, or -1. */
    this.item = -1;
    /** Scene edge under the pointer, or -1. */
    this.edge = -1;
    /** @type {Found} */ this.selected = NOTHING;
    /** @type {{style: Style, found: Found}[]} */ this.highlighted = [];
    /** @type {number[]} scene edges into what is selected */ this.edgesIn = [];
    /** @type {number[]} */ this.edgesOut = [];
  }

  /** Finds everything again, in another drawing. @param {Drawing} drawing */
  find(drawing) {
    this.item = -1;
    this.edge = -1;
    this.setSelection(drawing, this.nodes, this.group);
    this.setHighlights(drawing, this.highlights);
    this.setFocus(drawing, this.focused);
    this.setFilter(drawing, this.shown);
  }

  /** As it is now, for as long as its drawing is still seen. @returns {Marked} */
  copy() {
    return Object.assign(new Marked(), this, { item: -1, edge: -1 });
  }

  /** Nothing is selected, highlighted or hovered: another graph. */
  clear() {
    this.nodes = [];
    this.group = -1;
    this.highlights = [];
    this.focused = null;
    this.shown = null;
    this.filter = null;
  }

  /** @param {Drawing} drawing @param {readonly number[]} nodes @param {number} group */
  setSelection(drawing, nodes, group) {
    this.nodes = nodes;
    this.group = group;
    this.selected = findNodes(drawing, nodes);
    const item = group < 0 ? -1 : drawing.itemOfGroup[group];
    if (item >= 0) this.selected.items.set(item, 1);
    const whole = [...this.selected.items.keys()].filter((each) => each === item || drawing.isNode(each));
    this.edgesIn = edgesOf(drawing, whole, "in");
    this.edgesOut = edgesOf(drawing, whole, "out");
  }

  /** @param {Drawing} drawing @param {readonly Highlight[]} highlights */
  setHighlights(drawing, highlights) {
    this.highlights = highlights;
    this.highlighted = highlights.map(({ nodes, style }) => ({ style, found: findNodes(drawing, nodes) }));
  }

  /** @param {Drawing} drawing @param {readonly number[] | null} nodes null: everything */
  setFocus(drawing, nodes) {
    this.focused = nodes;
    this.focus = nodes ? focusOn(drawing, findNodes(drawing, nodes)) : null;
  }

  /** @param {Drawing} drawing @param {readonly number[] | null} nodes null: all */
  setFilter(drawing, nodes) {
    if (nodes === null && this.shown === null) return;
    this.shown = nodes;
    this.filter = nodes ? focusOn(drawing, findNodes(drawing, nodes)) : null;
  }
}

/** Nodes that show something in focus as a chip are in focus too. @param {Drawing} drawing @param {Found} found @returns {Focus} */
function focusOn({ scene: { items, edges } }, found) {
  for (const [item] of found.chips) if (!found.items.has(item)) found.items.set(item, 1);
  const before = new Uint32Array(items.count + 1);
  for (let i = 0; i < items.count; i++) before[i + 1] = before[i] + (found.items.has(i) ? 1 : 0);
  const inside = new Uint8Array(edges.count);
  for (let e = 0; e < edges.count; e++) inside[e] = found.items.has(edges.from[e]) && found.items.has(edges.to[e]) ? 1 : 0;
  return { found, edges: inside, before };
}

/** @param {Drawing} drawing @param {readonly number[]} nodes @returns {Found} */
function findNodes(drawing, nodes) {
  /** @type {Map<number, number>} */
  const items = new Map();
  /** @type {[number, number][]} */
  const chips = [];
  for (const node of nodes) {
    const drawn = drawing.standOf(node);
    const folded = drawing.model.folded[drawn];
    for (const item of drawing.itemsOf(node)) {
      const rows = folded && drawing.isNode(item) ? rowsOf(drawing, item, drawn) : [];
      for (const row of rows) chips.push([item, row]);
      if (rows.length === 0) items.set(item, (items.get(item) ?? 0) + 1);
    }
  }
  return { items, chips };
}

/** The rows of an item that show a node. @param {Drawing} drawing @param {number} item @param {number} node @returns {number[]} */
function rowsOf(drawing, item, node) {
  return drawing.textsOf(item).chips.flatMap((chip, row) => (chip.node === node ? [row] : []));
}

/** @param {Drawing} drawing @param {readonly number[]} items @param {"in" | "out"} side @returns {number[]} */
function edgesOf(drawing, items, side) {
  /** @type {Set<number>} */
  const found = new Set();
  for (const item of items) {
    const edges = drawing.scene.items.kind[item] === ITEM.OPEN ? crossing(drawing, item, side) : drawing.edgesOf(item, side);
    for (const edge of edges) {
      if (found.size >= MOST_EDGES) return [...found];
      found.add(edge);
    }
  }
  return [...found];
}

/** Edges across the border of an open group. @param {Drawing} drawing @param {number} item @param {"in" | "out"} side @returns {number[]} */
function crossing({ scene: { items, edges } }, item, side) {
  const [near, far] = side === "in" ? [edges.to, edges.from] : [edges.from, edges.to];
  const inside = (/** @type {number} */ each) => each >= item && each < items.end[item];
  const found = [];
  for (let e = 0; e < edges.count; e++) if (inside(near[e]) && !inside(far[e])) found.push(e);
  return found;
}
