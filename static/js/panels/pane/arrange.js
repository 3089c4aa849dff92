// The menu of how a pane arranges its graph: a few questions, each with one answer. Another one is an entry of QUESTIONS.

import { button, el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { menu } from "../menu.js";
import { foldsKey, foldsSection } from "../folding/menu.js";

/**
 * @typedef {import("../../state.js").PaneView} PaneView
 *
 * @typedef {object} Facts what of the graph decides which answers there are
 * @property {boolean} decomposed torch recorded what nodes were decomposed from
 * @property {import("../folding/menu.js").Facts} folds
 *
 * @typedef {object} Answer
 * @property {Partial<PaneView>} set the change it makes to the pane
 * @property {string} title
 * @property {string} what one line on what it does
 * @property {(facts: Facts) => string} [off] why it cannot be given for this graph; "": it can
 *
 * @typedef {{label: string, answers: Answer[]}} Question
 */

/** @type {Question[]} */
const QUESTIONS = [
  {
    label: "Group nodes",
    answers: [
      { set: { by: "module" }, title: "By module", what: "every node in its nn.Module" },
      {
        set: { by: "op" },
        title: "By original op",
        what: "in its module, each op opens into what it was decomposed into",
        off: ({ decomposed }) => (decomposed ? "" : "nothing in this graph was decomposed"),
      },
    ],
  },
  {
    label: "Direction",
    answers: [
      { set: { flow: "down" }, title: "Top to bottom", what: "inputs at the top" },
      { set: { flow: "right" }, title: "Left to right", what: "inputs at the left" },
    ],
  },
  {
    label: "Very long graphs",
    answers: [
      { set: { wrap: true }, title: "Wrapped", what: "in columns or rows, as text is on a page" },
      { set: { wrap: false }, title: "In one piece", what: "however long that is" },
    ],
  },
  {
    label: "Map in the corner",
    answers: [
      { set: { map: true }, title: "Shown", what: "all of the graph, wherever the window shows a part" },
      { set: { map: false }, title: "Hidden", what: "the drawing alone" },
    ],
  },
];

/** @param {(change: Partial<PaneView>) => void} onArrange */
export function arrangeMenu(onArrange) {
  const word = el("span", { class: "roomy-only" });
  const list = el("div", { class: "menu-list arrange-list" });
  const { element, close } = menu("arrange", "How this graph is arranged", [icon("group"), word], list);
  element.hidden = true;
  let shown = "";
  /** @param {Partial<PaneView>} change */
  const choose = (change) => {
    close();
    onArrange(change);
  };
  return {
    element,
    /** @param {PaneView} pane @param {Facts} facts */
    update(pane, facts) {
      element.hidden = false;
      const given = QUESTIONS.map(({ answers }) => answerOf(answers, pane, facts));
      const key = JSON.stringify([given.map(({ title }) => title), facts.decomposed, foldsKey(pane, facts.folds)]);
      if (key === shown) return;
      shown = key;
      word.textContent = given[0].set.by === "op" ? "By op" : "By module";
      const questions = QUESTIONS.map((question, i) => section(question, given[i], facts, choose));
      fill(list, questions[0], foldsSection(pane, facts.folds, choose), ...questions.slice(1));
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** The answer that holds of a pane: the first where the one it asks for cannot be given. @param {Answer[]} answers @param {PaneView} pane @param {Facts} facts */
function answerOf(answers, pane, facts) {
  const keys = /** @type {(keyof PaneView)[]} */ (Object.keys(answers[0].set));
  return answers.find((answer) => keys.every((key) => answer.set[key] === pane[key]) && !answer.off?.(facts)) ?? answers[0];
}

/** @param {Question} question @param {Answer} given @param {Facts} facts @param {(change: Partial<PaneView>) => void} choose */
function section({ label, answers }, given, facts, choose) {
  const rows = answers.map((answer) => {
    const off = answer.off?.(facts) ?? "";
    const item = button("", { "aria-pressed": String(answer === given), disabled: off !== "", onclick: () => choose(answer.set) });
    item.append(el("span", {}, answer.title), el("span", { class: "muted" }, off || answer.what));
    return item;
  });
  return el("div", { class: "arrange-pair", role: "group", "aria-label": label }, el("div", { class: "arrange-label" }, label), ...rows);
}
