/** Where a pattern such as `layer_norm -> linear -> gelu` stands in a graph. */

import { operator, stepMask } from "../steps.js";
import { carriers, nearest, nextOf, spread } from "./spread.js";

/**
 * @typedef {import("../../graph.js").GraphModel} GraphModel
 * @typedef {import("../query.js").Query} Query
 * @typedef {import("./spread.js").Lane} Lane
 * @typedef {{chains: number[][], more: boolean}} Chains one node for every step; `more`: there are more than these
 */

/** Nobody walks through more places one by one. */
const MOST_CHAINS = 2000;

/** Nodes looked at before giving up on more: a pattern that turns back and forth may fit in countless ways. */
const MOST_TRIED = 200_000;

/** @param {GraphModel} model @param {Query} query of two steps or more @returns {Chains} in execution order of the first step */
export function chainsOf(model, { steps, arrows }) {
  const allowed = steps.map((step) => stepMask(model, step, operator));
  const passed = carriers(model);
  const lanes = arrows.map((arrow, i) => ({ ...arrow, through: except(passed, allowed[arrow.down ? i + 1 : i]) }));
  const { kept, leads } = prune(model, allowed, lanes);
  return enumerate(model, kept, lanes, leads);
}

/** What is asked for as the reader is not passed over: `view -> view` are two views in a row. @param {Uint8Array} passed @param {Uint8Array} reader */
function except(passed, reader) {
  return passed.map((pass, i) => (pass && !reader[i] ? 1 : 0));
}

/**
 * Leaves of every step only the nodes from which both ends of the pattern are reached.
 * @param {GraphModel} model @param {Uint8Array[]} allowed @param {Lane[]} lanes
 * @returns {{kept: Uint8Array[], leads: Uint8Array[]}} `leads`: for every arrow the nodes from which its end is reached
 */
function prune(model, allowed, lanes) {
  const kept = [allowed[0]];
  lanes.forEach((lane, i) => kept.push(both(allowed[i + 1], spread(model, kept[i], lane))));
  /** @type {Uint8Array[]} */
  const leads = [];
  for (let i = lanes.length - 1; i >= 0; i--) {
    leads[i] = spread(model, kept[i + 1], { ...lanes[i], down: !lanes[i].down });
    kept[i] = both(kept[i], leads[i]);
  }
  return { kept, leads };
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function both(a, b) {
  return a.map((value, i) => value & b[i]);
}

/**
 * Every way to take one node of each step, no node twice. As deep as the pattern is long.
 * @param {GraphModel} model @param {Uint8Array[]} kept @param {Lane[]} lanes @param {Uint8Array[]} leads @returns {Chains}
 */
function enumerate(model, kept, lanes, leads) {
  let tried = 0;
  const nearby = lanes.map(({ far, down }, i) => (far ? nearest(model, down, kept[i + 1]) : null));
  const next = (/** @type {number} */ i, /** @type {number} */ node) => {
    const far = nearby[i]?.[node];
    if (far !== undefined) return far < 0 ? [] : [far];
    const { found, looked } = nextOf(model, node, lanes[i], kept[i + 1], leads[i]);
    tried += looked;
    return found;
  };
  /** @type {number[][]} */
  const chains = [];
  /** @type {number[]} */
  const chain = [];
  const walk = (/** @type {number} */ node) => {
    if (++tried > MOST_TRIED || chains.length > MOST_CHAINS) return;
    chain.push(node);
    if (chain.length === kept.length) chains.push([...chain]);
    else for (const other of next(chain.length - 1, node)) if (!chain.includes(other)) walk(other);
    chain.pop();
  };
  for (let first = 0; first < model.count; first++) if (kept[0][first]) walk(first);
  return { chains: chains.slice(0, MOST_CHAINS), more: chains.length > MOST_CHAINS || tried > MOST_TRIED };
}
