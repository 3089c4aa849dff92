/**
 * Pass 2: a graph whose segments all run from one rank to the next. Before: wrapped ranks. After: a vertex for every child
 * and port, a dummy wherever a line passes a rank, one trunk of dummies per net.
 */

import { rowsOf } from "../../base/rows.js";
import { PassingLines } from "../passing.js";
import { GAP } from "./problem.js";

/**
 * @typedef {object} Layered vertices: children, upper ports, lower ports, dummies. Rank 0 holds the upper ports only, the
 *   last rank the lower ports only; both may be empty
 * @property {number} count
 * @property {number} children
 * @property {number} ends children and ports
 * @property {number} ranks
 * @property {Int32Array} rank
 * @property {Float64Array} half half the width of a vertex, 0 for lines
 * @property {number} boxGap between boxes of a rank
 * @property {number} segments
 * @property {Int32Array} upper vertex
 * @property {Int32Array} lower vertex, one rank below
 * @property {Float64Array} upperAt where at the upper vertex, from its middle
 * @property {Float64Array} lowerAt where at the lower vertex; decided when the boxes are placed where `chosen` is 0
 * @property {Int32Array} above by segment: the longest path that comes to it
 * @property {Int32Array} below and that goes on from it
 * @property {Uint8Array} chosen 1: `lowerAt` is given
 * @property {Int32Array} net
 * @property {import("../../base/rows.js").Rows} down segments below every vertex
 * @property {import("../../base/rows.js").Rows} up segments above every vertex
 * @property {Uint8Array} aside by vertex: 1: a dummy of a line that is long only because ranks were wrapped
 * @property {Uint8Array} cut by edge of the problem: 1: not drawn
 * @property {Int32Array} last by edge: its last segment
 * @property {Int32Array} trunk by edge: its first segment when it has dummies; they follow one another
 * @property {Int32Array} dummies by edge: how many it passes
 */

/** @param {import("./problem.js").Problem} problem @param {Int32Array} childRank @returns {Layered} */
export function layers(problem, childRank) {
  const { children, upperPorts, lowerPorts } = problem;
  const ends = children + upperPorts + lowerPorts;
  const ranks = childRank.reduce((most, each) => Math.max(most, each + 1), 0) + 2;
  const endRank = new Int32Array(ends);
  for (let v = 0; v < ends; v++) endRank[v] = v < children ? childRank[v] + 1 : v < children + upperPorts ? 0 : ranks - 1;
  const nets = rowsOf(
    problem.net.reduce((most, each) => Math.max(most, each + 1), 0),
    problem.net,
  );
  const cut = cutLong(problem, endRank, ranks, nets);
  const build = new Builder(problem, endRank, cut, endSpans(problem));
  const at = leavingPlaces(problem, nets);
  for (let net = 0; net + 1 < nets.start.length; net++)
    build.net(nets.member.subarray(nets.start[net], nets.start[net + 1]), at[net]);
  const { rank, aside, upper, lower, upperAt, lowerAt, chosen, above, below, net, last, trunk, dummies } = build.done();
  const half = new Float64Array(rank.length);
  for (let v = 0; v < children; v++) half[v] = problem.w[v] / 2;
  return {
    count: rank.length,
    children,
    ends,
    ranks,
    rank,
    half,
    boxGap: problem.boxGap,
    segments: upper.length,
    upper,
    lower,
    upperAt,
    lowerAt,
    chosen,
    above,
    below,
    net,
    down: rowsOf(rank.length, upper),
    up: rowsOf(rank.length, lower),
    aside,
    cut,
    last,
    trunk,
    dummies,
  };
}

/**
 * Edges that are not drawn: those that never were to be, and where wrapping has made too many long, the longest.
 * @param {import("./problem.js").Problem} problem @param {Int32Array} rank @param {number} ranks
 * @param {import("../../base/rows.js").Rows} nets
 */
function cutLong({ edges, upper, lower, net, drawn }, rank, ranks, nets) {
  const cut = drawn.map((value) => (value ? 0 : 1));
  const reach = new Int32Array(nets.start.length);
  const key = new Float64Array(edges);
  for (let e = 0; e < edges; e++) {
    reach[net[e]] = rank[upper[e]] + 1;
    key[e] = (rank[lower[e]] - rank[upper[e]]) * edges + e;
  }
  const lines = new PassingLines(ranks, reach);
  for (const value of key.sort()) {
    const e = value % edges;
    if (cut[e]) continue;
    if (lines.fits(net[e], rank[lower[e]], 0)) lines.take(net[e], rank[lower[e]], 0);
    else cut[e] = 1;
  }
  return cut;
}

/**
 * Where at its upper end every net leaves: where it must, else in the middle; a second and third line at the same box (one
 * that comes up) beside it.
 * @param {import("./problem.js").Problem} problem @param {import("../../base/rows.js").Rows} nets
 */
