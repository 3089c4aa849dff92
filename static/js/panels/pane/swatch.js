// Small squares in the colours of the drawing.

import { el } from "../dom.js";

/** In a kind's colour. @param {string} kind */
export function swatch(kind) {
  return colourSwatch(`kind-${kind}`);
}

/** @param {string} name of a colour of graph.css */
export function colourSwatch(name) {
  const square = el("span", { class: "swatch", "aria-hidden": "true" });
  square.style.background = `var(--${CSS.escape(name)})`;
  return square;
}
