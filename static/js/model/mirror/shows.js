/**
 * What a pane shows when it shows a mirror: `mirror.0`, `t2.mirror.1`, of a variant `mirror.0.default`; `mirror.0.compared` marks
 * what the other partitioner would do.
 */

import { fragmentsOf } from "../capture.js";

const SHOW = /^((?:t[1-9]\d*\.)?)mirror(\.\d+(?:\.r\d+)?(?:\.(?:min_cut|default))?)(\.compared)?$/;
const HALF = /^((?:t[1-9]\d*\.)?)(?:forward|backward)(\.\d+[^/]*)$/;

/** @param {string} show */
export function isMirror(show) {
  return SHOW.test(show);
}

/** GID of the forward graph of a mirror, "" for what is none. @param {string} show */
export function forwardOf(show) {
  return half(show, "forward");
}

/** GID of its backward graph. @param {string} show */
export function backwardOf(show) {
  return half(show, "backward");
}

/** @param {string} show @param {string} stage */
function half(show, stage) {
  const match = SHOW.exec(show);
  return match ? `${match[1]}${stage}${match[2]}` : "";
}

/** Whether a mirror marks what the other partitioner would do. @param {string} show */
export function isCompared(show) {
  return SHOW.exec(show)?.[3] !== undefined;
}

/** @param {string} show @param {boolean} on */
export function withCompared(show, on) {
  const plain = show.replace(/\.compared$/, "");
  return on ? `${plain}.compared` : plain;
}

/** The mirror in which a forward or a backward graph is one half; "" for any other graph and for bodies. @param {string} gid */
export function mirrorOf(gid) {
  const match = HALF.exec(gid);
  return match ? `${match[1]}mirror${match[2]}` : "";
}

/** The mirrors of a target: one for each fragment with a forward and a backward. @param {Api.Target} target @returns {string[]} */
export function mirrorsOf(target) {
  const halves = ["forward", "backward"].map((id) => target.stages.find((stage) => stage.id === id));
  const [ahead, back] = halves.map((stage) => new Set(stage ? fragmentsOf(stage).map((graph) => mirrorOf(graph.id)) : []));
  return [...ahead].filter((show) => show && back.has(show));
}

/** Whether a capture has both halves of a mirror. @param {Api.Target|null} target @param {string} show */
export function hasBoth(target, show) {
  const known = new Set(target?.stages.flatMap((stage) => stage.graphs.map((graph) => graph.id)));
  return known.has(forwardOf(show)) && known.has(backwardOf(show));
}
