// Above a mirror: what is saved, computed again and returned in all, who cut the graph, and the way to what the other would do.

import { PARTITIONERS, sizes } from "../../model/mirror/words.js";
import { drawer } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { bytes, counted } from "../format.js";

/** @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer */
/** @typedef {import("../../model/mirror/types.js").Cut} Cut */

export class MirrorStrip {
  /** @param {(on: boolean) => void} onCompare */
  constructor(onCompare) {
    this.onCompare = onCompare;
    this.facts = el("div", { class: "mirror-facts" });
    this.tools = el("div", { class: "mirror-tools" });
    this.element = el("div", { class: "mirror-strip", role: "region", "aria-label": "What is saved between them" }, this.facts, this.tools);
    this.shown = /** @type {unknown} */ (null);
  }

  /** @param {MirrorAnswer} answer @param {boolean} compared */
  update(answer, compared) {
    const key = JSON.stringify([answer.cut.forward, answer.cut.totals, answer.other?.totals, compared]);
    if (key === this.shown) return; // a button under the pointer must not be replaced between press and release
    this.shown = key;
    const { cut, other } = answer;
    fill(this.facts, factsOf(cut, compared), compared && other && factsOf(other, true));
    const compare = other
      ? button(`Compare with ${PARTITIONERS[other.partitioner]}`, {
          class: "small",
          "aria-pressed": compared ? "true" : "false",
          title: "Marks what only one of torch's two partitioners saves or computes again",
          onclick: () => this.onCompare(!compared),
        })
      : el("span", { class: "muted", title: "The other partitioner was not recorded with this capture" }, `cut by ${PARTITIONERS[cut.partitioner]}`);
    const held = this.tools.contains(document.activeElement) ? document.activeElement?.className : "";
    fill(this.tools, compare, button("Table", { class: "small mirror-table", title: "Saved tensors as a table", onclick: openTable }));
    if (held) /** @type {HTMLElement|null} */ (this.tools.querySelector("button"))?.focus();
  }
}

function openTable() {
  drawer.set(drawer.get() === "saved" ? "" : "saved");
}

/** @param {Cut} cut @param {boolean} named @returns {HTMLElement} */
function factsOf({ partitioner, totals }, named) {
  const own = totals.bytes - totals.held_bytes;
  return el(
    "dl",
    { class: "mirror-cut" },
    named && el("div", { class: "mirror-who" }, el("dt", { class: "visually-hidden" }, "Partitioner"), el("dd", {}, PARTITIONERS[partitioner])),
    fact(
      "Saved",
      sizes(totals.bytes, totals.unknown),
      `in ${counted(totals.saved, "tensor")}${totals.sizes ? ` and ${counted(totals.sizes, "size")}` : ""}`,
      `${bytes(own)} kept for the backward alone; ${bytes(totals.held_bytes)} are parameters and inputs, which are there anyway`,
      share(own, totals.held_bytes),
    ),
    fact("Recomputed", String(totals.recomputed), recomputedWords(totals), "Calls that both halves make; a view computes nothing"),
    fact("Gradients", String(totals.gradients), "", "Values that the backward returns for parameters and inputs"),
  );
}

/** @param {string} name @param {string} value @param {string} more @param {string} title @param {HTMLElement|null} [bar] */
function fact(name, value, more, title, bar = null) {
  return el("div", { class: "mirror-fact", title }, el("dt", {}, name), el("dd", {}, el("strong", {}, value), more && el("span", { class: "muted" }, ` ${more}`), bar));
}

/** @param {Cut["totals"]} totals */
function recomputedWords({ recomputed, free }) {
  if (recomputed === 0) return "";
  if (free === recomputed) return `${recomputed === 1 ? "op, a view" : "ops, all views"}`;
  return free ? `${recomputed === 1 ? "op" : "ops"}, ${counted(free, "view")} among them` : recomputed === 1 ? "op" : "ops";
}

/** How much of it is kept for the backward alone. @param {number} own @param {number} held @returns {HTMLElement|null} */
function share(own, held) {
  if (own + held === 0) return null;
  const part = Math.round((100 * own) / (own + held));
  const meter = el("span", { class: "mirror-share" }, el("span", { class: "visually-hidden" }, `${part} % kept for the backward alone`));
  meter.style.setProperty("--part", `${part}%`);
  return el("span", { class: "mirror-split" }, meter, el("span", { class: "muted" }, `${bytes(own)} only for it`));
}
