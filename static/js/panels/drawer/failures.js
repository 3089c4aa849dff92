// Every failure of the capture and of its stages, in one list.

import { showOfStage, targetsOf } from "../../model/capture.js";
import { capture, showIn } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { stageTitle } from "../format.js";
import { failureBox } from "../pane/explain.js";

/** @param {HTMLElement} host */
export function mountFailures(host) {
  let shown = "";
  capture.subscribe((now) => {
    if (!now) return;
    const key = JSON.stringify([
      now.failures.length,
      targetsOf(now).map((target) => target.stages.map((stage) => stage.failures.length)),
    ]);
    if (key === shown) return;
    shown = key;
    const parts = [
      ...now.failures.map(failureBox),
      ...targetsOf(now).flatMap((target) => target.stages.flatMap((stage) => ofStage(target, stage))),
    ];
    if (parts.length) fill(host, ...parts);
    else fill(host, el("p", { class: "empty muted" }, "Nothing failed."));
  });
}

/** @param {Api.Target} target @param {Api.Stage} stage */
function ofStage(target, stage) {
  if (!stage.failures.length) return [];
  const head = el(
    "h3",
    { class: "failures-of" },
    button(`${stageTitle(stage.id)} of ${target.title || target.id}`, {
      class: "link",
      onclick: () => showIn(showOfStage(target.id, stage)),
    }),
  );
  return [head, ...stage.failures.map(failureBox)];
}
