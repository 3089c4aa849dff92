// Fetches what is saved between a forward and its backward, each once, into the `mirrors` atom.

import { once } from "../../base/once.js";
import { asError } from "../../base/errors.js";
import { getMirror } from "../../api.js";
import { capture } from "../../state.js";
import { mirrors } from "../../state/mirror.js";

/** @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer */

/** @param {string} gid of the forward @param {boolean} [again] though it is here already @returns {Promise<MirrorAnswer>} */
export function wantMirror(gid, again = false) {
  const had = mirrors.get().get(gid);
  if (had && !(had instanceof Error) && !again) return Promise.resolve(had);
  return fetchMirror(gid);
}

/** @type {(gid: string) => Promise<MirrorAnswer>} */
const fetchMirror = once(async (gid) => {
  const now = capture.get();
  if (!now) throw new Error("no capture yet");
  try {
    const answer = await getMirror(now.id, gid);
    mirrors.set(new Map(mirrors.get()).set(gid, answer));
    return answer;
  } catch (error) {
    mirrors.set(new Map(mirrors.get()).set(gid, asError(error)));
    throw error;
  }
});
