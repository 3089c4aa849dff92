/** By the module in which a node is drawn, and by that module's class. */

import { NONE, orderedColour, sorted } from "./classes.js";

/** @typedef {import("../graph.js").GraphModel} GraphModel */

/** A node's class is one byte. */
const MOST = 250;

/**
 * The outermost modules that hold nodes of their own: `blocks` alone says nothing, `blocks.0` does.
 * @param {GraphModel} model @returns {import("./types.js").Colouring}
 */
export function byModule(model) {
  const { modules, group, folded, count } = model;
  const { direct, holds, children } = contents(model);
  let level = children[0].filter((module) => holds[module]);
  for (let changed = true; changed; ) {
    changed = false;
    const next = level.flatMap((module) => {
      const inside = children[module].filter((child) => holds[child]);
      if (direct[module] > 0 || inside.length === 0) return [module];
      changed = true;
      return inside;
    });
    if (next.length > MOST) break;
    level = next;
  }
  const around = new Int32Array(modules.length).fill(-1);
  for (const module of level) around[module] = module;
  for (let m = 1; m < modules.length; m++) if (around[m] < 0) around[m] = around[modules[m].parent];
  const first = firstNodes(count, (node) => (folded[node] ? -1 : around[group[node]]));
  const order = level.sort((a, b) => (first.get(a) ?? count) - (first.get(b) ?? count));
  return sorted(count, (node) => (around[group[node]] < 0 ? NONE : modules[around[group[node]]].path), [
    { id: NONE, title: "the model itself", colour: NONE },
    ...order.map((module, i) => ({
      id: modules[module].path,
      title: modules[module].path,
      colour: orderedColour(i, order.length),
    })),
  ]);
}

/** @param {GraphModel} model @returns {import("./types.js").Colouring} */
export function byClass({ modules, group, count }) {
  const nameOf = (/** @type {number} */ node) => (group[node] > 0 && modules[group[node]].cls) || NONE;
  /** @type {Map<string, number>} */
  const found = new Map();
  for (let node = 0; node < count; node++) found.set(nameOf(node), (found.get(nameOf(node)) ?? 0) + 1);
  found.delete(NONE);
  const names = [...found.keys()].sort().slice(0, MOST);
  return sorted(count, nameOf, [
    { id: NONE, title: "the model itself", colour: NONE },
    ...names.map((name, i) => ({ id: name, title: name, colour: orderedColour(i, names.length) })),
  ]);
}

/** @param {GraphModel} model */
function contents({ modules, group, folded, count }) {
  const direct = new Int32Array(modules.length);
  for (let node = 0; node < count; node++) if (!folded[node]) direct[group[node]]++;
  const holds = direct.slice();
  /** @type {number[][]} */
  const children = modules.map(() => []);
  for (let m = modules.length - 1; m > 0; m--) {
    holds[modules[m].parent] += holds[m];
    children[modules[m].parent].unshift(m);
  }
  return { direct, holds, children };
}

/** @param {number} count @param {(node: number) => number} keyOf -1: none */
function firstNodes(count, keyOf) {
  /** @type {Map<number, number>} */
  const first = new Map();
  for (let node = 0; node < count; node++) if (keyOf(node) >= 0 && !first.has(keyOf(node))) first.set(keyOf(node), node);
  return first;
}
