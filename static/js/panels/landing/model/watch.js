// Has the server look at what is in the form a moment after it changed. Only the last answer counts.

import { ApiError, look } from "../../../api.js";

const PAUSE = 450; // ms without a change: long enough not to be told of half a word
const MAX_BYTES = 8 * 1024 * 1024; // of files; larger ones are sent once, when they are captured

/** @typedef {import("../../../api.js").Sent} What */

/**
 * @param {() => {what: What, options: object}} current what is in the form
 * @param {(look: Api.Look|null, why?: ApiError) => void} onLook null: there is nothing to look at, or the server could not
 * @returns {{soon: () => void, now: () => void}}
 */
export function watchForm(current, onLook) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let asked = new AbortController();
  const ask = async () => {
    clearTimeout(timer);
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    const { what, options } = current();
    if (!worthwhile(what)) {
      onLook(null);
      return;
    }
    try {
      const found = await look(what, options, signal);
      if (!signal.aborted) onLook(found);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      onLook(null, error);
    }
  };
  return {
    now: ask,
    soon: () => {
      clearTimeout(timer);
      timer = setTimeout(ask, PAUSE);
    },
  };
}

/** @param {What} what */
function worthwhile(what) {
  if ("code" in what) return what.code.trim() !== "";
  return what.files.reduce((sum, file) => sum + file.size, 0) <= MAX_BYTES;
}
