/** By the bytes of a node's value: powers of two from the smallest to the largest, in at most seven steps. */

import { NONE, rampColour, sorted } from "./classes.js";

const MOST_STEPS = 7;
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** @param {import("../graph.js").GraphModel} model @returns {import("./types.js").Colouring} */
export function byBytes({ count, bytes }) {
  const powers = Int32Array.from(bytes, (size) => (size > 0 ? Math.floor(Math.log2(size)) : -1));
  const known = powers.filter((power) => power >= 0);
  const least = known.reduce((a, b) => Math.min(a, b), Infinity);
  const most = known.reduce((a, b) => Math.max(a, b), 0);
  const width = Math.max(1, Math.ceil((most - least + 1) / MOST_STEPS));
  const steps = known.length ? Math.floor((most - least) / width) + 1 : 0;
  const from = (/** @type {number} */ step) => least + step * width;
  const classes = Array.from({ length: steps }, (_, step) => ({
    id: `2^${from(step)}`,
    title: `${power(from(step))} to ${power(from(step + 1))}`,
    colour: rampColour(step, steps),
  }));
  const idOf = (/** @type {number} */ node) => {
    if (powers[node] >= 0) return classes[Math.floor((powers[node] - least) / width)].id;
    return bytes[node] === 0 ? "0" : NONE;
  };
  return sorted(count, idOf, [
    { id: NONE, title: "no tensor, or size unknown", colour: NONE },
    { id: "0", title: "empty", colour: "ramp-0" },
    ...classes,
  ]);
}

/** @param {number} exponent of two @returns {string} "64 KiB" */
function power(exponent) {
  const unit = Math.min(UNITS.length - 1, Math.floor(exponent / 10));
  return `${2 ** (exponent - 10 * unit)} ${UNITS[unit]}`;
}
