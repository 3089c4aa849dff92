/** Groups of long chains of pointwise and view ops, inside the groups of their modules and original ops. */

import { viewTest } from "../folding/views.js";

/** @typedef {Omit<import("./calls.js").Nesting, "call">} Given */

/** Nodes in a chain: shorter ones are read as quickly as the title of their group. */
const LEAST_NODES = 4;

/**
 * The given groups, and behind them one for every chain: each node is the only one that reads the one before it. A chain has one
 * way out, its end, so that it can be one box without making a circle.
 * @param {import("../types.js").LayoutModel} model @param {Omit<Given, "chain">} given @returns {Given}
 */
export function splitChains(model, given) {
  const { module, backward, parent, op } = given;
  const none = new Int32Array(parent.length).fill(-1);
  if (!model.folds.chained) return { ...given, chain: none };
  const groupOf = given.groupOf.slice();
  const chains = chainsOf(model, groupOf);
  chains.forEach((nodes, at) => nodes.forEach((node) => (groupOf[node] = parent.length + at)));
  const around = chains.map(([first]) => given.groupOf[first]);
  return {
    module: Int32Array.from([...module, ...around.map((group) => module[group])]),
    backward: Uint8Array.from([...backward, ...around.map((group) => backward[group])]),
    parent: Int32Array.from([...parent, ...around]),
    op: Int32Array.from([...op, ...chains.map(() => -1)]),
    chain: Int32Array.from([...none, ...chains.map(([first]) => first)]),
    groupOf,
  };
}

/** @param {import("../types.js").LayoutModel} model @param {Int32Array} groupOf @returns {number[][]} nodes in order */
function chainsOf(model, groupOf) {
  const next = onlyUsers(model);
  const before = new Int32Array(model.count).fill(-1);
  const fits = links(model);
  const { src, dst, count } = model.edges;
  for (let e = 0; e < count; e++) {
    const [node, user] = [src[e], dst[e]];
    if (next[node] === user && before[user] < 0 && fits[node] && fits[user] && groupOf[node] === groupOf[user]) before[user] = node;
  }
  const chains = [];
  for (let node = 0; node < model.count; node++) {
    if (!fits[node] || before[node] >= 0) continue;
    const chain = [node];
    for (let at = next[node]; at >= 0 && before[at] === chain[chain.length - 1]; at = next[at]) chain.push(at);
    if (chain.length >= LEAST_NODES) chains.push(chain);
  }
  return chains;
}

/** The only node that reads each; -1 for none, -2 for several. @param {import("../types.js").LayoutModel} model */
function onlyUsers({ count, edges }) {
  const only = new Int32Array(count).fill(-1);
  for (let e = 0; e < edges.count; e++) {
    const node = edges.src[e];
    only[node] = only[node] === -1 || only[node] === edges.dst[e] ? edges.dst[e] : -2;
  }
  return only;
}

/** 1 for what a chain is made of: pointwise ops and views. @param {import("../types.js").LayoutModel} model */
function links({ folded, bodies, kinds, kind, ...model }) {
  const isView = viewTest({ bodies, kinds, kind, ...model });
  const pointwise = kinds.indexOf("pointwise");
  return folded.map((hidden, node) => (!hidden && !bodies.has(node) && (kind[node] === pointwise || isView(node)) ? 1 : 0));
}
