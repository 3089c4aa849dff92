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
    if (reversed[e]) cutter.upwards(edges.from[e], edges.to[e], edges.owner[e]);
    else cutter.downwards(edges.from[e], edges.to[e], edges.owner[e]);
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
    this.down = {
      exit: new Ports(count),
      entry: new Ports(count),
      left: new Marks(count),
      reached: new Marks(count),
      net: new Marks(count),
    };
    this.up = { exit: new Ports(count), entry: new Ports(count), left: new Marks(count), reached: new Marks(count) };
    /** Ports so far on the upper and lower border of every group. */
    this.upperPorts = new Int32Array(count + 1);
    this.lowerPorts = new Int32Array(count + 1);
  }

  /**
   * Out of every group at its bottom, across the owner, into every group at its top.
   * @param {number} from
   * @param {number} to
   * @param {number} owner
   */
  downwards(from, to, owner) {
    const { exit, entry, left, reached } = this.down;
    let child = from,
      port = -1;
    for (let group = this.parent[from]; group !== owner; group = this.parent[group]) {
      const out = exit.port(from, group, this.lowerPorts);
      this.path.push(
        left.get(from, group) ??
          left.set(from, group, this.hop(group, child, port, -1 - out, -1, 0, this.trunk(from, group))),
      );
      child = group;
      port = out;
    }
    const first = this.path.length;
    let below = to,
      into = -1;
    for (let group = this.parent[to]; ; group = this.parent[group]) {
      const inPort = group === owner ? -1 : entry.port(from, group, this.upperPorts);
      const known = reached.get(from, below);
      if (known !== undefined) this.path.push(known);
      else {
        const hop =
          group === owner
            ? this.hop(group, child, port, below, into, 0, this.trunk(from, group))
            : this.hop(group, -1 - inPort, -1, below, into, 0, this.trunk(from, group));
        this.path.push(reached.set(from, below, hop));
      }
      if (group === owner) break;
      below = group;
      into = inPort;
    }
    this.path.view().subarray(first).reverse();
  }

  /**
   * Out of every group at its top, across the owner, into every group at its bottom.
   * @param {number} from
   * @param {number} to
   * @param {number} owner
   */
  upwards(from, to, owner) {
    const { exit, entry, left, reached } = this.up;
    let child = from,
      port = -1;
    for (let group = this.parent[from]; group !== owner; group = this.parent[group]) {
      const out = exit.port(from, group, this.upperPorts);
      this.path.push(
        left.get(from, group) ?? left.set(from, group, this.hop(group, -1 - out, -1, child, port, 1, this.nets++)),
      );
      child = group;
      port = out;
    }
    const first = this.path.length;
    let above = to,
      into = -1;
    for (let group = this.parent[to]; ; group = this.parent[group]) {
      const inPort = group === owner ? -1 : entry.port(from, group, this.lowerPorts);
      const known = reached.get(from, above);
      if (known !== undefined) this.path.push(known);
      else {
        const hop =
          group === owner
            ? this.hop(group, above, into, child, port, 1, this.nets++)
            : this.hop(group, above, into, -1 - inPort, -1, 1, this.nets++);
        this.path.push(reached.set(from, above, hop));
      }
      if (group === owner) break;
      above = group;
      into = inPort;
    }
    this.path.view().subarray(first).reverse();
  }

  /** The net of a source's downward hops in a group. @param {number} source @param {number} group */
  trunk(source, group) {
    return this.down.net.get(source, group) ?? this.down.net.set(source, group, this.nets++);
  }

  /**
   * @param {number} group @param {number} upper @param {number} upperPort @param {number} lower @param {number} lowerPort
   * @param {number} flag @param {number} net
   */
  hop(group, upper, upperPort, lower, lowerPort, flag, net) {
    this.upper.push(upper);
    this.upperPort.push(upperPort);
    this.lower.push(lower);
    this.lowerPort.push(lowerPort);
    this.flags.push(flag);
    this.net.push(net);
    return this.slot.push(group + 1);
  }
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
