/**
 * Pass 5: cuts every visible edge at the borders it crosses. Before: ranks and the direction of every edge. After: for
 * every open group the hops inside it, each from an upper to a lower end; an end is a child or a port on the group's border.
 *
 * A value has one port wherever it crosses a border, and hops of one value in one group share a `net`: one trunk is drawn.
 * An edge leaves groups at the bottom and enters them at the top; a reversed one leaves at the top and enters at the bottom.
 */

import { Int32List } from "../../base/growable.js";

/**
 * @typedef {object} Hops slots: 0 is the top, i + 1 the open group of item i
 * @property {number} count
 * @property {Int32Array} slot
 * @property {Int32Array} upper child item, or -1 - port on the upper border
 * @property {Int32Array} upperPort port of an open child that the hop leaves from (on its lower border), else -1
 * @property {Int32Array} lower child item, or -1 - port on the lower border
 * @property {Int32Array} lowerPort port on the upper border of an open child, else -1
 * @property {Int32Array} reversed 1: runs upwards
 * @property {Int32Array} net
 * @property {number} nets
 * @property {Int32Array} start visible edge e takes the hops `path[start[e]]` up to `path[start[e + 1]]`, from its source on
 * @property {Int32Array} path
 */

/**
 * @param {import("./visible.js").Items} items
 * @param {import("./lift.js").VisibleEdges} edges
 * @param {Uint8Array} reversed
 * @returns {Hops}
 */
export function cutAtBorders(items, edges, reversed) {
  const cutter = new Cutter(items);
  const start = new Int32Array(edges.count + 1);
  for (let e = 0; e < edges.count; e++) {
    cutter.cut(edges.from[e], edges.to[e], edges.owner[e], reversed[e]);
    start[e + 1] = cutter.path.length;
  }
  const { slot, upper, upperPort, lower, lowerPort, flags, net, nets, path } = cutter;
  return {
    count: slot.length,
    slot: slot.view(),
    upper: upper.view(),
    upperPort: upperPort.view(),
    lower: lower.view(),
    lowerPort: lowerPort.view(),
    reversed: flags.view(),
    net: net.view(),
    nets,
    start,
    path: path.view(),
  };
}

/** Remembers, for the source at hand, the port it has on every border and the hop that reaches every item. */
class Cutter {
  /** @param {import("./visible.js").Items} items */
  constructor({ parent, count }) {
    this.parent = parent;
    this.slot = new Int32List();
    this.upper = new Int32List();
    this.upperPort = new Int32List();
    this.lower = new Int32List();
    this.lowerPort = new Int32List();
    this.flags = new Int32List();
    this.net = new Int32List();
    this.path = new Int32List();
    this.nets = 0;
    /** Ports so far on the upper and lower border of every group. */
    this.ports = { upper: new Int32Array(count + 1), lower: new Int32Array(count + 1) };
    /** For edges that run down, and for those that run up. */
    this.known = [new Crossings(count), new Crossings(count)];
  }

  /**
   * Appends an edge's hops to `path`: out of every group up to the owner, across the owner, into every group down to `to`.
   * @param {number} from
   * @param {number} to
   * @param {number} owner
   * @param {number} reversed 1: leaves at upper borders, enters at lower ones
   */
  cut(from, to, owner, reversed) {
    const { exit, entry, left, reached } = this.known[reversed];
    const { parent, ports, path } = this;
    let end = { item: from, port: -1 };
    for (let group = parent[from]; group !== owner; group = parent[group]) {
      const port = exit.port(from, group, reversed ? ports.upper : ports.lower);
      const hop = left.get(from, group) ?? left.set(from, group, this.hop(group, end, borderEnd(port), reversed, from));
      path.push(hop);
      end = { item: group, port };
    }
    const first = path.length;
    let target = { item: to, port: -1 };
    for (let group = parent[to]; ; group = parent[group]) {
      const port = group === owner ? -1 : entry.port(from, group, reversed ? ports.lower : ports.upper);
      const source = group === owner ? end : borderEnd(port);
      const known = reached.get(from, target.item);
      path.push(known ?? reached.set(from, target.item, this.hop(group, source, target, reversed, from)));
      if (group === owner) break;
      target = { item: group, port };
    }
    path.view().subarray(first).reverse();
  }

  /**
   * @param {number} group
   * @param {End} source
   * @param {End} target
   * @param {number} reversed
   * @param {number} value the item whose value runs along: its hops down through a group are one net
   */
  hop(group, source, target, reversed, value) {
    const [upper, lower] = reversed ? [target, source] : [source, target];
    const { nets } = this.known[0];
    this.upper.push(upper.item);
    this.upperPort.push(upper.port);
    this.lower.push(lower.item);
    this.lowerPort.push(lower.port);
    this.flags.push(reversed);
    this.net.push(reversed ? this.nets++ : (nets.get(value, group) ?? nets.set(value, group, this.nets++)));
    return this.slot.push(group + 1);
  }
}

/** @typedef {{item: number, port: number}} End a child and its port, or -1 - a port on the group's own border */

/** @param {number} port @returns {End} */
function borderEnd(port) {
  return { item: -1 - port, port: -1 };
}

/** A number per item that counts only for the source it was set for; index -1 (the top) is allowed. */
class Marks {
  /** @param {number} count */
  constructor(count) {
    this.source = new Int32Array(count + 1).fill(-1);
    this.value = new Int32Array(count + 1);
  }

  /** @param {number} source @param {number} at @returns {number|undefined} */
  get(source, at) {
    return this.source[at + 1] === source ? this.value[at + 1] : undefined;
  }

  /** @param {number} source @param {number} at @param {number} value */
  set(source, at, value) {
    this.source[at + 1] = source;
    this.value[at + 1] = value;
    return value;
  }
}

/** The port of the source at hand on every group's border. */
class Ports extends Marks {
  /** @param {number} source @param {number} group @param {Int32Array} used ports so far by group + 1 */
  port(source, group, used) {
    return this.get(source, group) ?? this.set(source, group, used[group + 1]++);
  }
}

/** What is known already about the source at hand. */
class Crossings {
  /** @param {number} count */
  constructor(count) {
    /** Its ports on the borders of groups around it, and of groups around its users. */
    this.exit = new Ports(count);
    this.entry = new Ports(count);
    /** The hop that leaves a group, and the one that reaches an item. */
    this.left = new Marks(count);
    this.reached = new Marks(count);
    /** Its net in a group. */
    this.nets = new Marks(count);
  }
}
