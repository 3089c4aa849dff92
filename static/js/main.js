// Entry of the page of a capture: mounts the panels, loads the capture, keeps panes and atoms in step.

import { ApiError } from "./api.js";
import { LayoutClient } from "./layout/client.js";
import { followAddress, quietly, restore, writeAddress } from "./main/address.js";
import { mountEmbedded } from "./main/embedded.js";
import { loadCapture } from "./main/follow.js";
import { announceKin } from "./main/announce.js";
import { followLinks } from "./main/links.js";
import { Pane } from "./main/pane.js";
import { mountPrint } from "./main/print.js";
import { followTraces } from "./main/traces.js";
import { firstShow, fragmentsOf, isLive, parseShow, showOfStage, stageKey, stageOf, targetsOf } from "./model/capture.js";
import { isStory } from "./model/story/shows.js";
import { byId, el, fill } from "./panels/dom.js";
import { mountDetails } from "./panels/details/details.js";
import { mountDrawer } from "./panels/drawer/drawer.js";
import { followBreaks } from "./panels/drawer/facts.js";
import { helpDialog } from "./panels/find/help.js";
import { listenForKeys } from "./panels/find/keys.js";
import { nextRegion } from "./panels/find/regions.js";
import { SearchBox } from "./panels/find/search.js";
import { mountHeader } from "./panels/header/header.js";
import { progressText } from "./panels/header/progress.js";
import { noCapture, nothingCaptured, waiting } from "./panels/pane/nothing.js";
import { paneSwitcher } from "./panels/pane/switcher.js";
import { mountRail, showStageAt } from "./panels/rail/rail.js";
import { mountStageLine } from "./panels/rail/stageline.js";
import { mountToast } from "./panels/toast.js";
import { mountSheets } from "./panels/sheets.js";
import { mountSide } from "./panels/side/side.js";
import { splitter } from "./panels/splitter.js";
import {
  active,
  capture,
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
  tell,
  trace,
} from "./state.js";
import { links } from "./state/kin.js";
import { answers, isolate, isolateSelection, pathFrom } from "./state/trace.js";

const host = el("div", { class: "pane-grid" });
const layout = new LayoutClient();
/** @type {Pane[]} */
const shown = [];

/** As many panes on the page as the atom has, each up to date. */
function updatePanes() {
  const wanted = panes.get().length;
  if (wanted === 0) return;
  if (shown.length === 0) fill(host);
  while (shown.length > wanted) shown.pop()?.destroy();
  while (shown.length < wanted) {
    const pane = new Pane(shown.length, layout, moveTogether);
    shown.push(pane);
    host.append(pane.frame.element);
  }
  host.dataset.panes = String(wanted);
  for (const pane of shown) pane.update();
}

/** Locked panes are panned and zoomed as one. @type {ConstructorParameters<typeof Pane>[2]} */
function moveTogether(from, before, after) {
  if (!locked.get()) return;
  const middle = from.content?.middle?.() ?? null;
  for (const pane of shown) if (pane !== from) pane.content?.moveLike?.(before, after, middle);
}

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
  fill(host, ended ? nothingCaptured(now) : waiting(now, progressText(now, Date.now())));
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

/** Esc: what was last begun is ended first: a path, the selection, a trace, the search, the drawer. */
function clear() {
  if (pathFrom.get()) pathFrom.set(null);
  else if (selection.get()) selection.set(null);
  else if (trace.get()) trace.set(null);
  else if (search.get()) search.set("");
  else drawer.set("");
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
    first: Math.min(380, innerWidth * 0.27),
  });
  splitter(byId("details-splitter"), {
    label: "Width of the details",
    property: "--details",
    vertical: true,
    sign: -1,
    least: 220,
    most: () => innerWidth * 0.5,
    first: Math.min(320, innerWidth * 0.24),
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

function mountPanels() {
  byId("panes").append(paneSwitcher(), host);
  const focusDrawing = () => shown[active.get()]?.focus();
  const searchBox = new SearchBox({ onLeave: focusDrawing });
  const help = helpDialog();
  mountHeader(byId("header"), { searchBox: searchBox.element, onHelp: help, beforeCopy: writeAddress });
  followBreaks();
  mountRail(byId("rail"));
  mountStageLine(byId("stage-line"));
  mountSide(byId("side"));
  mountDetails(byId("details"));
  mountDrawer(byId("drawer"));
  mountSheets(byId("sheets"));
  mountSplitters();
  listenForKeys({
    onSearch: () => searchBox.focus(),
    onStage: showStageAt,
    onFit: () => shown[active.get()]?.fit(),
    onHelp: help,
    onClear: clear,
    onPane: () => active.set((active.get() + 1) % Math.max(1, panes.get().length)),
    onKin: () => shown.forEach((pane) => pane.content?.bring?.()),
    onLock: () => panes.get().length > 1 && locked.set(!locked.get()),
    onHit: (step) => searchBox.walk(step),
    onNear: () => isolateSelection() || tell("Select a node or a group of the drawing first"),
    onWhole: () => panes.get()[active.get()]?.only && isolate(active.get(), null),
    onDrawing: focusDrawing,
    onRegion: nextRegion,
  });
  mountPrint(() => shown);
  mountToast(byId("toast"));
  notice.subscribe((words) => {
    byId("live").textContent = words;
  });
}

async function start() {
  layout.warm();
  mountEmbedded();
  mountPanels();
  try {
    await loadCapture(document.documentElement.dataset.capture ?? "");
  } catch (error) {
    document.body.classList.add("is-nothing");
    noCapture(
      host,
      error instanceof ApiError ? error : new ApiError({ title: "This page could not start", detail: String(error) }),
    );
    return;
  }
  for (const each of [panes, active, selection, graphs, search, capture, links, trace, answers, locked])
    each.subscribe(updateSoon);
  hovered.subscribe(() => shown.forEach((pane) => pane.content?.preview?.()));
  restore();
  followAddress();
  capture.subscribe(openWhatCame);
  openWhatCame();
  updatePanes();
  followLinks();
  announceKin();
  followTraces();
}

start();
