// A stage without a graph explains itself: still to come, skipped with its reason, or failed with torch's words for each
// attempt, the person's line, and what to try.

import { fragmentsOf, noStageWorked, stageOf } from "../../model/capture.js";
import { goToSource, showIn } from "../../state.js";
import { whereOf } from "../../state/places.js";
import { button, el } from "../dom.js";
import { counted, sentence, stageTitle } from "../format.js";
import { icon } from "../icon.js";
import { shapesPart } from "../shapes/symbols.js";

/**
 * @param {Api.Capture} now @param {string} show
 * @returns {HTMLElement}
 */
export function explainStage(now, show) {
  const stage = stageOf(now, show);
  if (!stage) return words("queued", "There is no such graph", "This capture has nothing of that name. Choose a stage above.");
  const title = stageTitle(stage.id);
  if (stage.status === "failed") return failedStage(title, stage, now);
  if (stage.status === "skipped")
    return words("skipped", `${title} was skipped`, sentence(stage.reason || "no reason was recorded"));
  if (stage.status === "done")
    return words(
      "skipped",
      `${title} recorded no graph`,
      [stage.reason, ...stage.notes].filter(Boolean).map(sentence).join(" ") || "torch made no graph here.",
    );
  if (now.status === "cancelled")
    return words("cancelled", `${title} was not reached`, "The capture was cancelled before this stage.");
  if (stage.status === "running") return words("running", `${title} is running`, "Its graph opens here as soon as it is done.");
  return words("queued", `${title} is still to come`, "Its graph opens here as soon as it is done.");
}

/** @param {import("../icon.js").IconName} name @param {string} title @param {string} text */
function words(name, title, text) {
  return el("div", { class: `explain explain-${name}` }, el("h2", {}, icon(name), title), el("p", {}, text));
}

/** @param {string} title @param {Api.Stage} stage @param {Api.Capture} now */
function failedStage(title, stage, now) {
  const hints = [...new Set(stage.failures.flatMap((failure) => failure.hints))];
  return el(
    "div",
    { class: "explain explain-failed" },
    el("h2", {}, icon("failed"), `${title} failed`),
    stage.reason && el("p", {}, sentence(stage.reason)),
    ...stage.failures.map((failure, i) => (stage.failures.length > 1 ? attemptBox(failure, i === 0) : failureBox(failure))),
    hints.length > 0 &&
      el("section", { class: "hints" }, el("h3", {}, "What to try"), el("ul", {}, ...hints.map((hint) => el("li", {}, hint)))),
    shapesPart(stage, lineOf),
    ...fragmentsOf(stage).map((graph) =>
      el(
        "p",
        {},
        "A graph was made all the same: ",
        button(`${graph.title || graph.id}, ${counted(graph.nodes, "node")}`, { class: "link", onclick: () => showIn(graph.id) }),
      ),
    ),
    el(
      "p",
      { class: "muted" },
      noStageWorked(now)
        ? "No stage worked, so the code itself is most likely at fault."
        : "The other stages do not depend on this one: what worked is in the rail above.",
    ),
    now.source.kind === "py" && el("p", {}, editLink(now, stage.failures)),
  );
}

/** The way back to the form, with the code in it and the line that failed in sight. @param {Api.Capture} now @param {readonly Api.Failure[]} failures */
export function editLink(now, failures) {
  const line = failures.find((failure) => failure.frame?.user)?.frame?.line;
  const href = `/?from=${encodeURIComponent(now.id)}${line ? `&line=${line}` : ""}`;
  return el("a", { class: "button primary-link", href }, "Edit and try again");
}

/** One line above a graph that a failed stage left, the rest when opened. @param {Api.Stage} stage @param {Api.Capture} now */
export function failureBanner(stage, now) {
  const title = stageTitle(stage.id);
  const first = firstLine(stage.error?.message ?? "");
  return el("details", {}, el("summary", {}, el("strong", {}, `${title} failed: `), first), failedStage(title, stage, now));
}

/** A graph that could not be fetched or laid out. @param {string} words @param {() => void} again @param {HTMLElement[]} [others] what else can be done */
export function notShown(words, again, others = []) {
  return el(
    "div",
    { class: "explain explain-failed", role: "alert" },
    el("h2", {}, icon("failed"), "This graph cannot be shown"),
    el("p", {}, words),
    el("p", { class: "shown-again" }, button("Try again", { onclick: again }), ...others),
  );
}

/** A trace that finds nothing, or could not be made. @param {string} words @param {string} why @param {() => void} onWhole */
export function nothingTraced(words, why, onWhole) {
  return el(
    "div",
    { class: "explain", role: why ? "alert" : "status" },
    el("h2", {}, icon(why ? "failed" : "skipped"), why ? "This could not be traced" : "Nothing of it is in this graph"),
    el("p", {}, why || `There are no ${words} here.`),
    button("Show the whole graph", { onclick: onWhole }),
  );
}

/** One of several attempts: its first line, and the rest when opened. @param {Api.Failure} failure @param {boolean} open */
function attemptBox(failure, open) {
  return el(
    "details",
    { class: "failure", open },
    el(
      "summary",
      {},
      el("span", { class: "failure-how" }, failure.how),
      " ",
      el("code", {}, failure.type),
      el("span", { class: "failure-first muted" }, ` ${firstLine(failure.message)}`),
    ),
    ...failureBody(failure),
  );
}

/** @param {string} message */
function firstLine(message) {
  return message.trim().split("\n")[0];
}

/** A failure: its kind of error, torch's message, the person's line, the trace folded away. @param {Api.Failure} failure */
export function failureBox(failure) {
  return el(
    "article",
    { class: "failure" },
    el("h3", {}, failure.how && el("span", { class: "failure-how" }, failure.how), el("code", {}, failure.type)),
    ...failureBody(failure),
  );
}

/** @param {Api.Failure} failure */
function failureBody(failure) {
  return [
    failure.frame && lineOf(failure.frame),
    el("pre", { class: "message", tabindex: "0" }, failure.message),
    failure.trace && el("details", {}, el("summary", {}, "Trace"), el("pre", { class: "trace" }, failure.trace)),
  ];
}

/** A line of code that leads to the source. @param {Api.Frame} frame */
export function lineOf(frame) {
  const where = whereOf(frame.file, frame.line);
  if (!frame.user) return el("p", { class: "code-line" }, el("span", { class: "muted" }, where), " ", el("code", {}, frame.code));
  const link = button(where, {
    class: "link",
    title: "Show this line in the source",
    onclick: () => goToSource(frame.file, frame.line),
  });
  return el("p", { class: "code-line" }, link, " ", el("code", {}, frame.code));
}
