// The help dialog: all keys, how to search, and what the words and lines of the drawing mean.

import { FIELDS } from "../../model/search/fields.js";
import { button, el } from "../dom.js";
import { STAGES } from "../format.js";
import { KEYS, lettersOn, setLetters } from "./keys.js";

/** How to search, beside the fields. @type {[string, string][]} */
const WAYS = [
  ["layer bf16", "words, all of which must occur in a node's name, operator, type or module"],
  ["f32[8, *, 64]", "a type"],
  ["mm|bmm  -view", "one of several; without"],
  ["layer_norm -> linear", "a pattern: what reads what, over views, casts and copies; every step takes fields too"],
  ["mul <- sigmoid", "the other way round; a pattern may turn: silu -> mul <- linear"],
  ["add -> ... -> mm", "with anything in between; * stands for any one node"],
];

/** What hands do on the drawing; keys do the same. @type {[string, string][]} */
const HANDS = [
  ["drag", "pan; on the map in the corner: move what is seen"],
  ["wheel", "zoom at the pointer; with Shift pan sideways"],
  ["two fingers on a trackpad", "pan; spread or pinched, or with Ctrl: zoom"],
  ["one finger on the screen", "pan; after a tap, up and down: zoom"],
  ["two fingers on the screen", "pan and zoom; a tap with both: zoom out"],
  ["double click or double tap", "open or close a module; beside the graph: zoom in, with Shift out"],
  ["resting on something", "tells what it is"],
];

/** @returns {() => void} opens it */
export function helpDialog() {
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el("header", {}, el("h2", { id: "help-title" }, "Keys and words"), button("Close", { onclick: () => dialog.close() })),
    ...KEYS.flatMap(({ title, keys }) => [
      el("h3", {}, title),
      table(
        keys.map(({ show, what }) => [show, what]),
        "kbd",
      ),
    ]),
    letters(),
    el("h3", {}, "Mouse, trackpad and fingers"),
    table(HANDS, "span"),
    el("h3", {}, "Searching"),
    table(
      [...WAYS, ...Object.values(FIELDS).map(({ example, what }) => /** @type {[string, string]} */ ([example, what]))],
      "code",
    ),
    el("h3", {}, "Stages"),
    el(
      "dl",
      { class: "pairs" },
      ...Object.values(STAGES).flatMap(({ title, what }) => [el("dt", {}, title), el("dd", {}, what)]),
    ),
    el("h3", {}, "The drawing"),
    el(
      "p",
      {},
      "Graphs flow downwards. A box is a node; a larger box is a module: double-click it, or use its + and − button, to open or close it. " +
        "Of three or more identical blocks one is drawn, marked ×12; the menu over the drawing, and the details of a block, draw all of them. " +
        "Parameters and constants stand as chips on the node that reads them. Selecting a node marks what it reads and what reads it, " +
        "its line in the source, its line in the text, and its kin in the other panes: solid where torch recorded what became of it, " +
        "dashed where only the source line is the same. A pane's head counts them, as in 1 → 9 nodes; click it to bring them into view. " +
        "The Outline tab at the left says the same in words: it opens and closes as the drawing does.",
    ),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return () => {
    if (!dialog.open) dialog.showModal();
  };
}

/** @param {readonly (readonly [string, string])[]} rows @param {"kbd"|"code"|"span"} tag */
function table(rows, tag) {
  return el(
    "table",
    {},
    el("tbody", {}, ...rows.map(([key, what]) => el("tr", {}, el("td", {}, el(tag, {}, key)), el("td", {}, what)))),
  );
}

/** Speech input and some assistive tools type letters by themselves. */
function letters() {
  const box = el("input", { type: "checkbox", checked: lettersOn(), onchange: () => setLetters(box.checked) });
  return el("p", { class: "help-letters" }, el("label", {}, box, " Keys of one character work outside the drawing"));
}
