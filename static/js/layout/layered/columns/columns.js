/**
 * Pass 8: no drawing is a kilometre tall. Before: vertices, heights and cuts. After: a drawing taller than it may be
 * stands in columns side by side, to be read as a page is; what crosses a cut turns: below its column, up beside it, and
 * into the next one from above.
 */

import { GAP } from "../problem.js";

/**
 * @typedef {object} Turns by segment, NaN where it runs on in its column
 * @property {Float64Array} below y of its way to the gutter
 * @property {Float64Array} beside x of its way up
 * @property {Float64Array} above y of its way on
 *
 * @typedef {object} Columns
 * @property {number} width
 * @property {Turns} turns
 */

/**
 * @param {import("../problem.js").Problem} problem
 * @param {import("../layers.js").Layered} layered
 * @param {Float64Array} x changed in place
 * @param {import("../lines/route.js").Heights} heights changed in place
 * @param {number[]} cuts the last rank of every column but the last one
 * @returns {Columns}
 */
export function foldIntoColumns(problem, layered, x, heights, cuts) {
  const column = columnOfRank(layered.ranks, cuts);
  const extents = extentsOf(layered, x, column, cuts.length + 1);
  const crossing = crossingsOf(layered, x, cuts);
  const { dx, dy, gutter, right } = shifts(problem, heights, cuts, extents, crossing);
  const turns = turnsOf(problem, layered, heights, cuts, crossing, dy, gutter);
  move(layered, x, heights, column, dx, dy);
  heights.height = problem.minHeight;
  for (let c = 0; c <= cuts.length; c++) heights.height = Math.max(heights.height, foot(heights, cuts, crossing, c));
  return { width: 2 * Math.ceil(Math.max(right + GAP.pad, problem.minWidth) / 2), turns };
}

/** @param {number} ranks @param {number[]} cuts */
function columnOfRank(ranks, cuts) {
  const column = new Int32Array(ranks);
  for (let r = 0, c = 0; r < ranks; r++) {
    column[r] = c;
    if (r === cuts[c]) c++;
  }
  return column;
}

/** Left and right end of every column. @param {import("../layers.js").Layered} layered @param {Float64Array} x @param {Int32Array} column @param {number} columns */
function extentsOf({ count, rank, half }, x, column, columns) {
  const left = new Float64Array(columns).fill(Infinity);
  const right = new Float64Array(columns).fill(-Infinity);
  for (let v = 0; v < count; v++) {
    const c = column[rank[v]];
    left[c] = Math.min(left[c], x[v] - half[v]);
    right[c] = Math.max(right[c], x[v] + half[v]);
  }
  return { left, right };
}

/**
 * What crosses every cut: its segments, and which line of the gutter each takes. The rightmost line takes the innermost way,
 * so that no two cross which did not before.
 * @param {import("../layers.js").Layered} layered @param {Float64Array} x @param {number[]} cuts
 */
function crossingsOf({ rank, upper, upperAt, net, segments }, x, cuts) {
  const cutOf = new Map(cuts.map((r, c) => [r, c]));
  /** @type {number[][]} */
  const crossing = cuts.map(() => []);
  for (let s = 0; s < segments; s++) {
    const c = cutOf.get(rank[upper[s]]);
    if (c !== undefined) crossing[c].push(s);
  }
  return crossing.map((list) => {
    const from = (/** @type {number} */ s) => x[upper[s]] + upperAt[s];
    list.sort((a, b) => from(b) - from(a) || net[a] - net[b] || a - b);
    let lines = 0;
    const line = list.map((s, i) => (i > 0 && net[s] === net[list[i - 1]] ? lines - 1 : lines++));
    return { list, line, lines };
  });
}

/** @typedef {ReturnType<typeof crossingsOf>[number]} Crossing */

/**
 * How far every column moves, and where the gutter to its right begins.
 * @param {import("../problem.js").Problem} problem @param {import("../lines/route.js").Heights} heights @param {number[]} cuts
 * @param {{left: Float64Array, right: Float64Array}} extents @param {Crossing[]} crossing
 */
function shifts({ header, side }, { top }, cuts, { left, right }, crossing) {
  const columns = cuts.length + 1;
  const dx = new Float64Array(columns);
  const dy = new Float64Array(columns);
  const gutter = new Float64Array(columns);
  let at = GAP.pad + side;
  for (let c = 0; c < columns; c++) {
    dx[c] = Math.round(at - left[c]);
    dy[c] = c === 0 ? 0 : header + GAP.line + (crossing[c - 1].lines - 1) * GAP.track + GAP.enter - top[cuts[c - 1] + 1];
    at = right[c] + dx[c];
    gutter[c] = at + GAP.box;
    if (c < cuts.length) at += 2 * GAP.box + (crossing[c].lines - 1) * GAP.line;
  }
  return { dx, dy, gutter, right: at };
}

/**
 * @param {import("../problem.js").Problem} problem @param {import("../layers.js").Layered} layered
 * @param {import("../lines/route.js").Heights} heights not moved yet
 * @param {number[]} cuts @param {Crossing[]} crossing @param {Float64Array} dy @param {Float64Array} gutter
 * @returns {Turns}
 */
function turnsOf({ header }, { segments }, heights, cuts, crossing, dy, gutter) {
  const below = new Float64Array(segments).fill(NaN);
  const beside = new Float64Array(segments).fill(NaN);
  const above = new Float64Array(segments).fill(NaN);
  crossing.forEach(({ list, line }, c) => {
    const bottom = heights.foot[cuts[c]] + dy[c];
    list.forEach((s, i) => {
      below[s] = bottom + GAP.leave + line[i] * GAP.track;
      beside[s] = gutter[c] + line[i] * GAP.line;
      above[s] = header + GAP.line + line[i] * GAP.track;
    });
  });
  return { below, beside, above };
}

/**
 * @param {import("../layers.js").Layered} layered @param {Float64Array} x @param {import("../lines/route.js").Heights} heights
 * @param {Int32Array} column @param {Float64Array} dx @param {Float64Array} dy
 */
function move({ count, children, rank, upper, segments, ranks }, x, { y, bend, top, foot: feet }, column, dx, dy) {
  for (let v = 0; v < count; v++) x[v] += dx[column[rank[v]]];
  for (let v = 0; v < children; v++) y[v] += dy[column[rank[v]]];
  for (let s = 0; s < segments; s++) bend[s] += dy[column[rank[upper[s]]]];
  for (let r = 0; r < ranks; r++) {
    top[r] += dy[column[r]];
    feet[r] += dy[column[r]];
  }
}

/** Where a column ends, with the lines below it. @param {import("../lines/route.js").Heights} heights moved @param {number[]} cuts @param {Crossing[]} crossing @param {number} c */
function foot({ foot: feet }, cuts, crossing, c) {
  if (c === cuts.length) return feet[feet.length - 1];
  return feet[cuts[c]] + GAP.leave + (crossing[c].lines - 1) * GAP.track + GAP.pad;
}
