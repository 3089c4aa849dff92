/** The layered layout of one group: its passes in their order. */

import { apartAt } from "./columns/apart.js";
import { foldIntoColumns } from "./columns/columns.js";
import { chooseCuts } from "./columns/cuts.js";
import { chooseArrivals } from "./lines/arrive.js";
import { findChains } from "./placing/chains.js";
import { layers } from "./layers.js";
import { orderRanks } from "./ordering/order.js";
import { placeVertices } from "./placing/place.js";
import { GAP } from "./problem.js";
import { chooseHeights, routeEdges } from "./lines/route.js";
import { wrapRanks } from "./wrap.js";

/**
 * @param {import("./problem.js").Problem} problem @param {import("../budget.js").Budget} budget
 * @returns {Generator<void, import("./problem.js").Layout>} yields between passes, where a caller may stop for good
 */
export function* layeredSteps(problem, budget) {
  const rank = wrapRanks(problem);
  const layered = layers(problem, rank);
  yield;
  const order = yield* orderRanks(layered, budget);
  yield;
  let placed = yield* place(problem, layered, order, layered, budget);
  yield;
  const cuts = chooseCuts(problem, layered, placed.heights, placed.width);
  if (cuts.length) {
    placed = yield* place(problem, layered, order, apartAt(layered, cuts), budget);
    yield;
  }
  const { x, heights } = placed;
  const columns = cuts.length ? foldIntoColumns(problem, layered, x, heights, cuts) : null;
  const lines = routeEdges(problem, layered, x, heights, columns?.turns ?? null);
  const width = columns?.width ?? placed.width;
  return {
    ...answer(problem, layered, x, width, heights, lines),
    rough: order.rough || placed.rough,
    wrapped: columns !== null,
  };
}

/**
 * Passes 4 to 7, with a stop between them.
 * @param {import("./problem.js").Problem} problem @param {import("./layers.js").Layered} layered
 * @param {import("./ordering/order.js").Order} order
 * @param {import("./layers.js").Layered} tied the layers with those segments only that hold vertices in place
 * @param {import("../budget.js").Budget} budget
 */
function* place(problem, layered, order, tied, budget) {
  const chains = findChains(tied, order);
  yield;
  const { x, rough } = placeVertices(tied, order, chains, budget);
  yield;
  chooseArrivals(tied, chains, x);
  const width = frame(problem, layered, x);
  return { x, rough, width, heights: chooseHeights(problem, layered, x) };
}

/**
 * Shifts everything into the group's border, content in the middle. Returns the group's width.
 * @param {import("./problem.js").Problem} problem
 * @param {import("./layers.js").Layered} layered
 * @param {Float64Array} x changed in place
 */
function frame({ minWidth, side, turned, labels }, { count, half }, x) {
  let left = Infinity;
  let right = -Infinity;
  for (let v = 0; v < count; v++) {
    left = Math.min(left, x[v] - half[v]);
    right = Math.max(right, x[v] + half[v]);
  }
  const content = count ? right - left : 0;
  const pad = turned && labels.some((where) => where > 0) ? GAP.label : GAP.pad;
  const width = 2 * Math.ceil(Math.max(content + 2 * pad + side, minWidth) / 2);
  const shift = count ? Math.round((width + side - content) / 2) - left : 0;
  for (let v = 0; v < count; v++) x[v] += shift;
  return width;
}

/**
 * @param {import("./problem.js").Problem} problem @param {import("./layers.js").Layered} layered @param {Float64Array} x
 * @param {number} w
 * @param {import("./lines/route.js").Heights} heights
 * @param {{start: Int32Array, points: Float32Array}} lines
 */
function answer({ children, upperPorts, lowerPorts, w: widths }, { cut }, x, w, { y, height }, { start, points }) {
  return {
    w,
    h: height,
    y,
    cut,
    start,
    points,
    x: Float64Array.from(widths, (each, v) => x[v] - each / 2),
    upperX: x.slice(children, children + upperPorts),
    lowerX: x.slice(children + upperPorts, children + upperPorts + lowerPorts),
  };
}
