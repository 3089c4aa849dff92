// Narrow windows: side, details and drawer become sheets below the canvas, opened by a row of buttons at the bottom.

import { drawer, selection, side, sourceLine } from "../state.js";
import { button, fill } from "./dom.js";

/** @type {[string, string, () => void][]} */
const SHEETS = [
  ["graph", "Graph", () => {}],
  [
    "side",
    "Source",
    () => {
      if (side.get() === "") side.set("source");
    },
  ],
  ["details", "Details", () => {}],
  [
    "drawer",
    "Breaks & output",
    () => {
      if (drawer.get() === "") drawer.set("breaks");
    },
  ],
];

/** @param {HTMLElement} host */
export function mountSheets(host) {
  const show = (/** @type {string} */ id) => {
    document.body.dataset.sheet = id;
    for (const item of host.querySelectorAll("button")) item.setAttribute("aria-pressed", String(item.dataset.sheet === id));
  };
  fill(
    host,
    ...SHEETS.map(([id, title, prepare]) =>
      button(title, {
        class: "sheet-button",
        "data-sheet": id,
        onclick: () => {
          prepare();
          show(id);
        },
      }),
    ),
  );
  drawer.subscribe((now) => {
    if (now !== "") show("drawer");
    else if (document.body.dataset.sheet === "drawer") show("graph");
  });
  selection.subscribe((now) => {
    if (now && document.body.dataset.sheet === "graph") show("details");
  });
  sourceLine.subscribe((now) => {
    if (now) show("side");
  });
  show("graph");
}
