// How to read the drawing: what its shapes, lines and texts stand for, each with a small picture. Folded away under the colours.

import { el } from "../dom.js";

/** @typedef {[tag: "rect"|"path"|"circle"|"text", attributes: {[name: string]: string|number}, text?: string][]} Picture 36 by 18 units */

/** @param {string} look @param {number} x @param {number} y @param {number} width @param {number} height @param {number} rx @returns {Picture[0]} */
const box = (look, x, y, width, height, rx) => ["rect", { class: look, x, y, width, height, rx }];
/** @param {string} look @param {string} d @returns {Picture[0]} */
const path = (look, d) => ["path", { class: look, d }];
/** @param {string} look @param {number} x @param {number} y @param {string} text @returns {Picture[0]} */
const text = (look, x, y, text) => ["text", { class: look, x, y }, text];

/** @type {[Picture, string][]} */
const ENTRIES = [
  [[box("key-box", 6, 2, 24, 14, 7)], "An input or the output of the graph; any other box is one call"],
  [[box("key-chip", 3, 4, 30, 10, 5), ["circle", { class: "key-ink", cx: 9, cy: 9, r: 2.5 }]], "A parameter, buffer or constant, on what reads it"],
  [[box("key-chip", 3, 4, 30, 10, 5), ["circle", { class: "key-ring", cx: 9, cy: 9, r: 2 }]], "The same, and other nodes read it too: select it to see which"],
  [[box("key-chip", 3, 4, 30, 10, 5), path("key-ink", "M6.5 6.5h6l-3 5z")], "The value is written into this buffer, or is the gradient of this parameter"],
  [[box("key-chip", 3, 4, 30, 10, 5), path("key-ink", "M7 5.5v7l5-3.5z")], "A graph that a higher-order op runs: click to go in"],
  [[box("key-plate", 4, 3, 12, 12, 3), text("key-on-plate", 10, 12.5, "0"), box("key-box", 20, 3, 12, 12, 3), text("key-muted", 26, 12.5, "1")], "An output of several, by number: dark where something reads it, pale where nothing does"],
  [[box("key-box", 9, 4, 24, 13, 3), box("key-box", 6, 1, 24, 13, 3), path("key-bar", "M9 11.5h18")], "A closed group; its bar shows of what kinds its nodes are"],
  [[text("key-bold", 18, 13, "×12")], "Identical blocks, drawn once"],
  [[path("key-line", "M4 9h28")], "What one node gives and another reads"],
  [[path("key-line key-thick", "M4 9h28")], "Several such edges in one"],
  [[path("key-line", "M18 0v5"), box("key-chip", 3, 5, 30, 11, 5.5)], "An edge too long to draw: click its label to go to the other end"],
];

const UNITS =
  "f32[2, s0] is a tensor of float32 with 2 rows; s0 is a size that may differ from call to call. b8 is bool, i64 int64, bf16 bfloat16. "
  + "On an edge, +2 means two more values. Sizes are in bytes, KiB (1,024 bytes) and MiB.";

/** @returns {HTMLElement} */
export function drawingKey() {
  return el(
    "details",
    { class: "legend-key" },
    el("summary", {}, "How to read the drawing"),
    el("ul", { class: "plain" }, ...ENTRIES.map(([picture, words]) => el("li", {}, pictureOf(picture), el("span", {}, words)))),
    el("p", { class: "muted" }, UNITS),
  );
}

/** @param {Picture} picture @returns {SVGSVGElement} */
function pictureOf(picture) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 36 18");
  svg.setAttribute("aria-hidden", "true");
  for (const [tag, attributes, words] of picture) {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
    if (words) shape.textContent = words;
    svg.append(shape);
  }
  return svg;
}
