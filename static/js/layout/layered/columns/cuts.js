/** Between which ranks a tall drawing is cut into columns. */

import { rowsOf } from "../../../base/rows.js";

/** A drawing wrapped into columns is about as wide as a screen for its height. */
const SCREEN = 1.6;

/** Columns are no shorter than some four screens, so that a page of them is read downwards, not sideways. */
const LEAST_COLUMN = 4_000;

/** How much of a column may be left free for a cut that fewer lines cross. */
const SLACK = 0.3;

/** What a column needs beside its content, about. */
const BESIDE = 80;

/**
 * @param {import("../problem.js").Problem} problem
 * @param {import("../layers.js").Layered} layered
 * @param {import("../lines/route.js").Heights} heights
 * @param {number} width of the drawing in one piece
 * @returns {number[]} the last rank of every column but the last one; none: it stays in one piece
 */
export function chooseCuts(problem, layered, { top, foot, height }, width) {
  if (height <= problem.tall) return [];
  const last = layered.ranks - 1;
  // One box that is most of the drawing, such as an open group, would be a column alone: nothing is won.
  for (let r = 0; r <= last; r++) if (foot[r] - top[r] > height / 2) return [];
  const aspect = problem.turned ? 1 / SCREEN : SCREEN;
  const columns = Math.ceil(Math.sqrt((aspect * height) / (width + BESIDE)));
  const wanted = Math.max(height / columns, LEAST_COLUMN);
  const crossing = netsBelow(layered);
  const cuts = [];
  let first = 0;
  let best = -1;
  // Ports stay with what is below, or above, them: no cut next to a border.
  for (let r = 1; r < last - 1; r++) {
    const filled = foot[r] - top[first];
    if (best < 0 || (filled <= wanted && (filled < (1 - SLACK) * wanted || crossing[r] <= crossing[best]))) best = r;
    if (foot[r + 1] - top[first] <= wanted) continue;
    cuts.push(best);
    first = best + 1;
    r = best;
    best = -1;
  }
  return cuts;
}

/** How many values pass below every rank. @param {import("../layers.js").Layered} layered */
function netsBelow({ ranks, rank, upper, net }) {
  const below = rowsOf(
    ranks,
    upper.map((u) => rank[u]),
  );
  const count = new Int32Array(ranks);
  for (let r = 0; r < ranks; r++) {
    for (let i = below.start[r]; i < below.start[r + 1]; i++)
      if (i === below.start[r] || net[below.member[i]] !== net[below.member[i - 1]]) count[r]++;
  }
  return count;
}
