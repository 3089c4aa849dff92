// What is known about forwards and their backwards, by the GID of the forward.

import { Atom } from "../state.js";

/** @typedef {import("../model/mirror/types.js").MirrorAnswer} MirrorAnswer */

/** Answers, and why there is none. @type {Atom<ReadonlyMap<string, MirrorAnswer|Error>>} */
export const mirrors = new Atom(/** @type {ReadonlyMap<string, MirrorAnswer|Error>} */ (new Map()));

/** @param {string} gid of the forward @returns {MirrorAnswer|null} null: not here, or not to be had */
export function mirrorOfForward(gid) {
  const known = mirrors.get().get(gid);
  return known && !(known instanceof Error) ? known : null;
}