function leavingPlaces({ children, upper, upperAt, drawn, w }, { start, member }) {
  const leaving = new Int32Array(children);
  const at = new Float64Array(start.length);
  for (let net = 0; net + 1 < start.length; net++) {
    if (start[net] === start[net + 1] || !drawn[member[start[net]]]) continue;
    const edge = member[start[net]];
    if (!Number.isNaN(upperAt[edge])) at[net] = upperAt[edge];
    else {
      const k = leaving[upper[edge]]++;
      const side = k % 2 ? 1 : -1;
      at[net] = side * Math.min(Math.ceil(k / 2) * GAP.boxLine, Math.max(w[upper[edge]] / 2 - GAP.line, 0));
    }
  }
  return at;
}

/** How many ranks every edge spanned before ranks were wrapped. @param {import("./problem.js").Problem} problem */
function endSpans({ children, rank, upper, lower, edges }) {
  const last = rank.reduce((most, each) => Math.max(most, each + 1), 0);
  const spans = new Int32Array(edges);
  for (let e = 0; e < edges; e++)
    spans[e] = (lower[e] < children ? rank[lower[e]] : last) - (upper[e] < children ? rank[upper[e]] : -1);
  return spans;
}

/** Collects dummies and segments net by net. */
class Builder {
  /**
   * @param {import("./problem.js").Problem} problem
   * @param {Int32Array} endRank
   * @param {Uint8Array} cut
   * @param {Int32Array} spans
   */
  constructor(problem, endRank, cut, spans) {
    this.problem = problem;
    this.endRank = endRank;
    this.cut = cut;
    this.spans = spans;
    const { edges } = problem;
    let dummies = 0;
    let segments = 0;
    const reach = new Map();
    for (let e = 0; e < edges; e++) {
      if (cut[e]) continue;
      segments++;
      const passes = endRank[problem.lower[e]] - endRank[problem.upper[e]] - 1;
      reach.set(problem.net[e], Math.max(reach.get(problem.net[e]) ?? 0, passes));
    }
    for (const passes of reach.values()) dummies += passes;
    segments += dummies;
    this.vertices = endRank.length;
    this.segments = 0;
    this.rank = new Int32Array(endRank.length + dummies);
    this.rank.set(endRank);
    this.aside = new Uint8Array(endRank.length + dummies);
    this.upper = new Int32Array(segments);
    this.lower = new Int32Array(segments);
    this.upperAt = new Float64Array(segments);
    this.lowerAt = new Float64Array(segments);
    this.chosen = new Uint8Array(segments);
    this.above = new Int32Array(segments);
    this.below = new Int32Array(segments);
    this.netOf = new Int32Array(segments);
    this.last = new Int32Array(edges).fill(-1);
    this.trunk = new Int32Array(edges).fill(-1);
    this.dummies = new Int32Array(edges);
  }

  /** @param {Int32Array} all edges of one net @param {number} leave */
  net(all, leave) {
    const edges = all.filter((e) => !this.cut[e]);
    if (edges.length === 0) return;
    const { upper, lower, lowerAt, net } = this.problem;
    const from = upper[edges[0]];
    const top = this.endRank[from];
    const passes = edges.reduce((most, e) => Math.max(most, this.endRank[lower[e]] - top - 1), 0);
    const wrapped = edges.some((e) => this.endRank[lower[e]] - top > this.spans[e]);
    const first = this.vertices;
    const trunk = this.segments;
    for (let k = 0; k < passes; k++) {
      this.rank[first + k] = top + 1 + k;
      this.aside[first + k] = wrapped ? 1 : 0;
      this.segment(k === 0 ? from : first + k - 1, first + k, k === 0 ? leave : 0, 0, net[edges[0]]);
    }
    this.vertices += passes;
    for (const e of edges) {
      const passed = this.endRank[lower[e]] - top - 1;
      this.dummies[e] = passed;
      if (passed > 0) this.weigh(trunk + passed - 1, e);
      this.trunk[e] = trunk;
      const above = passed === 0 ? from : first + passed - 1;
      this.last[e] = this.segment(above, lower[e], passed === 0 ? leave : 0, lowerAt[e], net[e]);
      this.weigh(this.last[e], e);
    }
    // What takes a piece of the trunk takes all that is above it.
    for (let s = trunk + passes - 1; s > trunk; s--) {
      this.above[s - 1] = Math.max(this.above[s - 1], this.above[s]);
      this.below[s - 1] = Math.max(this.below[s - 1], this.below[s]);
    }
  }

  /** Lets a segment know the paths of an edge that takes it. @param {number} s @param {number} e */
  weigh(s, e) {
    this.above[s] = Math.max(this.above[s], this.problem.above[e]);
    this.below[s] = Math.max(this.below[s], this.problem.below[e]);
  }

  /** @param {number} upper @param {number} lower @param {number} upperAt @param {number} lowerAt @param {number} net */
  segment(upper, lower, upperAt, lowerAt, net) {
    const s = this.segments++;
    this.upper[s] = upper;
    this.lower[s] = lower;
    this.upperAt[s] = upperAt;
    this.chosen[s] = Number.isNaN(lowerAt) ? 0 : 1;
    this.lowerAt[s] = this.chosen[s] ? lowerAt : 0;
    this.netOf[s] = net;
    return s;
  }

  done() {
    const { rank, aside, upper, lower, upperAt, lowerAt, chosen, above, below, netOf, last, trunk, dummies } = this;
    return { rank, aside, upper, lower, upperAt, lowerAt, chosen, above, below, net: netOf, last, trunk, dummies };
  }
}
