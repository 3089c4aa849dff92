// Search in the active graph by name, operator, type and module: a combobox whose list walks with the arrow keys.

import { searchNodes } from "../../model/search/search.js";
import { activeGraph, notice, onActiveGraph, search, select } from "../../state.js";
import { el, fill } from "../dom.js";
import { count } from "../format.js";
import { icon } from "../icon.js";
import { nodeTitle } from "../details/several.js";
import { swatch } from "../pane/swatch.js";

const LISTED = 200;

/** The search box. */
export class SearchBox {
  constructor() {
    this.hits = /** @type {readonly number[]} */ ([]);
    this.at = -1;
    this.input = el("input", {
      type: "search",
      role: "combobox",
      class: "search-input",
      placeholder: "Search nodes",
      "aria-label": "Search nodes by name, operator, type, module",
      "aria-expanded": "false",
      "aria-controls": "search-list",
      "aria-autocomplete": "list",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.said = el("span", { class: "search-said muted" });
    this.list = el("ul", {
      class: "search-list plain",
      role: "listbox",
      id: "search-list",
      "aria-label": "Found nodes",
      hidden: true,
    });
    this.element = el(
      "div",
      { class: "search", role: "search" },
      icon("search"),
      this.input,
      this.said,
      el("kbd", { class: "search-key", title: "Press / to search" }, "/"),
      this.list,
    );
    this.listen();
  }

  listen() {
    this.input.addEventListener("input", () => search.set(this.input.value));
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => this.open(true));
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(/** @type {Node|null} */ (event.relatedTarget))) this.open(false);
    });
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("li");
      if (row?.dataset.hit) this.go(Number(row.dataset.hit));
    });
    search.subscribe((text) => {
      if (this.input.value !== text) this.input.value = text;
      this.find();
    });
    onActiveGraph(() => this.find());
  }

  find() {
    const model = activeGraph();
    this.hits = model && search.get().trim() ? searchNodes(model, search.get()) : [];
    this.at = -1;
    this.show();
  }

  show() {
    const model = activeGraph();
    const asked = search.get().trim() !== "";
    this.said.textContent =
      !asked || !model
        ? ""
        : this.at >= 0
          ? `${count(this.at + 1)} of ${count(this.hits.length)}`
          : `${count(this.hits.length)} found`;
    this.element.classList.toggle("is-asked", asked);
    if (!model) return;
    const from = Math.max(0, Math.min(this.at - 20, this.hits.length - LISTED));
    fill(
      this.list,
      ...this.hits.slice(from, from + LISTED).map((node, i) => this.row(model, node, from + i)),
      asked &&
        this.hits.length === 0 &&
        el("li", { class: "empty muted" }, "Nothing of that name, operator, type or module in this graph."),
    );
    this.open(document.activeElement === this.input);
    const current = this.list.querySelector('[aria-selected="true"]');
    current?.scrollIntoView({ block: "nearest" });
    if (current) this.input.setAttribute("aria-activedescendant", current.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {import("../../model/graph.js").GraphModel} model @param {number} node @param {number} hit */
  row(model, node, hit) {
    const row = el("li", { role: "option", id: `hit-${hit}`, "data-hit": hit, "aria-selected": String(hit === this.at) });
    row.append(
      swatch(model.kindOf(node)),
      el("span", { class: "hit-name cut", title: model.name[node] }, nodeTitle(model, node)),
      el("span", { class: "muted cut" }, model.modulePathOf(node) || model.targetOf(node)),
      el("code", { class: "muted cut" }, model.typeOf(node)),
    );
    return row;
  }

  /** @param {boolean} open */
  open(open) {
    const shown = open && search.get().trim() !== "";
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  /** @param {number} hit */
  go(hit) {
    const model = activeGraph();
    if (!model || !this.hits.length) return;
    this.at = (hit + this.hits.length) % this.hits.length;
    select(model.id, [model.name[this.hits[this.at]]]);
    notice.set(`${model.name[this.hits[this.at]]}, ${this.at + 1} of ${this.hits.length}`);
    this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (step) {
      event.preventDefault();
      this.go(this.at < 0 && step < 0 ? this.hits.length - 1 : this.at + step);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      if (this.input.value) search.set("");
      else this.input.blur();
    }
  }

  focus() {
    this.input.focus();
    this.input.select();
  }
}
