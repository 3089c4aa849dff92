// In a pane's head: how many nodes of this graph are kin of what is selected, and the offer to bring them into sight.

import { button, el, fill } from "../../dom.js";
import { count, counted } from "../../format.js";
import { icon } from "../../icon.js";

/**
 * @typedef {object} KinFacts
 * @property {number} from how many nodes are selected
 * @property {number} exact how many of this graph are kin of them
 * @property {number} line how many more come from the same source line
 * @property {"links"|"waiting"|"lost"} by what is known: see state/kin.js
 * @property {boolean} own the selection was made in this graph
 * @property {boolean} hidden none of them is in the part that is drawn
 * @property {boolean} away none of them is on the screen
 */

export class KinHead {
  constructor() {
    /** Brings the kin into sight. */
    this.onBring = () => {};
    this.element = button("", { class: "pane-kin", onclick: () => this.onBring() });
    this.element.hidden = true;
    this.shown = "null";
  }

  /** @param {KinFacts|null} facts null: nothing is selected */
  say(facts) {
    const key = JSON.stringify(facts);
    if (key === this.shown) return; // a button under the pointer must not be replaced between press and release
    this.shown = key;
    this.element.hidden = facts === null;
    if (!facts) return;
    const none = facts.exact + facts.line === 0;
    this.element.disabled = none || facts.hidden;
    this.element.className = `pane-kin ${facts.exact ? "is-exact" : none ? "is-none" : "is-line"}${facts.away ? " is-away" : ""}`;
    this.element.title = titleOf(facts, none);
    this.element.setAttribute("aria-label", `${wordsOf(facts)}. ${this.element.title}`);
    fill(this.element, ...(none ? [noKin(facts)] : counts(facts)), facts.away && icon("target"));
  }
}

/** @param {KinFacts} facts */
function counts({ from, exact, line }) {
  const arrow = el("span", { class: "kin-arrow", "aria-hidden": "true" }, exact ? "→" : "⇢");
  const more = exact > 0 && line > 0 && el("span", { class: "kin-more" }, `+${count(line)}`);
  const many = exact || line;
  const word = el("span", { class: "kin-word" }, many === 1 ? " node" : " nodes");
  return [el("span", { class: "kin-from" }, count(from)), arrow, count(many), word, more];
}

/** @param {KinFacts} facts */
function noKin({ by }) {
  return by === "waiting" ? "…" : "no kin";
}

/** @param {KinFacts} facts */
function wordsOf({ from, exact, line }) {
  const parts = [exact > 0 && `${count(exact)} exactly`, line > 0 && `${count(line)} by source line`].filter(Boolean);
  return `${counted(from, "selected node")}, kin here: ${parts.join(", ") || "none"}`;
}

/** @param {KinFacts} facts @param {boolean} none */
function titleOf({ exact, line, by, own, hidden, away }, none) {
  if (by === "waiting") return "Looking for what torch recorded; until then the same source line counts";
  const lost = by === "lost" ? "The links could not be fetched: only the same source line counts. " : "";
  if (none) return `${lost}Nothing of this graph is known to belong to the selection`;
  if (hidden) return "They are not in the part of the graph that is drawn";
  const what = own ? "the other half of the selection" : "what the selection is in this graph";
  const kinds = exact && line ? ` (${count(exact)} exactly, ${count(line)} more by source line)` : "";
  return `${lost}${away ? "Out of sight: bring" : "Bring"} ${what} into view${kinds}`;
}
