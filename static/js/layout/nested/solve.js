/**
 * Pass 8: lays out every open group alone, the innermost first. Before: slots. After: a layout per slot.
 *
 * A group whose problem was met before keeps its layout: opening a group costs it and the groups around it, closing it again
 * costs nothing.
 */

import { ITEM } from "../../base/scene/scene.js";
import { layeredSteps } from "../layered/layered.js";
import { groupProblem } from "./problems.js";

/**
 * @typedef {import("./problems.js").LaidOut} LaidOut
 * @typedef {import("../layered/problem.js").Problem} Problem
 *
 * @typedef {object} Entry
 * @property {Problem} problem
 * @property {import("../layered/problem.js").Layout} layout
 * @property {number} serial tells layouts apart
 * @property {number} tidyMs after which it was to be finished roughly
 */

/** Of every group the layouts for so many states of what is in it are kept: as it was, as it is, and one to go back to. */
const KEPT_STATES = 3;

/** Of a group with more boxes and lines only the last one is: it would be some megabytes. */
const LARGE = 20_000;

/** Layouts of one graph's groups, each with the problem it solves. */
export class LayoutCache {
  constructor() {
    /** @type {Map<number, Entry[]>} the last one used first */
    this.entries = new Map();
    this.serial = 0;
    /** How many groups were laid out, and how many kept. */
    this.solved = 0;
    this.kept = 0;
  }

  /**
   * @param {number} group @param {Problem} problem @param {import("../budget.js").Budget} budget
   * @returns {Generator<void, Entry>}
   */
  *solve(group, problem, budget) {
    const states = this.entries.get(group) ?? [];
    const known = states.find((each) => sameProblem(each.problem, problem));
    const others = states.filter((each) => each !== known);
    // What was laid out roughly is done again where there is time for more than last time.
    if (known && (!known.layout.rough || budget.tidyMs <= known.tidyMs)) {
      this.kept++;
      this.entries.set(group, [known, ...others]);
      return known;
    }
    this.solved++;
    const layout = yield* layeredSteps(problem, budget);
    const entry = { problem, layout, serial: ++this.serial, tidyMs: budget.tidyMs };
    const more = problem.children + problem.edges > LARGE ? 0 : KEPT_STATES - 1;
    this.entries.set(group, [entry, ...others.slice(0, more)]);
    return entry;
  }
}

/**
 * @param {import("./problems.js").Whole} whole @param {LayoutCache} cache @param {import("../budget.js").Budget} budget
 * @returns {Generator<void, (LaidOut|null)[]>} yields after every group and between its passes
 */
export function* solveGroups(whole, cache, budget) {
  const { items } = whole;
  /** @type {(LaidOut|null)[]} */
  const done = new Array(items.count + 1).fill(null);
  for (let slot = items.count; slot >= 0; slot--) {
    if (slot > 0 && items.kind[slot - 1] !== ITEM.OPEN) continue;
    const { problem, upperPort, lowerPort } = groupProblem(whole, slot, done);
    const { layout, serial } = yield* cache.solve(slot === 0 ? 0 : items.ref[slot - 1], problem, budget);
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
