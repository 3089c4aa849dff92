// Small inputs for single passes, and what they make of them.

import { ENDLESS } from "../../../../static/js/layout/budget.js";
import { findChains } from "../../../../static/js/layout/layered/placing/chains.js";
import { layers } from "../../../../static/js/layout/layered/layers.js";
import { orderRanks } from "../../../../static/js/layout/layered/ordering/order.js";
import { placeVertices } from "../../../../static/js/layout/layered/placing/place.js";

/** @template T @param {Generator<void, T>} steps @returns {T} */
export function finish(steps) {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * A group without ports.
 * @param {[number, number][]} boxes rank and width of every child; each is 40 high
 * @param {[number, number][]} lines
 * @returns {import("../../../../static/js/layout/layered/problem.js").Problem}
 */
export function problem(boxes, lines) {
  return {
    children: boxes.length,
    w: Float64Array.from(boxes, ([, width]) => width),
    h: new Float64Array(boxes.length).fill(40),
    rank: Int32Array.from(boxes, ([rank]) => rank),
    labels: new Uint8Array(boxes.length),
    upperPorts: 0,
    lowerPorts: 0,
    edges: lines.length,
    upper: Int32Array.from(lines, ([from]) => from),
    lower: Int32Array.from(lines, ([, to]) => to),
    upperAt: new Float64Array(lines.length).fill(NaN),
    lowerAt: new Float64Array(lines.length).fill(NaN),
    net: Int32Array.from(lines, ([from]) => from),
    above: new Int32Array(lines.length).fill(1),
    below: new Int32Array(lines.length).fill(1),
    drawn: new Uint8Array(lines.length).fill(1),
    minWidth: 0,
    minHeight: 0,
    header: 0,
    side: 0,
    boxGap: 24,
    tall: Infinity,
    turned: 0,
    identity: new Int32Array(0),
  };
}

/** Up to the places of boxes. @param {import("../../../../static/js/layout/layered/problem.js").Problem} asked */
export function placed(asked) {
  const layered = layers(asked, asked.rank);
  const order = finish(orderRanks(layered, ENDLESS));
  const chains = findChains(layered, order);
  const { x } = placeVertices(layered, order, chains, ENDLESS);
  return { layered, order, chains, x };
}
