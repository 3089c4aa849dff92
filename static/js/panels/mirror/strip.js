// Above a mirror: what is saved, computed again and returned in all, who cut the graph, and the way to what the other would do.

import { PARTITIONERS, sizes } from "../../model/mirror/words.js";
import { drawer } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { bytes, counted } from "../format.js";

/** @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer */
/** @typedef {import("../../model/mirror/types.js").Cut} Cut */

/** @typedef {{onCompare: (on: boolean) => void, onHalf: (half: "forward"|"backward") => void}} StripCalls */

export class MirrorStrip {
  /** @param {StripCalls} calls */
  constructor(calls) {
    this.calls = calls;
    this.facts = el("div", { class: "mirror-facts" });
    this.tools = el("div", { class: "mirror-tools" });
    this.heads = el("div", { class: "mirror-heads" });
    this.element = el(
      "div",
      { role: "region", "aria-label": "What is saved between them" },
      el("div", { class: "mirror-strip" }, this.facts, this.tools),
      this.heads,
    );
    this.shown = /** @type {unknown} */ (null);
  }

  /** @param {MirrorAnswer} answer @param {boolean} compared @param {{forward: number, backward: number}} nodes of each half */
  update(answer, compared, nodes) {
    const key = JSON.stringify([answer.cut.forward, answer.cut.totals, answer.other?.totals, compared]);
    if (key === this.shown) return; // a button under the pointer must not be replaced between press and release
    this.shown = key;
    const { cut, other } = answer;
    fill(this.heads, this.head("forward", "Forward ↓", nodes.forward), this.head("backward", "Backward ↑", nodes.backward));
    fill(this.facts, factsOf(cut, compared), compared && other && factsOf(other, true));
    const compare = other
      ? button(`Compare with ${PARTITIONERS[other.partitioner]}`, {
          class: "small",
          "aria-pressed": compared ? "true" : "false",
          title: "Marks what only one of torch's two partitioners saves or computes again",
          onclick: () => this.calls.onCompare(!compared),
        })
      : el(
          "span",
          { class: "muted", title: "The other partitioner was not recorded with this capture" },
          `cut by ${PARTITIONERS[cut.partitioner]}`,
        );
    const held = this.tools.contains(document.activeElement) ? document.activeElement?.className : "";
    fill(
      this.tools,
      compare,
      button("Table", { class: "small mirror-table", title: "Saved tensors as a table", onclick: openTable }),
    );
    if (held) /** @type {HTMLElement|null} */ (this.tools.querySelector("button"))?.focus();
  }

  /** @param {"forward"|"backward"} half @param {string} name @param {number} nodes */
  head(half, name, nodes) {
    const item = button(name, {
      class: `mirror-head is-${half}`,
      title: `Go to the ${half}`,
      onclick: () => this.calls.onHalf(half),
    });
    item.append(el("span", { class: "muted" }, counted(nodes, "node")));
    return item;
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
    named &&
      el(
        "div",
        { class: "mirror-who" },
        el("dt", { class: "visually-hidden" }, "Partitioner"),
        el("dd", {}, PARTITIONERS[partitioner]),
      ),
    fact(
      "Saved",
      sizes(totals.bytes, totals.unknown),
      `in ${counted(totals.saved, "tensor")}${totals.sizes ? ` and ${counted(totals.sizes, "size")}` : ""}`,
      "What the forward keeps for the backward. Every storage counts once",
      named ? null : share(own, totals.held_bytes),
    ),
    fact(
      "Activations",
      bytes(own),
      "",
      `Kept for the backward alone; the other ${bytes(totals.held_bytes)} are parameters and inputs, which are there anyway`,
    ),
    fact(
      "Recomputed",
      String(totals.recomputed),
      named ? "" : recomputedWords(totals),
      "Calls that both halves make; a view computes nothing",
    ),
    !named && fact("Gradients", String(totals.gradients), "", "Values that the backward returns for parameters and inputs"),
  );
}

/** @param {string} name @param {string} value @param {string} more @param {string} title @param {HTMLElement|null} [bar] */
function fact(name, value, more, title, bar = null) {
  return el(
    "div",
    { class: "mirror-fact", title },
    el("dt", {}, name),
    el("dd", {}, el("strong", {}, value), more && el("span", { class: "muted" }, ` ${more}`), bar),
  );
}

/** @param {Cut["totals"]} totals */
function recomputedWords({ recomputed, free }) {
  if (recomputed === 0) return "";
  const ops = recomputed === 1 ? "op" : "ops";
  if (free === recomputed) return recomputed === 1 ? "op, a view" : "ops, all views";
  return free ? `${ops}, ${counted(free, "view")} among them` : ops;
}

/** How much of it is kept for the backward alone. @param {number} own @param {number} held @returns {HTMLElement|null} */
function share(own, held) {
  if (own + held === 0) return null;
  const part = Math.round((100 * own) / (own + held));
  const meter = el("span", { class: "mirror-share", role: "img", "aria-label": `${part} % of it activations` });
  meter.style.setProperty("--part", `${part}%`);
  return meter;
}
