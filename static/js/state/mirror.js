// What is known about forwards and their backwards, by the GID of the forward.

import { withCompared } from "../model/mirror/shows.js";
import { openDifference, openFrom } from "../model/groups.js";
import { Atom, notice, panes, setPane } from "../state.js";

/** @typedef {import("../model/mirror/types.js").MirrorAnswer} MirrorAnswer */
/** @typedef {import("../model/mirror/mirror.js").MirrorModel} MirrorModel */

/** Mirrors that panes draw, by their `show` without what is compared. @type {Atom<ReadonlyMap<string, MirrorModel>>} */
export const drawnMirrors = new Atom(/** @type {ReadonlyMap<string, MirrorModel>} */ (new Map()));

/** Notes what a pane draws; forgets what none does any more. @param {string} show @param {MirrorModel} mirror */
export function noteDrawn(show, mirror) {
  const shown = new Set(panes.get().map((pane) => withCompared(pane.show, false)));
  drawnMirrors.set(new Map([...drawnMirrors.get()].filter(([each]) => shown.has(each))).set(show, mirror));
}

/** The open groups of a mirror in a pane. @param {MirrorModel} mirror @param {import("../state.js").PaneView} pane @returns {Uint8Array} */
export function openOfMirror(mirror, pane) {
  return mirror.ledBy(openFrom(mirror.rows, pane));
}

/** Opens or closes a module in both halves. @param {MirrorModel} mirror @param {import("../state.js").PaneView} pane @param {number} group */
function toggledIn(mirror, pane, group) {
  const open = openOfMirror(mirror, pane);
  const shown = mirror.tree.shown[group];
  const other = mirror.partner[shown];
  open[shown] = open[shown] ? 0 : 1;
  if (other >= 0) open[other] = open[shown];
  return open;
}

/** Opens or closes a module in both halves of a mirror. @param {MirrorModel} mirror @param {number} index of the pane @param {number} group */
export function toggleInMirror(mirror, index, group) {
  const pane = panes.get()[index];
  if (!pane) return;
  const open = toggledIn(mirror, pane, group);
  notice.set(`${mirror.tree.path[group]} ${open[mirror.tree.shown[group]] ? "opened" : "closed"}`);
  setPane(index, openDifference(mirror.rows, open));
}

/** Answers, and why there is none. @type {Atom<ReadonlyMap<string, MirrorAnswer|Error>>} */
export const mirrors = new Atom(/** @type {ReadonlyMap<string, MirrorAnswer|Error>} */ (new Map()));
