// Where there is no backward there is nothing to mirror: why, in torch's words.

import { graphOf, isLive, stageOf } from "../../model/capture.js";
import { forwardOf } from "../../model/mirror/shows.js";
import { showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { sentence } from "../format.js";
import { icon } from "../icon.js";
import { explainStage } from "../pane/explain.js";

/** @param {Api.Capture} now @param {string} show of the mirror @returns {HTMLElement} */
export function nothingToMirror(now, show) {
  const stage = stageOf(now, show);
  const forward = forwardOf(show);
  if (stage?.status === "failed") return explainStage(now, show);
  const coming = isLive(now) && (!stage || stage.status === "queued" || stage.status === "running");
  const why = [stage?.reason, ...(stage?.notes ?? [])].filter(Boolean).map((text) => sentence(String(text)));
  return el(
    "div",
    { class: `explain explain-${coming ? "queued" : "skipped"}` },
    el(
      "h2",
      {},
      icon(coming ? "queued" : "skipped"),
      coming ? "The backward is still to come" : "There is no backward to mirror",
    ),
    ...(coming
      ? [el("p", {}, "Forward and backward open here side by side as soon as both are done.")]
      : why.length
        ? why.map((text) => el("p", {}, text))
        : [el("p", {}, "This capture has no forward graph with a backward of that name.")]),
    graphOf(now, forward) && el("p", {}, button("Show the forward graph", { class: "link", onclick: () => showIn(forward) })),
  );
}
