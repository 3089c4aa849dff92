// The sign of a replay, and the reason of one that was not compared.

import { VERDICTS, firstLine } from "../../model/replay.js";
import { el } from "../dom.js";

/** The sign alone, where the control around it has the words. @param {import("../../model/replay.js").Verdict} verdict */
export function replaySign(verdict) {
  return el(
    "span",
    { class: `replay-sign is-${verdict}`, title: VERDICTS[verdict].words },
    el("span", { "aria-hidden": "true" }, VERDICTS[verdict].sign),
    el("span", { class: "visually-hidden" }, `, ${VERDICTS[verdict].short}`),
  );
}

/** The first line of a reason, the rest when opened. @param {string} reason */
export function reasonOf(reason) {
  const first = firstLine(reason) || "no reason was recorded";
  const rest = reason.trim().slice(first.length).trim();
  if (!rest) return el("span", {}, first);
  return el("details", {}, el("summary", {}, first), el("pre", { class: "trace" }, rest));
}
