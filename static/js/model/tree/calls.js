/**
 * A module that is called again after something that needed its first call (one ReLU after every convolution, a shared
 * layer) would be a group that depends on itself through others, and no drawing of it flows down. So every such call is a
 * group of its own.
 */

/**
 * @typedef {object} Nesting groups as a forest of modules: what `grouptree.js` starts from
 * @property {Int32Array} module
 * @property {Uint8Array} backward
 * @property {Int32Array} parent
 * @property {Int32Array} op which of the model's `calls` its nodes were decomposed from, -1: a module
 * @property {Int32Array} chain the first node of a chain of pointwise and view ops, -1: none
 * @property {Int32Array} call how many groups of the same module (and half) come before
 * @property {Int32Array} groupOf by node
 *
 * @typedef {{base: number, group: number, nodes: Int32Array, from: number, to: number}} Call the group that is one call of the
 *   given group `base`, and the nodes in it: those of `nodes` from one index up to, not including, another; ascending
 */

/** Steps of following edges, per edge of the graph: enough for every captured graph seen; beyond, calls stay together. */
const STEPS_PER_EDGE = 64;

/**
 * @param {import("../types.js").LayoutModel} model
 * @param {Omit<Nesting, "call">} given one group per module (and half)
 * @returns {Nesting} the given groups are the first calls
 */
export function splitCalls(model, given) {
  const splitter = new Splitter(model, given);
  const drawn = new Int32Array(model.count);
  let count = 0;
  for (let i = 0; i < model.count; i++) if (!model.folded[i]) drawn[count++] = i;
  splitter.pending.push({ base: 0, group: 0, nodes: drawn, from: 0, to: count });
  for (const next of splitter.pending) splitter.open(next); // grows while it is walked
  splitter.placeFolded();
  const { later } = splitter;
  const all = (/** @type {Int32Array} */ column) => extended(column, later.map(({ base }) => column[base]));
  return {
    module: all(given.module),
    backward: new Uint8Array(all(new Int32Array(given.backward))),
    parent: extended(splitter.parent, later.map(({ around }) => around)),
    op: all(given.op),
    chain: all(given.chain),
    call: extended(new Int32Array(given.parent.length), later.map(({ call }) => call)),
    groupOf: splitter.groupOf,
  };
}

/** @param {Int32Array} column @param {number[]} more what stands behind it */
function extended(column, more) {
  const all = new Int32Array(column.length + more.length);
  all.set(column);
  all.set(more, column.length);
  return all;
}

/** Opens groups from the outside in, and hands the nodes inside on to calls of the groups inside. */
class Splitter {
  /** @param {import("../types.js").LayoutModel} model @param {Omit<Nesting, "call">} given */
  constructor(model, given) {
    this.model = model;
    this.given = given;
    this.parent = given.parent.slice();
    /** The groups behind the given ones: the `call`-th of a given one, and the group around it. @type {{base: number, call: number, around: number}[]} */
    this.later = [];
    this.groupOf = given.groupOf.slice();
    this.calls = new Int32Array(given.parent.length);
    /** By child of the group being opened: its nodes, how often they begin anew, where the next one is put; else 0. */
    this.sizes = new Int32Array(given.parent.length);
    this.runs = new Int32Array(given.parent.length);
    this.next = new Int32Array(given.parent.length);
    /** Where the edges that end at a node start in the graph's edges, which come sorted by their end. */
    this.firstEdge = firstEdges(model);
    /** By node: the child of the group being opened that holds it, or -1; valid where `seen` is that group. */
    this.inside = new Int32Array(model.count);
    this.seen = new Int32Array(model.count).fill(-1);
    this.reached = new Int32Array(model.count);
    this.stamp = 0;
    this.stepsLeft = STEPS_PER_EDGE * (model.edges.count + 1000);
    /** Earlier calls before later ones. @type {Call[]} */
    this.pending = [];
  }

