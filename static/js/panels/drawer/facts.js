// Breaks and guards of the capture, fetched when first needed and again when more may have come.

import { getBreaks, getGuards } from "../../api.js";
import { targetsOf } from "../../model/capture.js";
import { Atom, capture } from "../../state.js";

/** All breaks of all targets; null until they are here. @type {Atom<Api.Break[]|null>} */
export const breaks = new Atom(/** @type {Api.Break[]|null} */ (null));
/** All guards of all targets; null until somebody asks. @type {Atom<Api.Guard[]|null>} */
export const guards = new Atom(/** @type {Api.Guard[]|null} */ (null));

/** @param {Api.Capture} now @param {"breaks"|"guards"} what */
function total(now, what) {
  return targetsOf(now)
    .flatMap((target) => target.stages)
    .reduce((sum, stage) => sum + stage[what], 0);
}

/** Keeps `breaks` in step with the capture: the stage line draws them. */
export function followBreaks() {
  let had = -1;
  capture.subscribe(async (now) => {
    if (!now || total(now, "breaks") === had) return;
    had = total(now, "breaks");
    try {
      breaks.set(had ? (await getBreaks(now.id)).breaks : []);
    } catch {
      had = -1; // the next change of the capture asks again
    }
  });
}

let guardsHad = -1;

/** Fetches the guards unless they are here. */
export async function wantGuards() {
  const now = capture.get();
  if (!now || total(now, "guards") === guardsHad) return;
  guardsHad = total(now, "guards");
  try {
    guards.set(guardsHad ? (await getGuards(now.id)).guards : []);
  } catch (error) {
    guardsHad = -1;
    throw error;
  }
}
