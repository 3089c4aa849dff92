// Keys of the whole page. The canvas has its own for walking (arrows, Enter, +, -); fields keep what is typed into them.

import { focused } from "../dom.js";

/**
 * @typedef {{onSearch: () => void, onStage: (index: number) => void, onFit: () => void, onHelp: () => void, onClear: () => void,
 *   onPane: () => void}} KeyCalls
 */

/** What the help lists, in its order. @type {[string, string][]} */
export const KEYS = [
  ["/", "search in the graph; arrows and Enter walk the results"],
  ["1 … 9", "stages from left to right"],
  ["f", "fit the graph to the window"],
  ["+  −", "zoom"],
  ["p", "to the other pane"],
  ["← ↑ ↓ →", "from the selected node along its edges (canvas focused)"],
  ["Shift + arrow", "add the next node to the selection"],
  ["Alt + arrow", "pan"],
  ["Enter", "open or close a group, enter a body graph"],
  ["Esc", "clear the selection, then close the drawer"],
  ["?", "this help"],
];

/** @param {KeyCalls} calls */
export function listenForKeys(calls) {
  document.addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      typing() ||
      document.querySelector("dialog[open]")
    )
      return;
    if (!act(event.key, calls)) return;
    event.preventDefault();
  });
}

function typing() {
  const at = focused();
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

/** @param {string} key @param {KeyCalls} calls @returns {boolean} whether the key meant something */
function act(key, calls) {
  if (/^[1-9]$/.test(key)) calls.onStage(Number(key) - 1);
  else if (key === "/") calls.onSearch();
  else if (key === "f") calls.onFit();
  else if (key === "p") calls.onPane();
  else if (key === "?") calls.onHelp();
  else if (key === "Escape") calls.onClear();
  else return false;
  return true;
}
