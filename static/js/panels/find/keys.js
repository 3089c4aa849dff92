// Keys of the whole page. The canvas has its own (render/input/keyboard.js); fields keep what is typed into them.

import { focused } from "../dom.js";
import { readStored, store } from "../stored.js";

/**
 * @typedef {{onSearch: () => void, onStage: (index: number) => void, onFit: () => void, onHelp: () => void, onClear: () => void,
 *   onPane: () => void, onKin: () => void, onLock: () => void, onHit: (step: 1|-1) => void, onNear: () => void, onWhole: () => void,
 *   onDrawing: () => void, onRegion: (step: 1|-1) => void}} KeyCalls
 */

/**
 * What a key does: `test` names the keys it is, `act` is missing where the canvas or a list acts itself.
 * @typedef {{show: string, keys: readonly string[], what: string, act?: (calls: KeyCalls, event: {key: string, shiftKey: boolean}) => void}} Key
 * @typedef {{title: string, keys: readonly Key[]}} KeyPart
 */

const DIGITS = [..."123456789"];

/** All keys there are, as the help lists them. @type {readonly KeyPart[]} */
export const KEYS = Object.freeze([
  {
    title: "Anywhere",
    keys: [
      { show: "/", keys: ["/"], what: "search in the graph; arrows and Enter walk the results, Esc goes to the drawing", act: (calls) => calls.onSearch() },
      { show: "n  N", keys: ["n", "N"], what: "next or previous of what was found", act: (calls, { key }) => calls.onHit(key === "N" ? -1 : 1) },
      { show: "1 … 9", keys: DIGITS, what: "stages from left to right, then the mirror and the story", act: (calls, { key }) => calls.onStage(Number(key) - 1) },
      { show: "i", keys: ["i"], what: "draw only the selection and what is one step around it; again: one step more", act: (calls) => calls.onNear() },
      { show: "w", keys: ["w"], what: "draw the whole graph again", act: (calls) => calls.onWhole() },
      { show: "f", keys: ["f"], what: "fit the graph to the window", act: (calls) => calls.onFit() },
      { show: "p", keys: ["p"], what: "to the next pane", act: (calls) => calls.onPane() },
      { show: "k", keys: ["k"], what: "bring the kin of the selection into view in the other panes", act: (calls) => calls.onKin() },
      { show: "l", keys: ["l"], what: "pan and zoom the panes together, or each alone", act: (calls) => calls.onLock() },
      { show: "g", keys: ["g"], what: "to the drawing", act: (calls) => calls.onDrawing() },
      { show: "F6", keys: ["F6"], what: "to the next part of the page, with Shift to the one before", act: (calls, { shiftKey }) => calls.onRegion(shiftKey ? -1 : 1) },
      { show: "Esc", keys: ["Escape"], what: "clear the selection, then the trace, the search, then close the drawer", act: (calls) => calls.onClear() },
      { show: "?", keys: ["?"], what: "this help", act: (calls) => calls.onHelp() },
    ],
  },
  {
    title: "On the drawing",
    keys: [
      { show: "↓  ↑", keys: ["ArrowDown", "ArrowUp"], what: "along an edge to what reads the node, or to what it reads; the other way leads back. Where the graph flows to the right: → and ←" },
      { show: "[  ]", keys: ["[", "]"], what: "to the other ends of the edges along which one came" },
      { show: "←  →", keys: ["ArrowLeft", "ArrowRight"], what: "to what stands beside; in the mirror to the other half" },
      { show: "Shift + arrow", keys: [], what: "add the next node to the selection" },
      { show: "Enter", keys: ["Enter"], what: "open or close a group, enter a body graph" },
      { show: "Backspace", keys: ["Backspace"], what: "to the group around, from the top to the graph around" },
      { show: "c", keys: ["c"], what: "through the parameters and constants that are folded into the node, and its bodies; Enter goes into a body" },
      { show: "Home  End", keys: ["Home", "End"], what: "to the first or the last node" },
      { show: "+  −", keys: ["+", "=", "-", "_"], what: "zoom" },
      { show: "Alt + arrow", keys: [], what: "pan" },
      { show: "PgUp  PgDn", keys: ["PageUp", "PageDown"], what: "up or down by a window" },
    ],
  },
  {
    title: "In lists and text",
    keys: [
      { show: "↑  ↓", keys: [], what: "to the next row, line or result; Shift chooses several lines of the source, Enter selects their nodes" },
      { show: "←  →", keys: [], what: "close or open what a row of the outline holds, as in the drawing" },
      { show: "Enter", keys: [], what: "select it" },
      { show: "Home  End", keys: [], what: "to the first or the last row" },
    ],
  },
]);

const STORED = "letter-keys";

/** Whether keys of one character work outside the drawing: they get in the way of speech input. */
export function lettersOn() {
  return readStored(STORED, /** @type {boolean} */ (true));
}

/** @param {boolean} on */
export function setLetters(on) {
  store(STORED, on);
}

/** @type {ReadonlyMap<string, Key>} */
const ACTS = new Map(KEYS.flatMap(({ keys }) => keys.flatMap((key) => (key.act ? key.keys.map((each) => /** @type {[string, Key]} */ ([each, key])) : []))));

/** @param {KeyCalls} calls */
export function listenForKeys(calls) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const single = event.key.length === 1;
    if (single && (typing() || !lettersOn())) return;
    if (event.key === "Escape" && typing()) return;
    const key = ACTS.get(event.key);
    if (!key) return;
    key.act?.(calls, event);
    event.preventDefault();
  });
}

function typing() {
  const at = focused();
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}
