// What running a graph again gave, in a sign and in words: the same as eager PyTorch, close to it, not, or not compared.

import { fragmentsOf } from "./capture.js";

/** @typedef {"same"|"close"|"apart"|"unknown"} Verdict */

/** From the best to what a person should look at first. @type {readonly Verdict[]} */
const ORDER = ["same", "close", "unknown", "apart"];

/** @type {{[verdict in Verdict]: {sign: string, short: string, words: string}}} */
export const VERDICTS = {
  same: { sign: "=", short: "same as eager", words: "Run again, it gives exactly what eager PyTorch gives" },
  close: { sign: "≈", short: "close to eager", words: "Run again, it gives what eager PyTorch gives, within the tolerances of its dtypes" },
  apart: { sign: "≠", short: "differs from eager", words: "Run again, it gives something else than eager PyTorch" },
  unknown: { sign: "?", short: "not compared", words: "It was not compared with eager PyTorch" },
};

/** @param {Api.Replay} replay @returns {Verdict} */
export function verdictOf(replay) {
  if (replay.status !== "compared") return "unknown";
  if (!replay.close) return "apart";
  return replay.max_abs === 0 ? "same" : "close";
}

/** The graphs that were run again, or that it was tried with: a stage's own, then those that its fragments have besides. @param {Api.Stage} stage @returns {(Api.GraphHead & {replay: Api.Replay})[]} */
export function replayedIn(stage) {
  const own = new Set(fragmentsOf(stage));
  const tried = stage.graphs.filter((graph) => graph.replay !== null);
  const ordered = [...tried.filter((graph) => own.has(graph)), ...tried.filter((graph) => !own.has(graph))];
  return ordered.map((graph) => ({ ...graph, replay: /** @type {Api.Replay} */ (graph.replay) }));
}

/** The verdict on a stage: that on its fragments which is to be looked at first; null when none was tried. @param {Api.Stage} stage @returns {Verdict|null} */
export function stageVerdict(stage) {
  const own = new Set(fragmentsOf(stage).map((graph) => graph.id));
  const verdicts = replayedIn(stage)
    .filter((graph) => own.has(graph.id))
    .map((graph) => verdictOf(graph.replay));
  return verdicts.length ? verdicts.reduce((worst, each) => (ORDER.indexOf(each) > ORDER.indexOf(worst) ? each : worst)) : null;
}

/** A difference: `0`, `3.7e-8`; "" where there is none. @param {number|null} value */
export function difference(value) {
  if (value === null) return "";
  return value === 0 ? "0" : value.toExponential(1);
}

/** What was compared: `3 outputs, 1 gradient`. @param {Api.Replay} replay */
export function comparedIn({ outputs, gradients }) {
  const part = (/** @type {number} */ count, /** @type {string} */ what) => count > 0 && `${count} ${what}${count === 1 ? "" : "s"}`;
  return [part(outputs, "output"), part(gradients, "gradient")].filter(Boolean).join(", ");
}

/** One line of figures: `max abs 3.7e-8, max rel 1.9e-7 over 1 output`; why not where it was not compared. @param {Api.Replay} replay @returns {string} */
export function figures(replay) {
  if (replay.status !== "compared") return firstLine(replay.reason);
  const over = comparedIn(replay) || "nothing";
  if (replay.max_abs === null) return `not finite, over ${over}`;
  return `max abs ${difference(replay.max_abs)}, max rel ${difference(replay.max_rel)} over ${over}`;
}

/** @param {string} text */
export function firstLine(text) {
  return text.trim().split("\n")[0];
}
