/** Sorting nodes into classes, and giving these colours. */

/** @typedef {import("./types.js").ColourClass} ColourClass */
/** @typedef {import("./types.js").Colouring} Colouring */

export const HUES = 8;
export const RAMP = 16;

/** The class of what a mode has nothing to say about. */
export const NONE = "none";

/**
 * Sorts nodes by a word each, into the given classes; those that no node is in are left out.
 * @param {number} count @param {(node: number) => string} idOf one of the classes' ids @param {readonly ColourClass[]} classes
 * @returns {Colouring}
 */
export function sorted(count, idOf, classes) {
  const index = new Map(classes.map(({ id }, i) => [id, i]));
  const found = Uint8Array.from({ length: count }, (_, node) => index.get(idOf(node)) ?? 0);
  const used = classes.map(() => false);
  for (const each of found) used[each] = true;
  const kept = classes.filter((_, i) => used[i]);
  return { classes: kept, of: found.map((each) => kept.indexOf(classes[each])) };
}

/** The colour of the i-th of n things in an order: hues while they can be told apart, else a ramp. @param {number} i @param {number} n */
export function orderedColour(i, n) {
  return n <= HUES ? `hue-${i + 1}` : rampColour(i, n);
}

/** @param {number} i @param {number} n */
export function rampColour(i, n) {
  return `ramp-${n > 1 ? Math.round((i * (RAMP - 1)) / (n - 1)) : RAMP - 1}`;
}

/** How many nodes are in each class. @param {Colouring} colouring @returns {Uint32Array} */
export function classCounts({ classes, of }) {
  const counts = new Uint32Array(classes.length);
  for (const each of of) counts[each]++;
  return counts;
}

/**
 * The nodes of some classes; null where none of these classes is there: then nothing is filtered.
 * @param {Colouring} colouring @param {readonly string[]} ids @returns {number[]|null}
 */
export function nodesOf({ classes, of }, ids) {
  const wanted = classes.map(({ id }) => ids.includes(id));
  if (!wanted.includes(true)) return null;
  return [...of.keys()].filter((node) => wanted[of[node]]);
}
