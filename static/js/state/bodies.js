// In and out of the graphs that higher-order ops run.

import { graphOf, trailOf } from "../model/capture.js";
import { runnerOf } from "../model/bodies.js";
import { active, capture, panes, select, showIn } from "../state.js";
import { need } from "./need.js";

/**
 * Shows a graph around a body in its place, with the op selected from which one comes.
 * @param {string} gid the body @param {string} [to] which of the graphs around it; the nearest when left out @param {number} [index] the pane
 */
export async function leaveBody(gid, to = "", index = active.get()) {
  const now = capture.get();
  const trail = now ? trailOf(now, gid).map((each) => each.id) : [];
  const around = to || (now && graphOf(now, gid)?.parent) || "";
  const below = trail[trail.indexOf(around) + 1];
  if (!around) return;
  showIn(around, index);
  if (below === undefined) return;
  const model = await need(around);
  const runner = runnerOf(model, below);
  if (runner >= 0 && panes.get()[index]?.show === around) select(around, [model.name[runner]]);
}

/** Is a graph one of those around another? @param {string} around @param {string} gid */
export function isAround(around, gid) {
  const now = capture.get();
  return now !== null && trailOf(now, gid).slice(0, -1).some((each) => each.id === around);
}
