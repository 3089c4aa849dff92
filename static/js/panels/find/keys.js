// Keys of the whole page. The canvas has its own for walking (arrows, Enter, +, -); fields keep what is typed into them.

import { focused } from "../dom.js";

/**
 * @typedef {{onSearch: () => void, onStage: (index: number) => void, onFit: () => void, onHelp: () => void, onClear: () => void,
 *   onPane: () => void, onKin: () => void, onLock: () => void}} KeyCalls
 */

/** What the help lists, in its order. @type {[string, string][]} */
export const KEYS = [
  ["/", "search in the graph; arrows and Enter walk the results"],
  ["1 … 9", "stages from left to right, then the mirror and the story"],
  ["f", "fit the graph to the window"],
  ["+  −", "zoom"],
  ["p", "to the next pane"],
  ["k", "bring the kin of the selection into view in the other panes"],
  ["l", "pan and zoom the panes together, or each alone"],
  ["← ↑ ↓ →", "from the selected node along its edges (canvas focused)"],
  ["↑ ↓", "to the next node's line (text focused); Shift chooses several lines, Enter selects their nodes (source focused)"],
  ["Shift + arrow", "add the next node to the selection"],
  ["Alt + arrow", "pan"],
  ["Enter", "open or close a group, enter a body graph"],
  ["Esc", "clear the selection, then the trace, then close the drawer"],
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
  else if (key === "k") calls.onKin();
  else if (key === "l") calls.onLock();
  else if (key === "?") calls.onHelp();
  else if (key === "Escape") calls.onClear();
  else return false;
  return true;
}
