/**
 * The worker's side without the worker: takes messages, keeps models, lays out one request at a time, and between passes
 * looks whether a newer one of the same slot has come.
 */

import { groupTree } from "../model/groups.js";
import { Budget, OverBudget } from "./budget.js";
import { LayoutCache, layoutSteps } from "./layout.js";

/**
 * @typedef {import("./messages.js").ToWorker} ToWorker
 * @typedef {import("./messages.js").FromWorker} FromWorker
 * @typedef {import("./messages.js").LayoutRequest} LayoutRequest
 * @typedef {{tree: import("../model/types.js").GroupTree, cache: LayoutCache}} Grouped a tree and the layouts of its groups
 * @typedef {import("../model/types.js").GroupTree} GroupTree
 * @typedef {{model: import("../model/types.js").LayoutModel, trees: Map<string, GroupTree>, grouped: Map<string, Grouped>}} Known
 */

/** Two panes and a few graphs to go back to; a graph of 100,000 nodes keeps some 100 MB of layouts. */
const KEPT_MODELS = 4;

/** How long to work before looking at messages: a toggle should not wait for a layout that nobody wants any more. */
const SLICE_MS = 12;

export class LayoutDesk {
  /**
   * @param {(answer: FromWorker) => void} answer
   * @param {() => Promise<void>} pause lets messages in
   * @param {() => number} now milliseconds
   */
  constructor(answer, pause, now) {
    this.answer = answer;
    this.pause = pause;
    this.now = now;
    /** @type {Map<number, Known>} the least recently used first */
    this.models = new Map();
    /** @type {Map<string, LayoutRequest>} what every slot waits for */
    this.waiting = new Map();
    this.busy = false;
  }

  /** @param {ToWorker} message @returns {Promise<void>} when nothing is left to do */
  async take(message) {
    if (message.type === "model") {
      this.keep(message.key, message.model);
      return;
    }
    if (message.type === "groups") {
      this.group(message);
      return;
    }
    if (message.tree) this.models.get(message.key)?.trees.set(message.how.by, message.tree);
    const older = this.waiting.get(message.slot);
    if (older) this.answer({ type: "superseded", id: older.id });
    this.waiting.set(message.slot, message);
    if (this.busy) return;
    this.busy = true;
    for (let next = this.next(); next; next = this.next()) await this.serve(next);
    this.busy = false;
  }

  /** @param {import("./messages.js").GroupsRequest} request */
  group({ id, key, by }) {
    const known = this.models.get(key);
    if (!known) return this.answer({ type: "unknown", id, key });
    try {
      this.answer({ type: "groups", id, tree: treeOf(known, by) });
    } catch (error) {
      this.answer({ type: "failed", id, message: String(error) });
    }
  }

  /** @returns {LayoutRequest|undefined} */
  next() {
    return this.waiting.values().next().value;
  }

  /** @param {LayoutRequest} request */
  async serve(request) {
    const known = this.models.get(request.key);
    if (!known) return this.finish(request, { type: "unknown", id: request.id, key: request.key });
    this.models.delete(request.key);
    this.models.set(request.key, known);
    try {
      const { tree, cache } = grouped(known, request.how);
      const { flow, wrap, thorough } = request.how;
      const budget = new Budget(this.now, thorough ? { tidyMs: Infinity, mostMs: Infinity } : {});
      const steps = layoutSteps(known.model, tree, request.open, cache, { flow, wrap, budget });
      let since = this.now();
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return this.finish(request, { type: "scene", id: request.id, scene: step.value });
        if (this.now() - since < SLICE_MS) continue;
        await this.pause();
        since = this.now();
        if (this.waiting.get(request.slot) !== request) return; // already answered
        budget.check(known.model.count);
      }
    } catch (error) {
      const message = error instanceof OverBudget ? error.message : String(error);
      this.finish(request, { type: "failed", id: request.id, message });
    }
  }

  /** @param {LayoutRequest} request @param {FromWorker} answer */
  finish(request, answer) {
    if (this.waiting.get(request.slot) !== request) return;
    this.waiting.delete(request.slot);
    this.answer(answer);
  }

  /** @param {number} key @param {import("../model/types.js").LayoutModel} model */
  keep(key, model) {
    this.models.set(key, { model, trees: new Map(), grouped: new Map() });
    for (const oldest of this.models.keys()) {
      if (this.models.size <= KEPT_MODELS) break;
      this.models.delete(oldest);
    }
  }
}

/** @param {Known} known @param {import("../model/tree/grouptree.js").Grouping} by @returns {GroupTree} */
function treeOf(known, by) {
  const tree = known.trees.get(by) ?? groupTree(known.model, by);
  known.trees.set(by, tree);
  return tree;
}

/** @param {Known} known @param {import("./messages.js").How} how @returns {Grouped} */
function grouped(known, { by, flow, wrap }) {
  const key = `${by} ${flow} ${wrap}`;
  const had = known.grouped.get(key) ?? { tree: treeOf(known, by), cache: new LayoutCache() };
  known.grouped.set(key, had);
  return had;
}
