// The Python between two fragments: its lines, why torch left them to Python, what to try, and from where it was called.

import { drawer } from "../../state.js";
import { breaks } from "../drawer/facts.js";
import { button, el } from "../dom.js";
import { icon } from "../icon.js";
import { lineOf } from "../pane/explain.js";
import { excerptOf } from "./lines.js";

/** @param {Api.StoryPython} step @param {string} target */
export function betweenStep(step, target) {
  return el(
    "li",
    { class: `story-step is-python is-${step.how}` },
    el(
      "article",
      { class: "story-python", "aria-label": titleOf(step) },
      el("h3", {}, icon("break"), titleOf(step)),
      step.how === "call" && el("p", { class: "muted" }, "Dynamo could not inline it because of the break inside, so it is captured by itself, below."),
      ...step.parts.map((part) => excerptOf(part)),
      step.again.length > 0 && el("p", { class: "muted" }, againOf(step.again)),
      ...step.stops.map((stop) => stopOf(stop, target)),
    ),
  );
}

/** @param {Api.StoryPython} step */
function titleOf({ how, function: name, stops }) {
  if (how === "call") return `Python calls ${name}`;
  if (how === "return") return `Python returns to ${name}`;
  if (how === "next") return name ? `Python goes on in ${name}` : "Python goes on";
  return stops.length > 1 ? `Python runs this: ${stops.length} graph breaks` : "Python runs this: a graph break";
}

/** The lines that follow have code already: this function, or this method of another module, ran before. @param {number[]} again */
function againOf(again) {
  const names = again.map((fragment) => fragment + 1).join(", ");
  return `What follows was captured before, as fragment${again.length > 1 ? "s" : ""} ${names}: torch runs that again where its guards hold.`;
}

/** @param {Api.Stop} stop @param {string} target */
function stopOf(stop, target) {
  const { kind, reason, explanation, hints, frames, text } = stop;
  return el(
    "section",
    { class: "story-stop", "data-stop": stop.number },
    el(
      "header",
      {},
      el("h4", {}, kind || reason),
      el("span", { class: "spring" }),
      button("In the list of breaks", { class: "link", onclick: () => listed(target, stop.number) }),
    ),
    kind && reason !== kind && el("p", { class: "story-reason" }, el("code", {}, reason)),
    explanation && el("pre", { class: "message story-explained" }, explanation),
    hints.length > 0 &&
      el(
        "details",
        { class: "story-hints", open: hints.length === 1 },
        el("summary", {}, hints.length === 1 ? "What to try" : `What to try: ${hints.length} hints`),
        el("ul", { class: "hint-list" }, ...hints.map((hint) => el("li", {}, hint))),
      ),
    frames.length > 1 && stackOf(frames),
    text && el("details", {}, el("summary", {}, "torch's message whole"), el("pre", { class: "trace" }, text)),
  );
}

/** The person's stack, the call that is furthest out first, as it was called. @param {Api.Frame[]} frames */
function stackOf(frames) {
  return el(
    "div",
    { class: "story-stack" },
    el("p", { class: "muted" }, "Stopped in a function that is called:"),
    el("ol", {}, ...frames.map((frame) => el("li", {}, el("span", { class: "story-in" }, frame.function || "module"), lineOf(frame)))),
  );
}

/** Points at a break in the drawer, which lists those of all targets. @param {string} target @param {number} number */
function listed(target, number) {
  const all = [...(breaks.get() ?? []).entries()].filter(([, each]) => each.target === target);
  if (all[number]) drawer.set(`breaks.${all[number][0]}`);
}
