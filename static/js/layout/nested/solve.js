/**
 * Pass 8: lays out every open group alone, the innermost first. Before: slots. After: a layout per slot.
 *
 * A group whose problem is the same as last time keeps its layout: opening a group costs it and the groups around it.
 */

import { ITEM } from "../../base/scene.js";
import { layeredLayout } from "../layered/layered.js";
import { groupProblem } from "./problems.js";

/**
 * @typedef {import("./problems.js").LaidOut} LaidOut
 * @typedef {import("../layered/problem.js").Problem} Problem
 */

/** Layouts of one graph's groups, each with the problem it solves. */
export class LayoutCache {
  constructor() {
    /** @type {Map<number, {problem: Problem, layout: import("../layered/problem.js").Layout, serial: number}>} */
    this.entries = new Map();
    this.serial = 0;
    /** How many groups were laid out, and how many kept. */
    this.solved = 0;
    this.kept = 0;
  }

  /** @param {number} group @param {Problem} problem */
  solve(group, problem) {
    const known = this.entries.get(group);
    if (known && sameProblem(known.problem, problem)) {
      this.kept++;
      return known;
    }
    this.solved++;
    const entry = { problem, layout: layeredLayout(problem), serial: ++this.serial };
    this.entries.set(group, entry);
    return entry;
  }
}

/**
 * @param {import("./problems.js").Whole} whole @param {LayoutCache} cache
 * @returns {Generator<void, (LaidOut|null)[]>} yields after every group
 */
export function* solveGroups(whole, cache) {
  const { items } = whole;
  /** @type {(LaidOut|null)[]} */
  const done = new Array(items.count + 1).fill(null);
  for (let slot = items.count; slot >= 0; slot--) {
    if (slot > 0 && items.kind[slot - 1] !== ITEM.OPEN) continue;
    const { problem, upperPort, lowerPort } = groupProblem(whole, slot, done);
    const { layout, serial } = cache.solve(slot === 0 ? 0 : items.ref[slot - 1], problem);
    done[slot] = { problem, layout, serial, upperPort, lowerPort };
    yield;
  }
  return done;
}

/** @param {Problem} a @param {Problem} b */
function sameProblem(a, b) {
  return /** @type {(keyof Problem)[]} */ (Object.keys(a)).every((key) => {
    const left = a[key];
    const right = b[key];
    return typeof left === "number" || typeof right === "number" ? left === right : sameValues(left, right);
  });
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function sameValues(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
