// Mouse and keys of the outline. The tree keeps the focus; its current row is named by aria-activedescendant, so that rows can
// leave the page when they are scrolled away.

import { rowAround } from "../../../model/outline/rows.js";

/** Rows that Page Up and Page Down go by. */
const PAGE = 20;

/**
 * @typedef {object} Outline
 * @property {HTMLElement} list
 * @property {import("./row.js").Shown|null} shown
 * @property {(row: number) => void} to
 * @property {(row: number) => void} choose
 * @property {(row: number) => void} point
 * @property {(row: number, open: boolean) => void} toggle
 */

/** @param {Outline} outline */
export function listenToRows(outline) {
  const { list } = outline;
  list.addEventListener("click", (event) => {
    const row = rowAt(event);
    if (row < 0) return;
    list.focus({ preventScroll: true });
    if (/** @type {HTMLElement} */ (event.target).closest(".chevron")) outline.toggle(row, !isOpen(outline, row));
    else outline.choose(row);
  });
  list.addEventListener("dblclick", (event) => {
    const row = rowAt(event);
    if (row >= 0 && !(/** @type {HTMLElement} */ (event.target).closest(".chevron")))
      outline.toggle(row, !isOpen(outline, row));
  });
  list.addEventListener("pointerover", (event) => outline.point(rowAt(event)));
  list.addEventListener("pointerleave", () => outline.point(-1));
  list.addEventListener("keydown", (event) => {
    if (!outline.shown || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = steps[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act(outline, outline.shown.at, outline.shown.rows);
  });
}

/** @param {Event} event @returns {number} -1: no row */
function rowAt(event) {
  const item = /** @type {HTMLElement} */ (event.target).closest('[role="treeitem"]');
  return item instanceof HTMLElement ? Number(item.dataset.row) : -1;
}

/** @param {Outline} outline @param {number} row */
function isOpen({ shown }, row) {
  const group = shown?.rows.group[row] ?? -1;
  return group >= 0 && shown?.drawn.open[group] === 1;
}

/** @type {{[key: string]: ((outline: Outline, at: number, rows: import("../../../model/outline/rows.js").Rows) => void)|undefined}} */
const steps = {
  ArrowDown: (outline, at) => outline.to(at + 1),
  ArrowUp: (outline, at) => outline.to(at - 1),
  PageDown: (outline, at) => outline.to(at + PAGE),
  PageUp: (outline, at) => outline.to(at - PAGE),
  Home: (outline) => outline.to(0),
  End: (outline, _at, rows) => outline.to(rows.count - 1),
  ArrowRight: (outline, at, rows) => {
    if (rows.group[at] < 0) return;
    if (isOpen(outline, at)) outline.to(at + 1);
    else outline.toggle(at, true);
  },
  ArrowLeft: (outline, at, rows) => {
    if (isOpen(outline, at)) return outline.toggle(at, false);
    const around = rowAround(rows, at);
    if (around >= 0) outline.to(around);
  },
  Enter: (outline, at) => outline.choose(at),
  " ": (outline, at) => outline.choose(at),
};
