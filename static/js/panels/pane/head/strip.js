// Under a pane's head: what of the graph is traced, or that nothing else of it is drawn, and what can be done with it.

import { button, el, fill } from "../../dom.js";
import { count, counted } from "../../format.js";
import { MOST_STEPS } from "../../../model/trace/trace.js";
import { icon } from "../../icon.js";

/**
 * @typedef {{only: boolean, words: string, nodes: number, of: number, steps: number|null}} Traced `only`: nothing else is drawn;
 *   `steps`: edges around it that are drawn too; null: it is not of that kind
 * @typedef {{onSteps: (by: number) => void, onOnly: () => void, onWhole: () => void, onList: () => void, onClear: () => void}} StripCalls
 */

export class Strip {
  /** @param {StripCalls} calls */
  constructor(calls) {
    this.calls = calls;
    this.element = el("div", { class: "pane-strip", role: "group", "aria-label": "What is traced", hidden: true });
    this.shown = "null";
  }

  /** @param {Traced|null} traced */
  say(traced) {
    const key = JSON.stringify(traced);
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = traced === null;
    if (!traced) return;
    const { only, words, nodes, of, steps } = traced;
    const close = button("", {
      class: "icon-button",
      title: only ? "Show the whole graph" : "Clear the trace",
      "aria-label": only ? "Show the whole graph" : "Clear the trace",
      onclick: only ? this.calls.onWhole : this.calls.onClear,
    });
    close.append(icon("close"));
    this.element.classList.toggle("is-only", only);
    fill(
      this.element,
      el(
        "span",
        { class: "strip-words cut", title: words },
        only ? `Only the ${words}` : `${words[0].toUpperCase()}${words.slice(1)}`,
      ),
      el("span", { class: "strip-count" }, only ? `${count(nodes)} of ${counted(of, "node")}` : counted(nodes, "node")),
      only && steps !== null && this.steps(steps),
      el("span", { class: "spring" }),
      !only && button("Isolate", { class: "small", title: "Draw nothing else of this graph", onclick: this.calls.onOnly }),
      button("List", {
        class: "small",
        title: "List these nodes, and the tensors saved among them",
        onclick: this.calls.onList,
      }),
      close,
    );
  }

  /** How far around: fewer, more. @param {number} steps */
  steps(steps) {
    const step = (/** @type {number} */ by, /** @type {string} */ text, /** @type {string} */ title, /** @type {boolean} */ disabled) =>
      button(text, { class: "small strip-step", title, "aria-label": title, disabled, onclick: () => this.step(by) });
    return el(
      "span",
      { class: "strip-steps", role: "group", "aria-label": "How far around" },
      step(-1, "−", "One step less around", steps === 0),
      el("span", {}, counted(steps, "step")),
      step(1, "+", "One step more around (i)", steps === MOST_STEPS),
    );
  }

  /** The buttons are made anew: the one that was pressed keeps the focus. @param {number} by */
  step(by) {
    this.calls.onSteps(by);
    const wanted = by < 0 ? ".strip-step:first-of-type" : ".strip-step:last-of-type";
    requestAnimationFrame(() => /** @type {HTMLElement|null} */ (this.element.querySelector(wanted))?.focus());
  }
}
