/**
 * The layout: a model and its open groups become a Scene. `layoutSteps` names the passes in their order.
 */

import { ENDLESS } from "./budget.js";
import { siblingOrder } from "./nested/acyclic.js";
import { composeScene } from "./nested/compose.js";
import { cutAtBorders } from "./nested/hops.js";
import { liftEdges } from "./nested/lift.js";
import { pathsThroughHops } from "./nested/paths.js";
import { slots } from "./nested/problems.js";
import { siblingRanks } from "./nested/rank.js";
import { LayoutCache, solveGroups } from "./nested/solve.js";
import { chooseStubs, labelsOf } from "./nested/stubs.js";
import { visibleItems } from "./nested/visible.js";

/**
 * @typedef {import("../model/types.js").LayoutModel} LayoutModel
 * @typedef {import("../model/types.js").GroupTree} GroupTree
 * @typedef {import("../base/scene/scene.js").Scene} Scene
 */

export { LayoutCache };

/**
 * @typedef {object} Options how to lay out
 * @property {import("../base/scene/flow.js").Flow} [flow] where lines run
 * @property {boolean} [wrap] whether groups that are very tall stand in columns; left out: they do
 * @property {import("./budget.js").Budget} [budget] how long it may take; left out: as long as it takes
 */

/**
 * @param {LayoutModel} model @param {GroupTree} tree @param {Uint8Array} open
 * @param {LayoutCache} cache of this model and these options, kept from one call to the next
 * @param {Options} [options]
 * @returns {Generator<void, Scene>} yields between passes and groups, where a caller may stop for good
 */
export function* layoutSteps(model, tree, open, cache, { flow = "down", wrap = true, budget = ENDLESS } = {}) {
  const items = visibleItems(model, tree, open);
  yield;
  const edges = liftEdges(model, items);
  yield;
  const order = siblingOrder(items.count, edges);
  const rank = siblingRanks(items, edges, order);
  yield;
  const hops = cutAtBorders(items, edges, order.reversed);
  yield;
  const { stub, kept } = chooseStubs(items, hops, rank);
  yield;
  const paths = pathsThroughHops(model, edges, hops);
  const labels = labelsOf(items.count, edges, order.reversed, stub);
  const whole = { labels, model, tree, flow, wrap, items, hops, paths, kept, rank, slots: slots(items, hops, kept) };
  const done = yield* solveGroups(whole, cache, budget);
  return composeScene(whole, edges, order.reversed, stub, done);
}

/**
 * The whole layout at once.
 * @param {LayoutModel} model @param {GroupTree} tree @param {Uint8Array} open @param {LayoutCache} [cache]
 * @param {Options} [options]
 * @returns {Scene}
 */
export function layout(model, tree, open, cache = new LayoutCache(), options = {}) {
  const steps = layoutSteps(model, tree, open, cache, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
