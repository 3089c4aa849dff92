/** In which other graphs of a capture the kin of a graph's nodes are to be looked for. */

import { graphOf, parseShow, targetOf } from "../capture.js";

/** Stages that hold one graph for each fragment that Dynamo cut; any other holds the whole model. */
const FRAGMENTED = new Set(["dynamo", "pre_grad", "joint", "forward", "backward", "post_grad"]);

/**
 * The graphs of the same target, in the order of the stages: first those that show the same piece of the model as this one, then
 * the rest: bodies, variants, recompilations, fragments of which this one is none.
 * @param {Api.Capture} capture @param {string} gid @returns {{first: Api.GraphHead[], more: Api.GraphHead[]}}
 */
export function relativesOf(capture, gid) {
  const own = graphOf(capture, gid);
  const { target, stage } = parseShow(gid);
  if (!own) return { first: [], more: [] };
  const heads = (targetOf(capture, target)?.stages ?? []).flatMap((each) =>
    each.graphs.filter((graph) => graph.id !== gid || stage === "joint").map((graph) => ({ graph, stage: each.id })),
  );
  const near = heads.filter((each) => isNear(own, stage, each.graph, each.stage)).map(({ graph }) => graph);
  return { first: near, more: heads.map(({ graph }) => graph).filter((graph) => !near.includes(graph)) };
}

/** @param {Api.GraphHead} own @param {string} ownStage @param {Api.GraphHead} other @param {string} stage */
function isNear(own, ownStage, other, stage) {
  if (other.variant !== own.variant && other.variant !== "") return false;
  if (other.recompile !== own.recompile && other.recompile !== 0) return false;
  if (other.parent !== "" && own.parent === "") return false;
  return !FRAGMENTED.has(stage) || !FRAGMENTED.has(ownStage) || other.fragment === own.fragment;
}
