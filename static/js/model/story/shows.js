// What a pane shows when it shows a story: `story`, `t2.story`.

import { fragmentsOf, stageKey } from "../capture.js";

const SHOW = /^(?:(t[1-9]\d*)\.)?story$/;

/** @param {string} show */
export function isStory(show) {
  return SHOW.test(show);
}

/** @param {string} target @returns {string} */
export function storyOf(target) {
  return stageKey(target, "story");
}

/** Whether there is more to tell than one graph: several fragments, breaks, code compiled anew. @param {Api.Target} target */
export function hasStory(target) {
  const dynamo = dynamoOf(target);
  return dynamo !== null && (dynamo.breaks > 0 || fragmentsOf(dynamo).length > 1 || anewIn(dynamo) > 0);
}

/** @param {Api.Target} target @returns {Api.Stage|null} */
export function dynamoOf(target) {
  return target.stages.find((stage) => stage.id === "dynamo") ?? null;
}

/** How many graphs the second inputs made torch compile. @param {Api.Stage} dynamo */
export function anewIn(dynamo) {
  return dynamo.graphs.filter((graph) => !graph.parent && (graph.recompile > 0 || graph.variant === "second_inputs")).length;
}
