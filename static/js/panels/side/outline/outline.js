// The outline tab: what the active pane draws, in words, as a tree that opens and closes with the drawing. It is also the way
// through the graph without sight of the canvas. Only the rows in sight are in the page, so that 100,000 cost no more than 100.

import { nodesInside } from "../../../model/kin/inside.js";
import { outlineOf } from "../../../model/outline/inside.js";
import { rowOf, rowsOf } from "../../../model/outline/rows.js";
import { describeDrawing } from "../../../model/outline/words.js";
import { active, graphs, hovered, panes, search, selection, side } from "../../../state.js";
import { drawnMirrors } from "../../../state/mirror.js";
import { el, fill } from "../../dom.js";
import { listenToRows } from "./keys.js";
import { outlineRow } from "./row.js";
import { shownNow } from "./shown.js";

/** Pixels; static/css/side.css has it too. */
const ROW = 24;

/** Rows beyond the edges of the panel that are in the page as well. */
const MARGIN = 15;

/** @typedef {import("./row.js").Shown} Shown */

/** @param {HTMLElement} host @returns {Outline} */
export function mountOutline(host) {
  return new Outline(host);
}

class Outline {
  /** @param {HTMLElement} host scrolls */
  constructor(host) {
    this.host = host;
    this.said = el("p", { class: "outline-said muted", role: "status" });
    this.list = el("ul", { role: "tree", class: "outline", tabindex: "0" });
    this.none = el("p", { class: "empty muted" }, "What is drawn of a graph is listed here: its modules and their nodes.");
    fill(host, this.said, this.list, this.none);
    /** @type {Shown|null} */
    this.shown = null;
    /** Of the drawing that is shown. @type {import("./shown.js").Drawn|null} */
    this.drawn = null;
    this.inside = /** @type {import("../../../model/outline/inside.js").Entry[][]} */ ([]);
    this.selected = /** @type {unknown} */ (null);
    this.due = false;
    for (const each of [panes, active, graphs, drawnMirrors, side, search, selection]) each.subscribe(() => this.later());
    host.addEventListener("scroll", () => this.paint());
    new ResizeObserver(() => this.paint()).observe(host);
    listenToRows(this);
    this.later();
  }

  /** Once for what changes together. */
  later() {
    if (this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      if (side.get() === "modules") this.update();
    });
  }

  update() {
    const drawn = shownNow();
    this.none.hidden = drawn !== null;
    this.list.hidden = this.said.hidden = drawn === null;
    if (!drawn) {
      this.shown = this.drawn = null;
      return;
    }
    this.follow(drawn);
    this.mark();
    this.paint();
  }

  /** Brings the rows in line with what is drawn; the current row stays on what it was on. @param {import("./shown.js").Drawn} drawn */
  follow(drawn) {
    const { model, tree, open, only } = drawn;
    const before = this.drawn;
    this.drawn = drawn;
    if (before?.tree !== tree) this.inside = outlineOf(model, tree);
    if (before?.tree === tree && before.open === open) return;
    const was = before?.tree === tree && this.shown ? entryAt(this.shown, this.shown.at) : null;
    const rows = rowsOf(this.inside, open);
    const at = was ? Math.max(0, rowOf(rows, was)) : 0;
    this.shown = { drawn, rows, chosen: new Set(), group: -1, found: new Set(), at };
    this.list.setAttribute("aria-label", `Outline of ${model.id}`);
    this.said.textContent = describeDrawing(model, tree, open, only);
    this.paint(); // the list is as long as its rows before anything scrolls to one
    if (before?.tree === tree) return;
    this.host.scrollTop = 0;
    this.selected = null;
  }

  /** What is selected and found; goes to what was selected elsewhere. */
  mark() {
    const { shown, drawn } = this;
    if (!shown || !drawn) return;
    shown.drawn = drawn;
    const { nodes, group } = drawn.selected();
    shown.chosen = new Set(nodes);
    shown.group = group;
    shown.found = new Set(drawn.found());
    const now = selection.get();
    if (now === this.selected) return;
    this.selected = now;
    const [node = -1] = nodes;
    const row = node >= 0 ? rowOf(shown.rows, { group: -1, node }) : group >= 0 ? rowOf(shown.rows, { group, node: -1 }) : -1;
    if (row >= 0) this.to(row);
    else if (node >= 0 || group >= 0) this.selected = null; // its groups are not open yet
  }

  /** Makes a row the current one, and brings it into sight. @param {number} row */
  to(row) {
    if (!this.shown || this.shown.rows.count === 0) return;
    this.shown.at = Math.max(0, Math.min(this.shown.rows.count - 1, row));
    const top = this.list.offsetTop + this.shown.at * ROW;
    const { scrollTop, clientHeight } = this.host;
    if (top < scrollTop + ROW) this.host.scrollTop = top - ROW;
    else if (top + 2 * ROW > scrollTop + clientHeight) this.host.scrollTop = top + 2 * ROW - clientHeight;
    this.paint();
  }

  /** Puts the rows in sight into the page. */
  paint() {
    const { shown } = this;
    if (!shown || this.host.clientHeight === 0) return;
    const first = Math.max(0, Math.floor((this.host.scrollTop - this.list.offsetTop) / ROW) - MARGIN);
    const last = Math.min(shown.rows.count, first + Math.ceil(this.host.clientHeight / ROW) + 2 * MARGIN);
    const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => outlineRow(shown, first + i));
    fill(this.list, space(first), ...rows, space(shown.rows.count - last));
    const current = shown.at >= first && shown.at < last ? `outline-${shown.at}` : null;
    if (current) this.list.setAttribute("aria-activedescendant", current);
    else this.list.removeAttribute("aria-activedescendant");
  }

  /** @param {number} row @param {boolean} open */
  toggle(row, open) {
    const { shown } = this;
    const group = shown?.rows.group[row] ?? -1;
    if (!shown || group < 0 || (shown.drawn.open[group] === 1) === open) return;
    shown.at = row;
    shown.drawn.toggle(group);
  }

  /** Selects what a row stands for. @param {number} row */
  choose(row) {
    const { shown } = this;
    if (!shown) return;
    shown.at = row;
    if (shown.rows.node[row] >= 0) shown.drawn.select(shown.rows.node[row]);
    else shown.drawn.selectGroup(shown.rows.group[row]);
    this.paint();
  }

  /** Lights what the pointer is over; -1: nothing. @param {number} row */
  point(row) {
    const { shown } = this;
    if (!shown || row < 0) return hovered.set(null);
    const node = shown.rows.node[row];
    shown.drawn.hover(node >= 0 ? [node] : nodesInside(shown.drawn.tree, shown.rows.group[row]));
  }
}

/** @param {Shown} shown @param {number} row */
function entryAt({ rows }, row) {
  return { group: rows.group[row] ?? -1, node: rows.node[row] ?? -1 };
}

/** @param {number} rows that are not in the page */
function space(rows) {
  const gap = el("li", { role: "none", "aria-hidden": "true", class: "outline-space" });
  gap.style.height = `${Math.max(0, rows) * ROW}px`;
  return gap;
}
