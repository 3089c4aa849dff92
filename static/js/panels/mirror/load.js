// Fetches what is saved between a forward and its backward, each once, into the `mirrors` atom.

import { getMirror } from "../../api.js";
import { capture } from "../../state.js";
import { mirrors } from "../../state/mirror.js";

/** @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer */

/** @type {Map<string, Promise<MirrorAnswer>>} */
const under = new Map();

/** @param {string} gid of the forward @param {boolean} [again] though it is here already @returns {Promise<MirrorAnswer>} */
export function wantMirror(gid, again = false) {
  const had = mirrors.get().get(gid);
  if (had && !(had instanceof Error) && !again) return Promise.resolve(had);
  const running = under.get(gid);
  if (running) return running;
  const work = fetchMirror(gid).finally(() => under.delete(gid));
  under.set(gid, work);
  return work;
}

/** @param {string} gid @returns {Promise<MirrorAnswer>} */
async function fetchMirror(gid) {
  const now = capture.get();
  if (!now) throw new Error("no capture yet");
  try {
    const answer = await getMirror(now.id, gid);
    mirrors.set(new Map(mirrors.get()).set(gid, answer));
    return answer;
  } catch (error) {
    mirrors.set(new Map(mirrors.get()).set(gid, error instanceof Error ? error : new Error(String(error))));
    throw error;
  }
}
