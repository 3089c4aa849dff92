// The legend: by what the nodes are coloured, and what each colour stands for, with counts. A row filters: all nodes but those
// of the pressed rows are dimmed; its second button selects its nodes. Below, what shapes and lines stand for.

import { classCounts } from "../../model/colouring/classes.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { icon } from "../icon.js";
import { drawingKey } from "./key.js";
import { colourSwatch } from "./swatch.js";

/**
 * @typedef {import("../../model/colouring/types.js").Mode} Mode
 * @typedef {import("../../model/colouring/types.js").Colouring} Colouring
 *
 * @typedef {object} Shown what a legend shows
 * @property {readonly Mode[]} modes that fit the graph
 * @property {Mode} mode
 * @property {Colouring|null} colouring null: graphs it needs are still coming
 * @property {readonly string[]} filter ids of the pressed rows
 *
 * @typedef {object} LegendCalls
 * @property {(mode: string) => void} onMode
 * @property {(filter: string[]) => void} onFilter
 * @property {(classIndex: number) => void} onSelect
 */

/** The legend of one pane. */
export class Legend {
  /** @param {HTMLElement} host @param {LegendCalls} calls */
  constructor(host, calls) {
    this.host = host;
    this.calls = calls;
    /** @type {readonly string[]} */
    this.filter = [];
    /** @type {unknown} */
    this.drawn = undefined;
    this.select = el("select", { "aria-label": "Colour by", onchange: () => calls.onMode(this.select.value) });
    this.rows = el("ul", { class: "plain legend-rows" });
    const all = () => {
      calls.onFilter([]);
      this.toggles()[0]?.focus(); // the button is gone
    };
    this.clear = button("Show all", { class: "link legend-clear", onclick: all });
    fill(host, el("label", { class: "legend-by" }, el("span", {}, "Colour by"), this.select), this.rows, this.clear, drawingKey());
    host.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Shown} shown */
  show({ modes, mode, colouring, filter }) {
    this.filter = filter;
    const options = modes.map(({ id }) => id).join();
    if (this.select.dataset.modes !== options) {
      this.select.dataset.modes = options;
      fill(this.select, ...modes.map(({ id, title }) => el("option", { value: id }, title)));
    }
    this.select.value = mode.id;
    if (this.drawn !== (colouring ?? mode)) {
      this.drawn = colouring ?? mode;
      fill(this.rows, ...(colouring ? this.rowsOf(colouring) : [el("li", { class: "muted legend-wait" }, "Loading both halves…")]));
    }
    for (const row of this.toggles()) row.setAttribute("aria-pressed", String(filter.includes(row.dataset.class ?? "")));
    this.rows.classList.toggle("is-filtered", this.toggles().some((row) => row.getAttribute("aria-pressed") === "true"));
    this.clear.hidden = !this.rows.classList.contains("is-filtered");
  }

  /** @param {Colouring} colouring */
  rowsOf(colouring) {
    const counts = classCounts(colouring);
    return colouring.classes.map(({ id, title, colour }, at) => {
      const row = button("", {
        class: "legend-row",
        "data-class": id,
        title: `${title}: dim all others`,
        onclick: () => this.toggle(id),
      });
      row.append(colourSwatch(colour), el("span", { class: "cut" }, title), el("span", { class: "muted" }, count(counts[at])));
      const words = `Select these ${count(counts[at])}: ${title}`;
      const all = button("", { class: "icon-button legend-select", title: words, "aria-label": words, onclick: () => this.calls.onSelect(at) });
      all.append(icon("target"));
      return el("li", {}, row, all);
    });
  }

  /** @param {string} id */
  toggle(id) {
    this.calls.onFilter(this.filter.includes(id) ? this.filter.filter((each) => each !== id) : [...this.filter, id]);
  }

  /** @returns {HTMLElement[]} */
  toggles() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.rows.querySelectorAll(".legend-row"))];
  }

  /** Up and down walk the rows, Esc ends the filter. @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape" && !this.clear.hidden) this.calls.onFilter([]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const rows = this.toggles();
      const at = rows.indexOf(/** @type {HTMLElement} */ (event.target));
      if (at < 0) return;
      rows[(at + (event.key === "ArrowDown" ? 1 : rows.length - 1)) % rows.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
