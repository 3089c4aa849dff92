// Under the rail: what the stage in the active pane is, its fragments from first to last, and the breaks between them.

import { fragmentsOf, parseShow, stageOf, targetOf, trailOf } from "../../model/capture.js";
import { active, activeShow, capture, drawer, panes, showIn } from "../../state.js";
import { placeOf } from "../../state/places.js";
import { button, el, fill, refill } from "../dom.js";
import { STAGES, counted, sentence } from "../format.js";
import { icon } from "../icon.js";
import { isMirror } from "../../model/mirror/shows.js";
import { isStory } from "../../model/story/shows.js";
import { ABOUT, mirrorParts } from "../mirror/entry.js";
import * as story from "../story/entry.js";
import { breaks } from "../drawer/facts.js";

/** @param {HTMLElement} host */
export function mountStageLine(host) {
  const about = el("p", { class: "stage-about" });
  const parts = el("div", { class: "fragments" });
  fill(host, about, parts);
  let shown = "";
  const show = () => {
    const now = capture.get();
    const stage = now && stageOf(now, activeShow());
    const key = JSON.stringify([activeShow(), stage, breaks.get()?.length]);
    if (key === shown) return; // a button under the pointer must not be replaced between press and release
    shown = key;
    if (!now || !stage) return fill(parts);
    const target = isMirror(activeShow()) && targetOf(now, parseShow(activeShow()).target);
    if (target) {
      fill(about, ABOUT);
      return refill(parts, ...mirrorParts(target));
    }
    const told = isStory(activeShow()) && targetOf(now, parseShow(activeShow()).target);
    if (told) {
      fill(about, story.ABOUT);
      return refill(parts, ...story.storyParts(told));
    }
    const said = [stage.reason, ...stage.notes].filter(Boolean).map(sentence).join(" ");
    fill(
      about,
      STAGES[stage.id]?.what ?? "",
      stage.status === "done" && said && el("strong", { class: "stage-said" }, ` ${said}`),
    );
    about.title = about.textContent ?? "";
    refill(parts, ...fragmentParts(now, stage));
    parts.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  for (const each of [capture, panes, active, breaks]) each.subscribe(show);
  show();
}

/** Fragments as buttons; between them the breaks. @param {Api.Capture} now @param {Api.Stage} stage */
function fragmentParts(now, stage) {
  const show = activeShow();
  const { target } = parseShow(show);
  const shown = trailOf(now, show)[0]?.id ?? show;
  const between = (breaks.get() ?? []).map((each, index) => ({ ...each, index })).filter((each) => each.target === target);
  const cut = stage.id === "eager" || stage.id === "export" || stage.id === "core_aten" ? [] : between;
  const graphs = fragmentsOf(stage);
  if (graphs.length < 2 && !cut.length) return guardsOf(stage);
  if (graphs.length === 0) return cut.map(breakButton);
  const last = Math.max(...graphs.map((graph) => graph.fragment), ...cut.map((each) => each.before ?? -1), 0);
  /** @type {(HTMLElement|false)[]} */
  const parts = cut.filter((each) => each.before === null).map(breakButton);
  for (let i = 0; i <= last; i++) {
    const here = graphs.filter((graph) => graph.fragment === i);
    parts.push(...here.map((graph) => fragmentButton(graph, graph.id === shown)));
    if (!here.length)
      parts.push(
        el(
          "span",
          { class: "fragment-none muted", title: "This stage has no graph of this fragment" },
          `no graph of fragment ${i + 1}`,
        ),
      );
    parts.push(...cut.filter((each) => each.before === i).map(breakButton));
  }
  return [...parts, ...guardsOf(stage)];
}

/** @param {Api.GraphHead} graph @param {boolean} current */
function fragmentButton(graph, current) {
  const item = button("", {
    class: "fragment",
    "aria-current": current ? "true" : null,
    title: graph.title,
    onclick: () => showIn(graph.id),
  });
  item.append(`Fragment ${graph.fragment + 1}`, el("span", { class: "muted" }, counted(graph.nodes, "node")));
  return item;
}

/** @param {Api.Break & {index: number}} each */
function breakButton(each) {
  const frame = each.frames.at(-1);
  const item = button("", {
    class: "break",
    title: `Graph break: ${each.reason}`,
    onclick: () => drawer.set(`breaks.${each.index}`),
  });
  item.append(
    icon("break"),
    el("span", { class: "break-reason" }, each.kind || each.reason),
    frame ? el("span", {}, placeOf(frame.file, frame.line)) : "",
  );
  return item;
}

/** @param {Api.Stage} stage */
function guardsOf(stage) {
  return stage.guards
    ? [
        story.storyLink(),
        button(counted(stage.guards, "guard"), { class: "link guards-link", onclick: () => drawer.set("guards") }),
      ]
    : [];
}
