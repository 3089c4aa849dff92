// The help dialog: keys, and what the words and lines of the drawing mean.

import { button, el } from "../dom.js";
import { STAGES } from "../format.js";
import { KEYS } from "./keys.js";

/** @returns {() => void} opens it */
export function helpDialog() {
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el("header", {}, el("h2", { id: "help-title" }, "Keys and words"), button("Close", { onclick: () => dialog.close() })),
    el(
      "table",
      {},
      el("tbody", {}, ...KEYS.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what)))),
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
        "Parameters and constants stand as chips on the node that reads them. Selecting a node marks what it reads and what reads it, " +
        "its line in the source, its line in the text, and its kin in the other panes: solid where torch recorded what became of it, " +
        "dashed where only the source line is the same. A pane's head counts them, as in 1 → 9 nodes; click it to bring them into view.",
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
