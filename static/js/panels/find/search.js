// Search in the active graph: a combobox whose list walks with the arrow keys. Above the found nodes stand suggestions, below
// them what can be done with all of them.

import { placeAt, placeCount, search as find } from "../../model/search/search.js";
import { examples, suggestions } from "../../model/search/suggest.js";
import { active, activeGraph, graphs, notice, onActiveGraph, panes, search, select, tell } from "../../state.js";
import { drawnIn } from "../../state/trace.js";
import { el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { foundActions } from "./actions.js";
import { elsewhere } from "./elsewhere.js";
import { foundWords, placeRow, suggestionRow } from "./rows.js";

const LISTED = 200;

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/search/suggest.js").Suggestion} Suggestion
 */

/** The search box. */
export class SearchBox {
  /** @param {{onLeave: () => void}} calls `onLeave`: one is done with searching, and goes to the drawing */
  constructor({ onLeave }) {
    this.onLeave = onLeave;
    /** Rows before those of what was found. @type {Suggestion[]} */
    this.hints = [];
    /** @type {import("../../model/search/search.js").Found|null} */
    this.found = null;
    /** The current row; -1: none. */
    this.at = -1;
    this.input = el("input", {
      type: "search",
      role: "combobox",
      class: "search-input",
      placeholder: "Search nodes",
      "aria-label": "Search nodes by name, operator, type, module, or by a pattern such as layer_norm -> linear",
      "aria-expanded": "false",
      "aria-controls": "search-list",
      "aria-autocomplete": "list",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    this.said = el("span", { class: "search-said muted", "aria-live": "polite" });
    this.list = el("ul", { class: "search-rows plain", role: "listbox", id: "search-list", "aria-label": "Found nodes" });
    this.empty = el("div", { class: "search-empty muted" });
    this.actions = el("div", { class: "search-actions", role: "group", "aria-label": "With all that was found" });
    this.pop = el("div", { class: "search-list", hidden: true }, this.list, this.empty, this.actions);
    this.element = el(
      "div",
      { class: "search", role: "search" },
      icon("search"),
      this.input,
      this.said,
      el("kbd", { class: "search-key", title: "Press / to search" }, "/"),
      this.pop,
    );
    this.listen();
  }

  listen() {
    this.input.addEventListener("input", () => search.set(this.input.value));
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => {
      this.find();
      this.open(true);
    });
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(/** @type {Node|null} */ (event.relatedTarget))) this.open(false);
    });
    this.pop.addEventListener("pointerdown", (event) => {
      if (!(/** @type {HTMLElement} */ (event.target).closest("button"))) event.preventDefault(); // the field keeps the focus
    });
    this.pop.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.input.focus();
    });
    this.list.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("li");
      if (row?.dataset.row) this.pick(Number(row.dataset.row));
    });
    search.subscribe((text) => {
      if (this.input.value !== text) this.input.value = text;
      this.find();
    });
    onActiveGraph(() => this.find());
    graphs.subscribe(() => {
      if (this.found?.asked && this.places() === 0) this.show(); // there may be something in a graph that came
    });
  }

  find() {
    const model = activeGraph();
    const text = search.get();
    this.found = model ? find(model, text) : null;
    const typing = document.activeElement === this.input;
    this.hints =
      !model || !typing
        ? []
        : text.trim() === ""
          ? examples(model)
          : suggestions(model, text, this.input.selectionStart ?? text.length);
    if (this.places() > 0 && this.hints.some((hint) => hint.count < 0)) this.hints = []; // a word that is found is no field to be
    this.at = -1;
    this.show();
  }

  places() {
    return this.found ? placeCount(this.found) : 0;
  }

  show() {
    const model = activeGraph();
    const asked = Boolean(this.found?.asked);
    const places = this.places();
    const { hints } = this;
    this.said.textContent = asked ? foundWords(this.at - hints.length, places, Boolean(this.found?.more)) : "";
    this.element.classList.toggle("is-asked", asked);
    if (!model || !this.found) return fill(this.list);
    const found = this.found;
    const from = Math.max(0, Math.min(this.at - hints.length - 20, places - LISTED));
    const rows = Array.from({ length: Math.min(LISTED, places - from) }, (_, i) => from + i);
    fill(
      this.list,
      ...hints.map((hint, i) => suggestionRow(hint, i, i === this.at)),
      ...rows.map((place) => placeRow(model, placeAt(found, place), hints.length + place, hints.length + place === this.at)),
    );
    this.list.hidden = this.list.childElementCount === 0;
    fill(this.empty, ...(asked && places === 0 ? elsewhere(model, search.get()) : []));
    fill(this.actions, ...(places > 0 ? foundActions(model, search.get(), found, () => this.close()) : []));
    this.open(this.pop.contains(document.activeElement) || document.activeElement === this.input);
    this.mark();
  }

  mark() {
    const current = this.list.querySelector('[aria-selected="true"]');
    current?.scrollIntoView({ block: "nearest" });
    if (current) this.input.setAttribute("aria-activedescendant", current.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {boolean} open */
  open(open) {
    const shown = open && (this.hints.length > 0 || Boolean(this.found?.asked));
    this.pop.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  /** The list is out of the way, the field keeps the focus. */
  close() {
    this.input.focus();
    this.open(false);
  }

  /** @param {number} row of the list, around its ends */
  go(row) {
    const rows = this.hints.length + this.places();
    if (rows === 0) return;
    this.at = (row + rows) % rows;
    if (this.at >= this.hints.length) this.choose(this.at - this.hints.length);
    this.show();
  }

  /** As a click does. @param {number} row */
  pick(row) {
    const hint = this.hints[row];
    if (hint) this.take(hint);
    else this.go(row);
  }

  /** Selects what a row stands for. @param {number} place */
  choose(place) {
    const model = activeGraph();
    if (!model || !this.found) return;
    const nodes = placeAt(this.found, place);
    const names = nodes.map((node) => model.name[node]);
    select(model.id, names);
    if (!isDrawn(nodes)) tell(`${names.join(", ")}: not among what is drawn; w draws the whole graph`);
    notice.set(`${names.join(", ")}, ${foundWords(place, this.places(), this.found.more)}`);
  }

  /** Puts a suggestion into the field. @param {Suggestion} hint */
  take({ from, to, text }) {
    const { value } = this.input;
    const whole = value.trim() === "";
    const next = whole ? text : `${value.slice(0, from)}${text}${value.slice(to)}`;
    this.input.value = next;
    const caret = whole ? next.length : from + text.length;
    this.input.setSelectionRange(caret, caret);
    if (search.get() === next) this.find();
    else search.set(next);
  }

  /** The next place, or the one before, from anywhere on the page. @param {1|-1} step */
  walk(step) {
    if (this.places() === 0) return tell(this.found?.asked ? "Nothing was found" : "Nothing is searched for: / begins a search");
    const last = this.at - this.hints.length;
    this.hints = [];
    this.at = Math.max(-1, last);
    this.go(this.at < 0 && step < 0 ? -1 : this.at + step);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.step(step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const hint = this.hints[this.at];
      if (hint) this.take(hint);
      else this.enter(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (this.input.value && this.at < this.hints.length) search.set("");
      else this.onLeave(); // to what was chosen, which stays found
    }
  }

  /** @param {number} step */
  step(step) {
    this.go(this.at < 0 && step < 0 ? -1 : this.at + step);
  }

  /** Among what was found only: suggestions are taken where one went to them. @param {number} step */
  enter(step) {
    if (this.places() === 0) return;
    const place = this.at - this.hints.length + step;
    const first = this.at < 0 ? (step > 0 ? 0 : this.places() - 1) : (place + this.places()) % this.places();
    this.go(this.hints.length + first);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }
}

/** Whether the active pane draws any of some nodes of its graph. @param {readonly number[]} nodes */
function isDrawn(nodes) {
  const pane = panes.get()[active.get()];
  const part = pane?.only ? drawnIn(pane)?.part : null;
  return !part || nodes.some((node) => part.part[node] >= 0);
}
