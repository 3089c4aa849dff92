// One fragment of a story: what it captured, the lines it came from, its graphs, its guards, what it was compiled anew for.

import { graphOf } from "../../model/capture.js";
import { verdictOf } from "../../model/replay.js";
import { active, capture, panes, select, showBeside, showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { count, counted, stageTitle } from "../format.js";
import { icon } from "../icon.js";
import { swatch } from "../pane/swatch.js";
import { replaySign } from "../replay/sign.js";
import { fixedMark, specialList } from "./fixed.js";
import { GuardPanel } from "./guards.js";
import { excerptOf, titleOf } from "./lines.js";

/** One step of a story that is a graph. */
export class FragmentStep {
  /** @param {Api.StoryFragment} fragment @param {(gid: string, open: boolean) => void} onGuards opened or closed the guards of a graph */
  constructor(fragment, onGuards) {
    this.fragment = fragment;
    const title = el("h3", {}, `Fragment ${fragment.fragment + 1}`);
    /** The guards of its graph, and of those it was compiled anew to. */
    this.panels = [fragment.graph, ...fragment.recompiles.map(({ graph }) => graph)].map(
      (gid) => new GuardPanel(gid, (open) => onGuards(gid, open)),
    );
    this.card = el(
      "article",
      { class: "story-card", "aria-label": `Fragment ${fragment.fragment + 1}` },
      el(
        "header",
        { class: "story-card-head" },
        title,
        el("span", { class: "muted" }, `${counted(fragment.calls, "call")}, ${counted(fragment.nodes, "node")}`),
        el("span", { class: "spring" }),
        graphsOf(fragment),
      ),
      callsOf(fragment),
      ...linesOf(fragment),
      guardsOf(fragment, this.panels[0]),
    );
    const anew = fragment.recompiles.map((each, i) => anewOf(each, this.panels[0], this.panels[i + 1]));
    this.element = el("li", { class: "story-step is-fragment", "data-fragment": fragment.fragment }, this.card, ...anew);
  }

  destroy() {
    for (const panel of this.panels) panel.destroy();
  }

  /**
   * @param {ReadonlySet<string>} opened graphs whose guards are open @param {ReadonlySet<string>} shown graphs in the panes
   * @param {import("../../state.js").Selection|null} selected
   */
  update(opened, shown, selected) {
    const names = new Set(selected?.gid === this.fragment.graph ? selected.names : []);
    for (const each of this.card.querySelectorAll("[data-node]"))
      each.setAttribute("aria-pressed", String(names.has(each.getAttribute("data-node") ?? "")));
    for (const panel of this.panels) panel.open(opened.has(panel.gid));
    this.card.classList.toggle("is-shown", this.fragment.drawn.some(({ graph }) => shown.has(graph)));
    for (const each of this.element.querySelectorAll("[data-graph]"))
      each.toggleAttribute("aria-current", shown.has(each.getAttribute("data-graph") ?? ""));
  }
}

/** Its graph at every stage. @param {Api.StoryFragment} fragment */
function graphsOf(fragment) {
  return el(
    "div",
    { class: "story-graphs", role: "group", "aria-label": "Its graphs" },
    ...fragment.drawn.map(({ stage, graph, nodes }) => graphButton(graph, `${stageTitle(stage)}`, nodes)),
  );
}

/** Shows a graph beside the story: where it is already, else in the pane that is there for it. @param {string} gid */
function openBeside(gid) {
  const shows = panes.get().map((pane) => pane.show);
  const other = active.get() === shows.length - 1 ? shows.length - 2 : shows.length - 1;
  if (shows.includes(gid) || other < 0) showBeside(gid);
  else showIn(gid, other);
}

/** @param {string} gid @param {string} title @param {number} nodes */
function graphButton(gid, title, nodes) {
  const item = button("", {
    class: "small story-graph",
    "data-graph": gid,
    title: `Show ${gid} beside the story: ${counted(nodes, "node")}`,
    onclick: () => openBeside(gid),
  });
  const now = capture.get();
  const replay = now && graphOf(now, gid)?.replay;
  item.append(title, el("span", { class: "muted" }, count(nodes)));
  if (replay) item.append(replaySign(verdictOf(replay)));
  return item;
}

/** Its first and last calls in the colours of the drawing. @param {Api.StoryFragment} fragment */
function callsOf({ graph, first, last, left_out }) {
  if (!first.length) return el("p", { class: "muted story-empty" }, "It computes nothing: it only hands on what it is given.");
  const call = (/** @type {Api.StoryOp} */ op) => {
    const item = button("", {
      class: "story-op",
      "data-node": op.node,
      title: `Select ${op.node} in ${graph}`,
      onclick: () => {
        openBeside(graph);
        select(graph, [op.node]);
      },
    });
    item.append(swatch(op.kind), op.label);
    return el("li", {}, item);
  };
  return el(
    "ol",
    { class: "plain story-ops", "aria-label": "Its calls in order" },
    ...first.map(call),
    left_out > 0 && el("li", { class: "muted story-left" }, `${count(left_out)} more`),
    ...last.map(call),
  );
}

/** @param {Api.StoryFragment} fragment */
function linesOf({ parts }) {
  const [own, ...inlined] = parts;
  if (!own) return [el("p", { class: "muted story-empty" }, "None of its calls come from a line of the submitted files.")];
  if (!inlined.length) return [excerptOf(own)];
  return [
    excerptOf(own),
    el(
      "details",
      { class: "story-inlined" },
      el("summary", {}, `Inlined: ${inlined.map((part) => part.function || part.file).join(", ")}`),
      ...inlined.map((part) => excerptOf(part, titleOf(part))),
    ),
  ];
}

/** @param {Api.StoryFragment} fragment @param {GuardPanel} panel */
function guardsOf({ guards, fixed, special }, panel) {
  if (!guards) return el("p", { class: "muted story-empty" }, "No guards.");
  return el(
    "section",
    { class: "story-guards", "aria-label": "Guards" },
    el(
      "div",
      { class: "story-guards-head" },
      panel.toggle(counted(guards, "guard")),
      el("span", { class: "muted" }, fixed ? `${count(fixed)} of them ${fixed === 1 ? "specialises" : "specialise"} it` : "none specialises it"),
    ),
    special.length > 0 && specialList(special, (source) => panel.find(source)),
    panel.element,
  );
}

/**
 * A branch: what the second inputs made of the fragment.
 * @param {Api.Recompiled} anew @param {GuardPanel} first the guards that the fragment had @param {GuardPanel} own
 */
function anewOf(anew, first, own) {
  const reasons = anew.failed.length ? anew.failed.map((each) => failedOf(each, first)) : [el("pre", { class: "message" }, anew.reason)];
  return el(
    "section",
    { class: "story-anew", "aria-label": "Compiled anew" },
    el(
      "header",
      { class: "story-card-head" },
      icon("branch"),
      el("h4", {}, "Compiled anew for other inputs"),
      el("span", { class: "spring" }),
      graphButton(anew.graph, "Dynamo", anew.nodes),
      own.toggle("Guards"),
    ),
    ...reasons,
    own.element,
  );
}

/** A guard that did not hold. @param {Api.Special} failed @param {GuardPanel} guards */
function failedOf({ source, says, fixes, failed }, guards) {
  return el(
    "div",
    { class: "story-failed" },
    source
      ? el(
          "p",
          {},
          "This guard failed: ",
          button(source, { class: "link node-link", title: "Show it among the guards", onclick: () => guards.find(source) }),
          says && el("span", {}, " ", el("code", {}, says), " "),
          fixedMark(fixes),
        )
      : el("p", {}, "A guard failed:"),
    ...failed.map((text) => el("pre", { class: "message" }, text)),
  );
}

