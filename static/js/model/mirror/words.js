/** What the mirror says in words. */

import { bytes } from "../../base/bytes.js";

/**
 * @typedef {import("./types.js").Saved} Saved
 * @typedef {import("./types.js").Cut} Cut
 */

/** Why a value is saved rather than computed again. @type {{[reason: string]: string}} */
export const REASONS = {
  input: "an input of the graph: there is nothing to compute it from",
  size: "a number, which takes no memory",
  marked: "the checkpoint policy of the code says that it must be saved",
  saves_all: "the default partitioner saves whatever the backward reads",
  random: "random: computed again it would be another value",
  compute_intensive: "torch calls its operator compute intensive",
  not_recomputable: "its operator is not among those that torch may compute again",
  materialized: "the backward needs it in memory, so computing it again would not be free",
  far: "too far from the backward to be computed again",
  reduction: "less than a quarter of what it is computed from: cheaper to keep",
  forbidden: "torch forbids computing it again",
  returned: "the forward returns it, or the memory it lies in, anyway",
  cheapest: "torch forbids nothing here: this is where the minimum cut runs",
  unknown: "this capture does not hold torch's reasons",
};

/** @type {{[partitioner: string]: string}} */
export const PARTITIONERS = { min_cut: "min-cut", default: "default" };

/** @param {number|null} value @returns {string} "16 KiB", or that it is symbolic */
export function size(value) {
  return value === null ? "symbolic size" : bytes(value);
}

/** Bytes of several storages: those that are known, and how many are not. @param {number} known @param {number} unknown */
export function sizes(known, unknown) {
  if (unknown === 0) return bytes(known);
  return known > 0 ? `${bytes(known)} + ${unknown} symbolic` : `${unknown} symbolic`;
}

/** What a saved value is: `addmm f32[64, 64]`. @param {Saved} saved */
export function title({ name, label, kind, type }) {
  return `${kind === "call" ? name : label} ${type}`.trim();
}

/** Where its memory lies. @param {Cut} cut @param {Saved} saved @returns {string} "" where it has memory of its own */
export function memory({ storages }, { name, storage, view }) {
  if (storage < 0) return "";
  const { name: owner, held, saved, bytes: all } = storages[storage];
  const parts = [];
  if (view) parts.push(`a view of ${owner}, ${size(all)}`);
  if (saved.length > 1) parts.push(`shared by ${saved.length} saved tensors, counted once`);
  if (held) parts.push(owner === name ? "there anyway, as an input of the graph" : "an input of the graph, there anyway");
  return parts.join("; ");
}
