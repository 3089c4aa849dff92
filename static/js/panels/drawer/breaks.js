// Graph breaks: where Dynamo stopped, why, on which line, what torch says to try.

import { activeShow, drawer, showIn } from "../../state.js";
import { parseShow, stageKey } from "../../model/capture.js";
import { button, el, fill } from "../dom.js";
import { lineOf } from "../pane/explain.js";
import { showStop } from "../story/entry.js";
import { breaks } from "./facts.js";
import { filterField } from "./filter.js";

/** @param {HTMLElement} host */
export function mountBreaks(host) {
  const list = el("ol", { class: "plain breaks" });
  const point = () => {
    const at = /^breaks\.(\d+)$/.exec(drawer.get())?.[1];
    for (const row of list.children) row.classList.toggle("is-pointed", row.getAttribute("data-break") === at);
    list.querySelector(".is-pointed")?.scrollIntoView({ block: "nearest" });
  };
  const filter = filterField("Filter the breaks", list, point);
  const show = () => {
    const all = breaks.get();
    if (!all) return fill(host, el("p", { class: "empty muted" }, "Loading the breaks…"));
    if (!all.length) return fill(host, el("p", { class: "empty muted" }, "No graph breaks."));
    fill(host, filter.field, list);
    filter.over(all.map((each, i) => ({ text: JSON.stringify(Object.values(each)), make: () => rowOf(each, i) })));
  };
  breaks.subscribe(show);
  drawer.subscribe(point);
  show();
}

/** @param {Api.Break} each @param {number} index */
function rowOf(each, index) {
  const frame = each.frames.at(-1);
  return el(
    "li",
    { class: "break-row", "data-break": index },
    el("header", {}, el("strong", {}, `${index + 1}. ${each.kind || "Graph break"}`), between(each), inStory(each)),
    frame && lineOf(frame),
    el("pre", { class: "message" }, each.reason),
    each.explanation && el("p", {}, each.explanation),
    each.hints.length > 0 && el("ul", { class: "hint-list" }, ...each.hints.map((hint) => el("li", {}, hint))),
    each.frames.length > 1 && el("details", {}, el("summary", {}, "Call stack"), ...[...each.frames].reverse().map(lineOf)),
    each.text && el("details", {}, el("summary", {}, "torch's message whole"), el("pre", { class: "trace" }, each.text)),
  );
}

/** @param {Api.Break} each */
function inStory(each) {
  const own = (breaks.get() ?? []).filter((other) => other.target === each.target);
  return button("In the story", { class: "link", onclick: () => showStop(each.target, own.indexOf(each)) });
}

/** The fragments on both sides, as links. @param {Api.Break} each */
function between(each) {
  const { stage } = parseShow(activeShow());
  const on = stage === "joint" || stage === "forward" || stage === "backward" ? stage : each.stage;
  const link = (/** @type {number} */ fragment) =>
    button(`fragment ${fragment + 1}`, { class: "link", onclick: () => showIn(`${stageKey(each.target, on)}.${fragment}`) });
  return el(
    "span",
    { class: "muted break-between" },
    each.before !== null && "after ",
    each.before !== null && link(each.before),
    each.before !== null && each.after !== null && ", ",
    each.after !== null && "before ",
    each.after !== null && link(each.after),
  );
}
