/**
 * Pass 7: heights, and the lines themselves. Before: vertices are placed and lines know where they enter. After: the y of
 * every rank, and for every edge a polyline along the axes: down beside the boxes, sideways only between ranks, on tracks.
 */

import { Float32List } from "../../../base/growable.js";
import { rowsOf } from "../../../base/rows.js";
import { GAP } from "../problem.js";
import { assignTracks } from "./tracks.js";

/**
 * @typedef {object} Heights
 * @property {Float64Array} y upper sides of the children
 * @property {Float64Array} bend by segment: y of its horizontal part; NaN where it runs straight down
 * @property {Float64Array} top by rank
 * @property {Float64Array} foot by rank: where its highest box ends
 * @property {number} height of everything
 */

/**
 * @param {import("../problem.js").Problem} problem @param {import("../layers.js").Layered} layered @param {Float64Array} x
 * @returns {Heights}
 */
export function chooseHeights(problem, layered, x) {
  const { ranks, rank, children, up } = layered;
  const rankHeight = new Float64Array(ranks);
  const labels = new Uint8Array(ranks + 1);
  for (let v = 0; v < children; v++) {
    rankHeight[rank[v]] = Math.max(rankHeight[rank[v]], problem.h[v]);
    if (!problem.turned) labels[rank[v]] |= problem.labels[v];
  }
  const bend = new Float64Array(layered.segments).fill(NaN);
  const y = new Float64Array(children);
  const top = new Float64Array(ranks);
  const inGap = rowsOf(
    ranks,
    layered.upper.map((u) => rank[u]),
  );
  let at = problem.header;
  for (let r = 0; r < ranks; r++) {
    top[r] = at;
    at += rankHeight[r];
    if (r + 1 < ranks) at += Math.max(gapBelow(layered, x, r, at, inGap, bend), labelRoom(labels[r], labels[r + 1]));
  }
  for (let v = 0; v < children; v++) {
    // Boxes hang from the top of their rank; what has nothing above it stands close to its users.
    y[v] = top[rank[v]] + (up.start[v] === up.start[v + 1] ? rankHeight[rank[v]] - problem.h[v] : 0);
  }
  const foot = top.map((value, r) => value + rankHeight[r]);
  return { y, bend, top, foot, height: Math.max(at, problem.minHeight) };
}

/** What labels need between two ranks. @param {number} above where those of the upper rank stand @param {number} below of the lower */
function labelRoom(above, below) {
  return (above & 1 ? GAP.label : 0) + (below & 2 ? GAP.label : 0);
}

/**
 * Puts the bends of one gap on tracks. Returns the gap's height.
 * @param {import("../layers.js").Layered} layered @param {Float64Array} x @param {number} r rank above
 * @param {number} top y of the gap @param {import("../../../base/rows.js").Rows} inGap @param {Float64Array} bend written
 */
function gapBelow(layered, x, r, top, inGap, bend) {
  const { bends, bent, lineOf } = bendsOf(layered, x, inGap.member.subarray(inGap.start[r], inGap.start[r + 1]));
  const { track, tracks } = assignTracks(bends);
  const atBorder = r === 0 || r === layered.ranks - 2;
  const leave = r === 0 ? GAP.line : GAP.leave;
  const enter = r === layered.ranks - 2 ? GAP.line : GAP.enter;
  bent.forEach((s, i) => (bend[s] = top + leave + track[lineOf[i]] * GAP.track));
  const room = tracks > 0 ? leave + (tracks - 1) * GAP.track + enter : 0;
  return Math.max(room, atBorder ? GAP.pad : GAP.rank);
}

/**
 * The segments of a gap that do not run straight down, and one horizontal line per net.
 * @param {import("../layers.js").Layered} layered
 * @param {Float64Array} x
 * @param {Int32Array} segments of the gap; those of a net in a row
 */
function bendsOf({ upper, lower, upperAt, lowerAt, net }, x, segments) {
  /** @type {number[][]} */
  const [bent, lineOf, low, high, source] = [[], [], [], [], []];
  let last = -1;
  for (const s of segments) {
    const a = x[upper[s]] + upperAt[s];
    const b = x[lower[s]] + lowerAt[s];
    if (a === b) continue;
    if (net[s] !== last) {
      last = net[s];
      low.push(a);
      high.push(a);
      source.push(a);
    }
    const line = low.length - 1;
    low[line] = Math.min(low[line], b);
    high[line] = Math.max(high[line], b);
    bent.push(s);
    lineOf.push(line);
  }
  const bends = {
    count: low.length,
    low: Float64Array.from(low),
    high: Float64Array.from(high),
    source: Float64Array.from(source),
  };
  return { bends, bent, lineOf };
}

/**
 * The polylines of all edges, from the upper to the lower end.
 * @param {import("../problem.js").Problem} problem
 * @param {import("../layers.js").Layered} layered
 * @param {Float64Array} x
 * @param {Heights} heights
 * @param {import("../columns/columns.js").Turns|null} turns where it stands in columns
 * @returns {{start: Int32Array, points: Float32Array}}
 */
export function routeEdges(problem, layered, x, { y, bend, height }, turns) {
  const { children, upper, lower, upperAt, lowerAt, cut, trunk, dummies, last } = layered;
  const points = new Float32List(problem.edges * 8);
  const start = new Int32Array(problem.edges + 1);
  const segment = (/** @type {number} */ s) => {
    if (turns && !Number.isNaN(turns.beside[s])) {
      points.pushPair(x[upper[s]] + upperAt[s], turns.below[s]);
      points.pushPair(turns.beside[s], turns.below[s]);
      points.pushPair(turns.beside[s], turns.above[s]);
      points.pushPair(x[lower[s]] + lowerAt[s], turns.above[s]);
    } else if (!Number.isNaN(bend[s])) {
      points.pushPair(x[upper[s]] + upperAt[s], bend[s]);
      points.pushPair(x[lower[s]] + lowerAt[s], bend[s]);
    }
  };
  const next = nextBent(bend, turns);
  for (let e = 0; e < problem.edges; e++) {
    if (!cut[e]) {
      const first = dummies[e] > 0 ? trunk[e] : last[e];
      const from = upper[first];
      const to = lower[last[e]];
      points.pushPair(x[from] + upperAt[first], from < children ? y[from] + problem.h[from] : 0);
      for (let s = next[trunk[e]]; s < trunk[e] + dummies[e]; s = next[s + 1]) segment(s);
      segment(last[e]);
      points.pushPair(x[to] + lowerAt[last[e]], to < children ? y[to] : height);
    }
    start[e + 1] = points.length / 2;
  }
  return { start, points: points.take() };
}

/**
 * By segment: the first from it on that does not run straight down. A trunk may be thousands of ranks long and have as many
 * users: only its bends are visited for each.
 * @param {Float64Array} bend @param {import("../columns/columns.js").Turns|null} turns
 */
function nextBent(bend, turns) {
  const next = new Int32Array(bend.length + 1).fill(bend.length);
  for (let s = bend.length - 1; s >= 0; s--) {
    const straight = Number.isNaN(bend[s]) && (!turns || Number.isNaN(turns.beside[s]));
    next[s] = straight ? next[s + 1] : s;
  }
  return next;
}
