// Entry of the page of a capture: mounts the panels, loads the capture, keeps panes and atoms in step.

import { ApiError } from "./api.js";
import { followAddress, quietly, restore } from "./main/address.js";
import { mountEmbedded } from "./main/embedded.js";
import { loadCapture } from "./main/fetch/follow.js";
import { firstLook } from "./main/drawn.js";
import { layout } from "./main/early.js";
import { Pane } from "./main/pane.js";
import { firstShow, fragmentsOf, isLive, parseShow, showOfStage, stageKey, stageOf, targetsOf } from "./model/capture.js";
import { isStory } from "./model/story/shows.js";
import { byId, el, fill } from "./panels/dom.js";
import { progressText } from "./panels/header/progress.js";
import { noCapture, nothingCaptured, waiting } from "./panels/pane/nothing.js";
import { paneSwitcher } from "./panels/pane/switcher.js";
import { mountToast } from "./panels/toast.js";
import { splitter } from "./panels/splitter.js";
import {
  active,
  capture,
  catchUp,
  drawer,
  goToSource,
  graphs,
  hovered,
  locked,
  notice,
  panes,
  search,
  selection,
  showIn,
  side,
  trace,
} from "./state.js";
import { links } from "./state/kin.js";
import { answers } from "./state/trace.js";

const host = el("div", { class: "pane-grid" });
/** @type {Pane[]} */
const shown = [];

/** As many panes on the page as the atom has, each up to date. */
function updatePanes() {
  const wanted = panes.get().length;
  if (wanted === 0) return;
  const inside = host.contains(document.activeElement);
  if (shown.length === 0) fill(host);
  while (shown.length > wanted) shown.pop()?.destroy();
  while (shown.length < wanted) {
    const pane = new Pane(shown.length, layout, moveTogether);
    shown.push(pane);
    host.append(pane.frame.element);
  }
  host.dataset.panes = String(wanted);
  for (const pane of shown) pane.update();
  if (inside && document.activeElement === document.body) shown[active.get()]?.focus(); // what had the focus went with its pane
}

/** Locked panes are panned and zoomed as one. @type {ConstructorParameters<typeof Pane>[2]} */
function moveTogether(from, before, after) {
  if (!locked.get()) return;
  const middle = from.content?.middle?.() ?? null;
  for (const pane of shown) if (pane !== from) pane.content?.moveLike?.(before, after, middle);
}

/** The panels wait no longer than this for the first drawing. */
const PANELS_AFTER_MS = 1000;

let soon = false;

/** Once for what changes together, such as a restored view. */
function updateSoon() {
  if (soon) return;
  soon = true;
  queueMicrotask(() => {
    soon = false;
    updatePanes();
  });
}

/** Opens the first graph there is, and graphs that panes are waiting for. */
function openWhatCame() {
  const now = capture.get();
  if (!now) return;
  panes.get().forEach((pane, i) => {
    const stage = parseShow(pane.show).graph || isStory(pane.show) ? null : stageOf(now, pane.show);
    if (stage?.status === "done" && fragmentsOf(stage).length)
      quietly(() => showIn(showOfStage(parseShow(pane.show).target, stage), i));
  });
  if (panes.get().length === 0) openFirst(now);
}

/** @param {Api.Capture} now */
function openFirst(now) {
  const first = firstShow(now) ?? (isLive(now) || now.status !== "done" ? null : firstFailed(now));
  if (first) return quietly(() => showIn(first));
  const ended = !isLive(now);
  document.body.classList.toggle("is-nothing", ended);
  fill(host, ended ? nothingCaptured(now) : waiting(now, () => progressText(now, Date.now())));
  const frame = now.failures.find((failure) => failure.frame?.user)?.frame;
  if (ended && frame) goToSource(frame.file, frame.line);
}

/** Every stage failed or was skipped: the first failure explains most. @param {Api.Capture} now */
function firstFailed(now) {
  for (const target of targetsOf(now)) {
    const stage = target.stages.find((each) => each.status === "failed") ?? target.stages[0];
    if (stage) return stageKey(target.id, stage.id);
  }
  return null;
}

/** The sizes that a person may drag. */
function mountSplitters() {
  splitter(byId("side-splitter"), {
    label: "Width of the left side",
    property: "--side",
    vertical: true,
    sign: 1,
    least: 220,
    most: () => innerWidth * 0.5,
    first: Math.min(innerWidth * 0.27, Math.max(380, innerWidth * 0.21)),
  });
  splitter(byId("details-splitter"), {
    label: "Width of the details",
    property: "--details",
    vertical: true,
    sign: -1,
    least: 220,
    most: () => innerWidth * 0.5,
    first: Math.min(innerWidth * 0.24, Math.max(320, innerWidth * 0.15)),
  });
  splitter(byId("drawer-splitter"), {
    label: "Height of the drawer",
    property: "--drawer",
    vertical: false,
    sign: -1,
    least: 120,
    most: () => innerHeight * 0.7,
    first: 260,
  });
}

/** What is there before anything is known of the capture. */
function mountFrame() {
  byId("panes").append(paneSwitcher(), host);
  mountSplitters();
  mountToast(byId("toast"));
  notice.subscribe((words) => {
    byId("live").textContent = words;
  });
}

/** @returns {Promise<boolean>} whether there is such a capture */
async function load() {
  try {
    await loadCapture(document.documentElement.dataset.capture ?? "");
    return true;
  } catch (error) {
    document.body.classList.add("is-nothing");
    noCapture(
      host,
      error instanceof ApiError ? error : new ApiError({ title: "This page could not start", detail: String(error) }),
    );
    return false;
  }
}

/** Shows what the address asks for, and keeps it up to date. */
function show() {
  for (const each of [panes, active, selection, graphs, search, capture, links, trace, answers, locked])
    each.subscribe(updateSoon);
  hovered.subscribe(() => shown.forEach((pane) => pane.content?.preview?.()));
  restore();
  document.body.classList.toggle("side-folded", side.get() === ""); // the canvas has its size before the panels are here
  byId("drawer").classList.toggle("is-open", drawer.get() !== "");
  followAddress();
  capture.subscribe(openWhatCame);
  openWhatCame();
  updatePanes();
}

/** A moment that the browser may use to paint. @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function start() {
  mountEmbedded();
  mountFrame();
  if (await load()) {
    show();
    if (shown.length) await Promise.race([firstLook, pause(PANELS_AFTER_MS)]);
    await pause(0);
  }
  const { mountPanels } = await import("./main/panels.js");
  catchUp(() => mountPanels(() => shown));
}

start();
