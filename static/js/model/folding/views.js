/**
 * Nodes that only look at a value in another way: views, casts, and the taking of one of several outputs. Left out, each leads
 * what it reads on to whatever reads it.
 */

import { OP } from "../graph.js";

/** Casts by their labels; as methods also the names of dtypes. */
const CASTS = new Set(["to", "_to_copy", "to_copy", "type_as", "type", "convert_element_type"]);
const CAST_METHODS = new Set(["float", "double", "half", "bfloat16", "long", "int", "short", "char", "byte", "bool", "cfloat", "cdouble"]);

/** More different values behind one view are no view of anything. */
const MOST_SOURCES = 64;

/**
 * @typedef {import("../types.js").LayoutModel} LayoutModel
 * @typedef {{node: number, output: number}} Behind a node that is drawn, and which of its outputs: -1 the whole of several
 */

/**
 * Tells which nodes are left out with the views. The table of strings is looked through once.
 * @param {Pick<LayoutModel, "strings"|"kinds"|"kind"|"label"|"op"|"bodies">} model @returns {(node: number) => boolean}
 */
export function viewTest({ strings, kinds, kind, label, op, bodies }) {
  const view = kinds.indexOf("view");
  const named = Uint8Array.from(strings, (name) => (CASTS.has(name) || /^getitem\b/.test(name) ? 1 : CAST_METHODS.has(name) ? 2 : 0));
  return (node) => {
    if (op[node] < OP.CALL_FUNCTION || op[node] === OP.OUTPUT || bodies.has(node)) return false;
    const name = named[label[node]];
    return kind[node] === view || name === 1 || (name === 2 && op[node] === OP.CALL_METHOD);
  };
}

/** @type {WeakMap<object, (node: number) => boolean>} */
const tests = new WeakMap();

/** Whether a node is left out with the views. @param {Parameters<typeof viewTest>[0]} model @param {number} node */
export function isView(model, node) {
  let test = tests.get(model);
  if (!test) tests.set(model, (test = viewTest(model)));
  return test(node);
}

/**
 * What is behind every hidden node: first what it is a view of, then what else it reads, such as sizes.
 * @param {Uint8Array} hidden by node; one without sources must not be
 * @param {{start: Uint32Array, edge: ArrayLike<number>}} into edges by the node at their end
 * @param {ArrayLike<number>} src @param {ArrayLike<number>} output of every edge
 * @returns {(readonly Behind[]|undefined)[]} by node
 */
export function behindViews(hidden, into, src, output) {
  /** @type {(readonly Behind[]|undefined)[]} */
  const behind = new Array(hidden.length);
  const begun = new Uint8Array(hidden.length);
  for (let node = 0; node < hidden.length; node++) {
    if (!hidden[node] || behind[node]) continue;
    const pending = [node]; // mostly that one alone: sources come first in execution order
    while (pending.length) {
      const at = pending[pending.length - 1];
      const waiting = begun[at] ? [] : unknown(at);
      begun[at] = 1;
      pending.push(...waiting);
      if (waiting.length) continue;
      behind[at] ??= gathered(at);
      pending.pop();
    }
  }
  return behind;

  /** Hidden sources that nothing is known of yet. @param {number} node */
  function unknown(node) {
    /** @type {number[]} */
    const found = [];
    for (let i = into.start[node]; i < into.start[node + 1]; i++) {
      const source = src[into.edge[i]];
      if (hidden[source] && !behind[source] && !begun[source]) found.push(source);
    }
    return found;
  }

  /** @param {number} node @returns {readonly Behind[]} */
  function gathered(node) {
    const only = into.start[node + 1] - into.start[node] === 1 ? into.edge[into.start[node]] : -1;
    if (only >= 0) return behind[src[only]] ?? [{ node: src[only], output: output[only] }];
    /** @type {Map<string, Behind>} */
    const found = new Map();
    for (let i = into.start[node]; i < into.start[node + 1] && found.size < MOST_SOURCES; i++) {
      const edge = into.edge[i];
      const own = hidden[src[edge]] ? (behind[src[edge]] ?? []) : [{ node: src[edge], output: output[edge] }];
      for (const each of own) found.set(`${each.node} ${each.output}`, each);
    }
    return [...found.values()];
  }
}
