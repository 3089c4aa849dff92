// The rail: the stages of a target in the order a person meets them, with state, counts and time.

import { graphsOf, nodeCount, parseShow, showOfStage, targetOf, targetsOf } from "../../model/capture.js";
import { active, activeShow, capture, goToSource, panes, showIn } from "../../state.js";
import { button, el, fill, refill } from "../dom.js";
import { STAGES, counted, seconds, stageTitle } from "../format.js";
import { runningFor } from "../header/progress.js";
import { icon } from "../icon.js";
import { replayedIn, verdictOf } from "../../model/replay.js";
import { stageMark } from "../replay/mark.js";
import { mirrorEntry, mirrorFacts, showMirror } from "../mirror/entry.js";
import { showStory, storyEntry, storyFacts } from "../story/entry.js";

/** @param {HTMLElement} host */
export function mountRail(host) {
  const target = el("div", { class: "rail-target" });
  const stages = el("ol", { class: "rail-stages" });
  fill(host, target, stages);
  const show = () => {
    const now = capture.get();
    if (!now) return;
    const chosen = targetOf(now, parseShow(activeShow()).target) ?? targetsOf(now)[0];
    showTarget(target, now, chosen);
    showStages(stages, chosen);
  };
  for (const each of [capture, panes, active]) each.subscribe(show);
  setInterval(() => tick(stages), 1000);
}

/** @param {HTMLElement} host @param {Api.Capture} now @param {Api.Target} chosen */
function showTarget(host, now, chosen) {
  const all = targetsOf(now);
  const text = JSON.stringify([all.map((each) => [each.id, each.title]), chosen.id, chosen.rule]);
  if (host.dataset.shown === text) return; // an open list would close under the person's hand
  host.dataset.shown = text;
  const rule = chosen.rule && ruleOf(chosen);
  if (all.length === 1) {
    fill(host, el("strong", { class: "cut", title: chosen.title }, chosen.title || "Looking for a model…"), rule);
    return;
  }
  const select = el(
    "select",
    { "aria-label": "Target", title: `${all.length} things were captured` },
    ...all.map((each) => el("option", { value: each.id, selected: each.id === chosen.id }, `${each.id} · ${each.title}`)),
  );
  select.addEventListener("change", () => {
    const next = targetOf(now, select.value);
    const kept = next?.stages.find((stage) => stage.id === parseShow(activeShow()).stage) ?? next?.stages[0];
    if (next && kept) showIn(showOfStage(next.id, kept));
  });
  fill(host, select, rule);
}

/** @param {Api.Target} target */
function ruleOf(target) {
  const { frame } = target;
  const rule = target.rule.replaceAll("`", "");
  if (!frame) return el("span", { class: "muted rail-rule", title: `Found by: ${rule}` }, rule);
  return button(rule, { class: "link rail-rule", title: `Found by: ${rule}`, onclick: () => goToSource(frame.file, frame.line) });
}

/** @param {HTMLElement} host @param {Api.Target} target */
function showStages(host, target) {
  const { stage: shown } = parseShow(activeShow());
  const facts = target.stages.map((each) => [
    each.id,
    each.status,
    each.seconds,
    each.breaks,
    nodeCount(each),
    graphsOf(each).length,
    replayedIn(each).map(({ replay }) => verdictOf(replay)),
  ]);
  const key = JSON.stringify([target.id, shown, facts, mirrorFacts(target), storyFacts(target)]);
  if (host.dataset.shown === key) return; // a button under the pointer must not be replaced between press and release
  host.dataset.shown = key;
  const mirror = mirrorEntry(target);
  const story = storyEntry(target, target.stages.length + (mirror ? 2 : 1));
  const entry = (/** @type {Api.Stage} */ stage, /** @type {number} */ i) =>
    el("li", {}, stageButton(target, stage, i, stage.id === shown), stageMark(stage));
  refill(host, ...target.stages.map(entry), mirror, story);
  // in a frame, where the page is laid out anyway
  requestAnimationFrame(() => host.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
}

/** The clock of the stage at work. @param {HTMLElement} host */
function tick(host) {
  const now = capture.get();
  if (now?.status !== "running") return;
  const target = targetOf(now, parseShow(activeShow()).target) ?? targetsOf(now)[0];
  for (const stage of target.stages.filter((each) => each.status === "running")) {
    const counts = host.querySelector(`[data-counts="${CSS.escape(stage.id)}"]`);
    if (counts) counts.textContent = countsOf(target, stage);
  }
}

/** @param {Api.Target} target @param {Api.Stage} stage @param {number} i @param {boolean} current */
function stageButton(target, stage, i, current) {
  const item = button("", {
    class: `rail-stage is-${stage.status}`,
    "data-stage": stage.id,
    "aria-current": current ? "step" : null,
    title: `${STAGES[stage.id]?.what ?? stage.id} (key ${i + 1})`,
    onclick: () => showIn(showOfStage(target.id, stage)),
  });
  item.append(
    el(
      "span",
      { class: "rail-name" },
      icon(stage.status),
      stageTitle(stage.id),
      el("span", { class: "visually-hidden" }, `, ${stage.status}`),
      stage.breaks > 0 && breaksMark(stage.breaks),
      stage.seconds !== null && el("span", { class: "rail-time" }, seconds(stage.seconds)),
    ),
    el("span", { class: "rail-counts" }, el("span", { class: "cut", "data-counts": stage.id }, countsOf(target, stage))),
  );
  return item;
}

/** @param {number} breaks */
function breaksMark(breaks) {
  const words = counted(breaks, "graph break");
  return el(
    "span",
    { class: "rail-breaks", title: words },
    icon("break"),
    breaks,
    el("span", { class: "visually-hidden" }, words),
  );
}

/** @param {Api.Target} target @param {Api.Stage} stage @returns {string} */
function countsOf(target, stage) {
  if (stage.status === "queued") return "waiting";
  if (stage.status === "running") {
    const passed = Math.round(runningFor(`${target.id}.${stage.id}`, Date.now()));
    return passed > 0 ? `running ${seconds(passed)}` : "running";
  }
  if (stage.status === "skipped") return "skipped";
  const parts = stage.graphs.length ? [counted(nodeCount(stage), "node")] : [];
  const graphs = graphsOf(stage).length;
  if (graphs > 1) parts.push(counted(graphs, "graph"));
  if (stage.status === "failed") parts.unshift("failed");
  return parts.join(" · ");
}

/** Shows stage number `index` of the target in the active pane. @param {number} index */
export function showStageAt(index) {
  const now = capture.get();
  const target = now && (targetOf(now, parseShow(activeShow()).target) ?? targetsOf(now)[0]);
  const stage = target?.stages[index];
  if (target && stage) showIn(showOfStage(target.id, stage));
  else if (index === target?.stages.length) showMirror() || showStory();
  else if (index === (target?.stages.length ?? 0) + 1) showStory();
}
