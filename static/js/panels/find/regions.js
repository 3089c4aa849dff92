// The parts of the page, in the order in which F6 goes through them.

import { notice } from "../../state.js";

const REGIONS = ["header", "rail", "stage-line", "side", "panes", "details", "drawer", "sheets"];

const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), summary, [tabindex="0"]';

/** Gives the focus to the next part of the page that has something to focus. @param {1|-1} step */
export function nextRegion(step) {
  const parts = REGIONS.map((id) => document.getElementById(id)).filter((part) => part !== null);
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  for (let i = 1; i <= parts.length; i++) {
    const part = parts[((((at < 0 && step > 0 ? -1 : at) + step * i) % parts.length) + parts.length) % parts.length];
    const goal = entranceOf(part);
    if (!goal) continue;
    goal.focus();
    notice.set(part.getAttribute("aria-label") ?? "");
    return;
  }
}

/** The drawing of the pane in use, the open tab, else the first thing that takes the focus. @param {HTMLElement} part @returns {HTMLElement|undefined} */
function entranceOf(part) {
  const own = [...part.querySelectorAll(FOCUSABLE)].map((each) => /** @type {HTMLElement} */ (each)).filter(isShown);
  return (
    own.find((each) => each.matches(".pane.is-current canvas")) ??
    own.find((each) => each.matches("canvas, [role=tab][aria-selected=true]")) ??
    own[0]
  );
}

/** @param {HTMLElement} element */
function isShown(element) {
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
}
