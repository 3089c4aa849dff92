// How a graph did when it was run again, in the details of the graph.

import { VERDICTS, comparedIn, difference, verdictOf } from "../../model/replay.js";
import { el } from "../dom.js";
import { pairs, section } from "../details/parts.js";
import { reasonOf, replaySign } from "./sign.js";

/** @param {Api.GraphHead|null} graph @returns {HTMLElement|null} null: it was not tried */
export function replayPart(graph) {
  const replay = graph?.replay;
  if (!replay) return null;
  const verdict = verdictOf(replay);
  const compared = replay.status === "compared";
  return section(
    "Replay",
    el("p", { class: "replay-result" }, replaySign(verdict), el("span", { "aria-hidden": "true" }, VERDICTS[verdict].words)),
    pairs([
      ["compared", compared && (comparedIn(replay) || "nothing")],
      ["max abs", compared && (replay.max_abs === null ? "not finite" : difference(replay.max_abs))],
      ["max rel", compared && difference(replay.max_rel)],
      ["largest at", replay.worst],
      ["note", compared && replay.reason],
      ["why not", !compared && reasonOf(replay.reason)],
    ]),
  );
}
