// The panels around the drawing: they come once it is drawn, so that nobody waits for them to see a graph.

import { mountDetails } from "../panels/details/details.js";
import { byId } from "../panels/dom.js";
import { mountDrawer } from "../panels/drawer/drawer.js";
import { followBreaks } from "../panels/drawer/facts.js";
import { helpDialog } from "../panels/find/help.js";
import { listenForKeys } from "../panels/find/keys.js";
import { nextRegion } from "../panels/find/regions.js";
import { SearchBox } from "../panels/find/search.js";
import { mountHeader } from "../panels/header/header.js";
import { mountRail, showStageAt } from "../panels/rail/rail.js";
import { mountStageLine } from "../panels/rail/stageline.js";
import { mountSheets } from "../panels/sheets.js";
import { mountSide } from "../panels/side/side.js";
import { active, drawer, locked, panes, search, selection, tell, trace } from "../state.js";
import { isolate, isolateSelection, pathFrom } from "../state/trace.js";
import { writeAddress } from "./address.js";
import { announceKin } from "./announce.js";
import { followLinks } from "./fetch/links.js";
import { mountPrint } from "./print.js";
import { followTraces } from "./fetch/traces.js";

/** Esc: what was last begun is ended first: a path, the selection, a trace, the search, the drawer. */
function clear() {
  if (pathFrom.get()) pathFrom.set(null);
  else if (selection.get()) selection.set(null);
  else if (trace.get()) trace.set(null);
  else if (search.get()) search.set("");
  else drawer.set("");
}

/** @param {() => readonly import("./pane.js").Pane[]} drawn the panes of the page */
export function mountPanels(drawn) {
  const focusDrawing = () => drawn()[active.get()]?.focus();
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
  listenForKeys({
    onSearch: () => searchBox.focus(),
    onStage: showStageAt,
    onFit: () => drawn()[active.get()]?.fit(),
    onHelp: help,
    onClear: clear,
    onPane: () => active.set((active.get() + 1) % Math.max(1, panes.get().length)),
    onKin: () => drawn().forEach((pane) => pane.content?.bring?.()),
    onLock: () => panes.get().length > 1 && locked.set(!locked.get()),
    onHit: (step) => searchBox.walk(step),
    onNear: () => isolateSelection() || tell("Select a node or a group of the drawing first"),
    onWhole: () => panes.get()[active.get()]?.only && isolate(active.get(), null),
    onDrawing: focusDrawing,
    onRegion: nextRegion,
  });
  mountPrint(drawn);
  followLinks();
  announceKin();
  followTraces();
}
