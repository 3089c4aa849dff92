// Graphs that are needed without being shown: asked for here, fetched by main/fetch/loader.js.

import { Atom, active, graphs, panes } from "../state.js";
import { openNodes } from "./kin.js";

/** @typedef {import("../model/graph.js").GraphModel} GraphModel */

/** GIDs asked for last. */
export const needed = new Atom(/** @type {readonly string[]} */ ([]));

/** @param {string} gid @returns {Promise<GraphModel>} as soon as it is here; what can not be had is told by who fetches it */
export function need(gid) {
  const had = graphs.get().get(gid);
  if (had) return Promise.resolve(had);
  const coming = new Promise((/** @type {(model: GraphModel) => void} */ resolve) => {
    const leave = graphs.subscribe((now) => {
      const model = now.get(gid);
      if (model) leave();
      if (model) resolve(model);
    });
  });
  needed.set([gid]);
  return coming;
}

/** The graph to go to among some: the one in the active pane, one in another pane, else the first. @param {readonly string[]} gids @returns {string[]} */
export function shownFirst(gids) {
  const shown = panes.get().map((pane) => pane.show);
  const rank = (/** @type {string} */ gid) => (shown[active.get()] === gid ? 0 : shown.includes(gid) ? 1 : 2);
  return [...gids].sort((a, b) => rank(a) - rank(b));
}

/**
 * Selects all calls of some operators in the first of these graphs that has any.
 * @param {readonly string[]} gids @param {readonly string[]} targets
 */
export async function openOperators(gids, targets) {
  for (const gid of shownFirst(gids)) {
    const model = await need(gid);
    const nodes = [...model.target.keys()].filter((node) => targets.includes(model.targetOf(node)));
    if (nodes.length) return openNodes(gid, nodes);
  }
}
