// The address and the atoms, kept equal: a change of graphs or of the selection pushes a history entry, anything else
// replaces the present one a moment later; Back and Forward, and an address typed in, set the atoms.

import { stageOf } from "../model/capture.js";
import { decodeView, encodeView } from "../model/viewhash.js";
import {
  MOST_PANES,
  active,
  capture,
  drawer,
  locked,
  openedByHand,
  panes,
  search,
  selection,
  side,
  trace,
  variant,
} from "../state.js";

const SETTLE_MS = 250;
const ATOMS = [panes, active, selection, side, drawer, search, variant, trace, locked];

let timer = 0;
let scheduled = false;
/** What the present history entry stands for, without camera and panels. */
let entry = "";
let quiet = 0;

/** @returns {import("../model/viewhash.js").View} */
function view() {
  return {
    panes: [...panes.get()],
    active: active.get(),
    selection: selection.get(),
    side: side.get(),
    drawer: drawer.get(),
    search: search.get(),
    variant: variant.get(),
    trace: trace.get(),
    locked: locked.get(),
  };
}

function entryKey() {
  return JSON.stringify([panes.get().map(({ show, only }) => [show, only]), selection.get(), trace.get()]);
}

/** Starts following; call once the capture is known. */
export function followAddress() {
  for (const atom of ATOMS) atom.subscribe(schedule);
  window.addEventListener("popstate", () => restore());
}

/** A page that a notebook holds whole has no address to write to: it is about:srcdoc. */
const ADDRESSED = location.protocol !== "about:";

/** Changes that are not the person's doing replace the entry. @param {() => void} work */
export function quietly(work) {
  quiet++;
  work();
  quiet--;
  entry = entryKey();
  writeSoon();
}

function schedule() {
  if (quiet || scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    const now = entryKey();
    if (now === entry) return writeSoon();
    writeAddress(); // the last state of the entry that is left, were it still to be written, is lost otherwise
    entry = now;
    if (ADDRESSED) history.pushState(null, "", address());
  });
}

function address() {
  return location.pathname + location.search + encodeView(view());
}

function writeSoon() {
  clearTimeout(timer);
  timer = window.setTimeout(writeAddress, SETTLE_MS);
}

/** Brings the address up to date at once. */
export function writeAddress() {
  clearTimeout(timer);
  if (ADDRESSED && entryKey() === entry) history.replaceState(null, "", address());
}

/**
 * Sets the atoms from the address. Parts that this capture does not have are left out.
 * @returns {boolean} whether the address names a view
 */
export function restore() {
  clearTimeout(timer);
  const now = capture.get();
  const wanted = decodeView(location.hash);
  if (!now || !wanted) return false;
  const known = wanted.panes.filter((pane) => stageOf(now, pane.show) !== null).slice(0, MOST_PANES);
  quiet++;
  openedByHand.clear();
  if (known.length) {
    panes.set(known);
    active.set(Math.min(wanted.active, known.length - 1));
  }
  selection.set(wanted.selection);
  side.set(wanted.side);
  drawer.set(wanted.drawer);
  search.set(wanted.search);
  variant.set(wanted.variant);
  trace.set(wanted.trace);
  locked.set(wanted.locked);
  quiet--;
  entry = entryKey();
  return known.length > 0;
}
