// The mark of a replay: a sign in a colour, the figures in words, and a list that it opens.

import { VERDICTS, figures, stageVerdict, verdictOf } from "../../model/replay.js";
import { button, el } from "../dom.js";
import { stageTitle } from "../format.js";
import { showReplays } from "./list.js";

/** @typedef {import("../../model/replay.js").Verdict} Verdict */

/** The mark of a stage; null where nothing was run again. @param {Api.Stage} stage @returns {HTMLElement|null} */
export function stageMark(stage) {
  const verdict = stageVerdict(stage);
  return verdict && markOf(verdict, `${stageTitle(stage.id)}: ${VERDICTS[verdict].short}`, VERDICTS[verdict].words, () => stage);
}

/** The mark of a graph that was run again. @param {Api.Stage} stage @param {Api.GraphHead} graph @returns {HTMLElement|null} */
export function graphMark(stage, graph) {
  if (!graph.replay) return null;
  const verdict = verdictOf(graph.replay);
  const words = `${VERDICTS[verdict].words}: ${figures(graph.replay)}`;
  return markOf(verdict, `${graph.id}: ${VERDICTS[verdict].short}, ${figures(graph.replay)}`, words, () => stage, graph.id);
}

/**
 * @param {Verdict} verdict @param {string} label @param {string} title @param {() => Api.Stage} stage of the list
 * @param {string} [gid] the graph in it that is meant
 */
function markOf(verdict, label, title, stage, gid = "") {
  const item = button("", {
    class: `replay-mark is-${verdict}`,
    title,
    "aria-label": `Replay. ${label}`,
    "aria-haspopup": "dialog",
    onclick: () => showReplays(item, stage(), gid),
  });
  item.append(el("span", { "aria-hidden": "true" }, VERDICTS[verdict].sign));
  return item;
}
