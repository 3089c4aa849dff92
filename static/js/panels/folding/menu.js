// The part of the pane's menu that says what is folded: identical blocks, chains, views.

import { withFold } from "../../model/folding/folds.js";
import { button, el } from "../dom.js";
import { counted } from "../format.js";
import { icon } from "../icon.js";

/**
 * @typedef {import("../../state.js").PaneView} PaneView
 * @typedef {import("../../model/folding/folds.js").Fold} Fold
 * @typedef {import("../../model/folding/facts.js").Row} Row
 *
 * @typedef {object} Facts
 * @property {readonly Row[]} rows rows of identical blocks of the whole graph
 * @property {number} views
 * @property {boolean} part only a part of the graph is drawn
 */

/** Rows that are offered one by one; more would make the menu longer than the screen. */
const MOST_ROWS = 6;

/** @type {{fold: Fold, title: string, what: (facts: Facts) => string, off: (facts: Facts) => string}[]} */
const CHOICES = [
  {
    fold: "repeats",
    title: "Draw identical blocks once",
    what: ({ rows }) => rows.map((row) => `${row.words} ×${row.times}`).slice(0, 2).join("; ") + (rows.length > 2 ? " …" : ""),
    off: ({ rows, part }) => (part ? "only where the whole graph is drawn" : rows.length ? "" : "no three blocks of this graph are identical"),
  },
  {
    fold: "chains",
    title: "Fold chains",
    what: () => "pointwise and view ops one after the other, four or more, as one box",
    off: () => "",
  },
  {
    fold: "views",
    title: "Hide views, casts and getitems",
    what: ({ views }) => `${counted(views, "node")}; edges lead past them`,
    off: ({ views }) => (views ? "" : "there are none in this graph"),
  },
];

/**
 * @param {PaneView} pane @param {Facts} facts @param {(change: Partial<PaneView>) => void} choose
 * @returns {HTMLElement}
 */
export function foldsSection(pane, facts, choose) {
  const choices = CHOICES.map(({ fold, title, what, off }) => {
    const why = off(facts);
    const on = why === "" && pane.folds.includes(fold);
    const set = () => choose({ folds: withFold(pane.folds, fold, !on), ...(fold === "repeats" ? { unfolded: [] } : {}) });
    return check(title, why || what(facts), on, why !== "", set);
  });
  const rows = pane.folds.includes("repeats") && !facts.part && facts.rows.length > 1 && facts.rows.length <= MOST_ROWS ? facts.rows : [];
  const single = rows.map((row) => {
    const on = !pane.unfolded.includes(row.path);
    const set = () => choose({ unfolded: unfoldedWith(pane.unfolded, row.path, on), camera: pane.camera }); // what is looked at stays
    return check(`${row.words} ×${row.times}`, "", on, false, set);
  });
  choices.splice(1, 0, ...single.map((each) => (each.classList.add("fold-row"), each)));
  return el("div", { role: "group", "aria-label": "Fold" }, el("div", { class: "arrange-label" }, "Fold"), ...choices);
}

/** The rows that are drawn block by block, with one more or one less. @param {readonly string[]} unfolded @param {string} path @param {boolean} more */
export function unfoldedWith(unfolded, path, more) {
  const others = unfolded.filter((each) => each !== path);
  return more ? [...others, path] : others;
}

/** What the menu's content depends on. @param {PaneView} pane @param {Facts} facts */
export function foldsKey(pane, facts) {
  return JSON.stringify([pane.folds, pane.unfolded, facts.rows.map(({ path }) => path), facts.views, facts.part]);
}

/** @param {string} title @param {string} what @param {boolean} on @param {boolean} disabled @param {() => void} onclick */
function check(title, what, on, disabled, onclick) {
  const item = button("", { class: "fold-choice", "aria-pressed": String(on), disabled, onclick });
  item.append(el("span", { class: "fold-mark", "aria-hidden": "true" }, on && icon("done")), el("span", {}, title), el("span", { class: "muted" }, what));
  return item;
}
