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
  const drawn = [];
  for (let i = 0; i < model.count; i++) if (!model.folded[i]) drawn.push(i);
  splitter.pending.push({ base: 0, group: 0, nodes: Int32Array.from(drawn) });
  for (const next of splitter.pending) splitter.open(next.base, next.group, next.nodes); // grows while it is walked
  splitter.placeFolded();
  return {
    module: Int32Array.from(splitter.module),
    backward: Uint8Array.from(splitter.backward),
    parent: Int32Array.from(splitter.parent),
    op: Int32Array.from(splitter.op),
    chain: Int32Array.from(splitter.chain),
    call: Int32Array.from(splitter.call),
    groupOf: splitter.groupOf,
  };
}

/** Opens groups from the outside in, and hands the nodes inside on to calls of the groups inside. */
class Splitter {
  /** @param {import("../types.js").LayoutModel} model @param {Omit<Nesting, "call">} given */
  constructor(model, given) {
    this.model = model;
    this.given = given;
    this.module = Array.from(given.module);
    this.backward = Array.from(given.backward);
    this.parent = Array.from(given.parent);
    this.op = Array.from(given.op);
    this.chain = Array.from(given.chain);
    this.call = this.module.map(() => 0);
    this.groupOf = given.groupOf.slice();
    this.calls = new Int32Array(given.parent.length);
    /** Where the edges that end at a node start in the graph's edges, which come sorted by their end. */
    this.firstEdge = firstEdges(model);
    /** By node: the child of the group being opened that holds it, or -1; valid where `seen` is that group. */
    this.inside = new Int32Array(model.count);
    this.seen = new Int32Array(model.count).fill(-1);
    this.reached = new Int32Array(model.count);
    this.stamp = 0;
    this.stepsLeft = STEPS_PER_EDGE * (model.edges.count + 1000);
    /** Earlier calls before later ones. @type {{base: number, group: number, nodes: Int32Array}[]} */
    this.pending = [];
  }

  /**
   * @param {number} base the given group
   * @param {number} group the call of it that holds the nodes
   * @param {Int32Array} nodes ascending
   */
  open(base, group, nodes) {
    /** @type {Map<number, {runs: number, nodes: number[]}>} */
    const children = new Map();
    let last = -1;
    let run = /** @type {{runs: number, nodes: number[]}|undefined} */ (undefined); // of the child that held the node before
    for (const node of nodes) {
      const child = this.childAround(node, base);
      this.inside[node] = child;
      this.seen[node] = group;
      if (child !== last) {
        run = child < 0 ? undefined : (children.get(child) ?? { runs: 0, nodes: [] });
        if (run && run.runs++ === 0) children.set(child, run);
        last = child;
      }
      if (run) run.nodes.push(node);
      else this.groupOf[node] = group;
    }
    for (const [child, { runs, nodes: inside }] of children) {
      for (const call of runs > 1 ? this.callsOf(child, group, nodes, inside) : [inside]) {
        this.pending.push({ base: child, group: this.groupFor(child, group), nodes: Int32Array.from(call) });
      }
    }
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
   * @param {number} child @param {number} group @param {Int32Array} nodes of the group @param {number[]} inside of the child
   */
  callsOf(child, group, nodes, inside) {
    const { src } = this.model.edges;
    /** @type {number[][]} */
    const calls = [[]];
    const last = inside[inside.length - 1];
    let current = ++this.stamp; // reached[n] === current: in this call; current + 1: needs it, outside
    this.stamp++;
    for (let k = indexOf(nodes, inside[0]); nodes[k] <= last && this.stepsLeft > 0; k++) {
      const node = nodes[k];
      const own = this.inside[node] === child;
      let needs = false;
      for (let e = this.firstEdge[node]; e < this.firstEdge[node + 1]; e++) {
        const from = src[e];
        if (this.seen[from] !== group) continue;
        needs ||= this.reached[from] === current + 1 || (!own && this.reached[from] === current);
      }
      this.stepsLeft -= this.firstEdge[node + 1] - this.firstEdge[node] + 1;
      if (own && needs) {
        current = ++this.stamp;
        this.stamp++;
        calls.push([]);
      }
      if (own) calls[calls.length - 1].push(node);
      if (own || needs) this.reached[node] = own ? current : current + 1;
    }
    const placed = calls.reduce((sum, call) => sum + call.length, 0);
    calls[calls.length - 1].push(...inside.slice(placed));
    return calls;
  }

  /** The next group for a call of a given group: itself the first time. @param {number} base @param {number} around */
  groupFor(base, around) {
    const call = this.calls[base]++;
    if (call === 0) {
      this.parent[base] = around;
      return base;
    }
    this.module.push(this.given.module[base]);
    this.backward.push(this.given.backward[base]);
    this.op.push(this.given.op[base]);
    this.chain.push(this.given.chain[base]);
    this.call.push(call);
    return this.parent.push(around) - 1;
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

/** @param {Int32Array} ascending @param {number} value one of them */
function indexOf(ascending, value) {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