  /** @param {Call} opened */
  open(opened) {
    const { base, group, nodes, from, to } = opened;
    /** @type {number[]} */
    const children = [];
    let last = -1;
    for (let k = from; k < to; k++) {
      const node = nodes[k];
      const child = this.childAround(node, base);
      this.inside[node] = child;
      this.seen[node] = group;
      if (child < 0) this.groupOf[node] = group;
      else {
        if (child !== last && this.runs[child]++ === 0) children.push(child);
        this.sizes[child]++;
      }
      last = child;
    }
    if (children.length === 0) return; // most groups hold none
    const sorted = this.byChild(children, opened);
    for (const child of children) {
      const end = this.next[child];
      const start = end - this.sizes[child];
      const starts = this.runs[child] > 1 ? this.callsOf(child, opened, sorted, start, end) : [start];
      for (let i = 0; i < starts.length; i++)
        this.pending.push({ base: child, group: this.groupFor(child, group), nodes: sorted, from: starts[i], to: starts[i + 1] ?? end });
      this.sizes[child] = this.runs[child] = this.next[child] = 0;
    }
  }

  /** The nodes of the children, one child after the other. @param {readonly number[]} children @param {Call} opened */
  byChild(children, { nodes, from, to }) {
    let length = 0;
    for (const child of children) {
      this.next[child] = length;
      length += this.sizes[child];
    }
    const sorted = new Int32Array(length);
    for (let k = from; k < to; k++) {
      const child = this.inside[nodes[k]];
      if (child >= 0) sorted[this.next[child]++] = nodes[k];
    }
    return sorted;
  }

  /**
   * The child of a given group that holds a node, or -1 when the node is directly in it.
   * @param {number} node
   * @param {number} base
   */
  childAround(node, base) {
    let at = this.given.groupOf[node];
    if (at === base) return -1;
    while (this.given.parent[at] !== base) at = this.given.parent[at];
    return at;
  }

  /**
   * Cuts a child's nodes wherever one needs an outer node that needs the call so far.
   * @param {number} child @param {Call} opened the group around it @param {Int32Array} inside holds the nodes of the child
   * @param {number} first where they start in it @param {number} end
   * @returns {number[]} where in `inside` a call starts
   */
  callsOf(child, { group, nodes, from, to }, inside, first, end) {
    const { src } = this.model.edges;
    const starts = [first];
    let placed = first;
    const last = inside[end - 1];
    let current = ++this.stamp; // reached[n] === current: in this call; current + 1: needs it, outside
    this.stamp++;
    for (let k = indexOf(nodes, from, to, inside[first]); k < to && nodes[k] <= last && this.stepsLeft > 0; k++) {
      const node = nodes[k];
      const own = this.inside[node] === child;
      let needs = false;
      for (let e = this.firstEdge[node]; e < this.firstEdge[node + 1]; e++) {
        const read = src[e];
        if (this.seen[read] !== group) continue;
        needs ||= this.reached[read] === current + 1 || (!own && this.reached[read] === current);
      }
      this.stepsLeft -= this.firstEdge[node + 1] - this.firstEdge[node] + 1;
      if (own && needs) {
        current = ++this.stamp;
        this.stamp++;
        starts.push(placed);
      }
      if (own) placed++;
      if (own || needs) this.reached[node] = own ? current : current + 1;
    }
    return starts;
  }

  /** The next group for a call of a given group: itself the first time. @param {number} base @param {number} around */
  groupFor(base, around) {
    const call = this.calls[base]++;
    if (call === 0) {
      this.parent[base] = around;
      return base;
    }
    return this.parent.length + this.later.push({ base, call, around }) - 1;
  }

  /** A folded node goes with the first of its users in the same module. */
  placeFolded() {
    const { edges, folded } = this.model;
    const done = new Uint8Array(this.model.count);
    for (let e = 0; e < edges.count; e++) {
      const node = edges.src[e];
      const user = edges.dst[e];
      if (!folded[node] || done[node] || this.given.groupOf[node] !== this.given.groupOf[user]) continue;
      this.groupOf[node] = this.groupOf[user];
      done[node] = 1;
    }
  }
}

/** @param {import("../types.js").LayoutModel} model */
function firstEdges({ count, edges }) {
  const first = new Int32Array(count + 1);
  for (let e = 0; e < edges.count; e++) first[edges.dst[e] + 1]++;
  for (let i = 0; i < count; i++) first[i + 1] += first[i];
  return first;
}

/** @param {Int32Array} ascending from one index to another @param {number} from @param {number} to @param {number} value one of them */
function indexOf(ascending, from, to, value) {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
