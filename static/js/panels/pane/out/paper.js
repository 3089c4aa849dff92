// What is printed: the drawings of all panes as pages of vectors, then what is said of the selection. The screen has none of it.

import { el } from "../../dom.js";
import { counted } from "../../format.js";

/**
 * @typedef {import("./picture.js").Pictures} Pictures
 * @typedef {{title: string, about: string, pictures: Pictures|null, words: Element|null, legend: Element|null}} Sheet a pane: its drawing, or words
 */

/** What A4 and Letter have in common inside the margins of print.css, below a title; CSS pixels at 96 an inch. */
const PAGE = Object.freeze({ width: 700, height: 880 });
/** Labels are 6 points high then. */
const READABLE = 0.6;
/** Smaller letters are borne where the drawing is then one page wide: 4 points. */
const BEARABLE = 0.4;
const MOST_PAGES = 60;

/** @param {readonly Sheet[]} sheets @param {Element|null} details of the selection @returns {{element: HTMLElement, fonts: string}} `fonts`: a style sheet that it needs */
export function paper(sheets, details) {
  /** @type {string[]} */
  const fonts = [];
  const parts = sheets.flatMap((sheet) => [
    el("header", { class: "paper-head" }, el("h1", {}, sheet.title), el("p", {}, sheet.about)),
    ...(sheet.pictures ? drawn(sheet.pictures, fonts) : []),
    ...[sheet.words, sheet.legend].flatMap((each) => (each ? [copyOf(each)] : [])),
  ]);
  const element = el("div", { class: "paper" }, ...parts, details && el("section", { class: "paper-details" }, copyOf(details)));
  return { element, fonts: fonts.join("\n") };
}

/** @param {Pictures} pictures @param {string[]} fonts @returns {HTMLElement[]} */
function drawn(pictures, fonts) {
  const pages = pictures.pages(PAGE, scaleFor(pictures.size("whole")));
  const rows = Math.max(...pages.map(({ row }) => row)) + 1;
  const columns = Math.max(...pages.map(({ column }) => column)) + 1;
  return pages.map(({ svg, row, column }) => {
    const name = `paper-${fonts.length}`;
    const at = columns > 1 ? `row ${row + 1} of ${rows}, column ${column + 1} of ${columns}` : `${row + 1} of ${rows}`;
    return el("figure", { class: `paper-page ${name}` }, picture(svg, name, fonts), pages.length > 1 && el("figcaption", {}, at));
  });
}

/**
 * On one page where it can be read so; else cut into as many as it takes, but not more than anybody would print.
 * @param {{width: number, height: number}} size at scale 1 @returns {number}
 */
export function scaleFor({ width, height }) {
  const whole = Math.min(1, PAGE.width / width, PAGE.height / height);
  if (whole >= READABLE) return whole;
  const across = PAGE.width / width;
  let k = across >= BEARABLE ? Math.min(1, across) : READABLE;
  while (Math.ceil((width * k) / PAGE.width) * Math.ceil((height * k) / PAGE.height) > MOST_PAGES) k *= 0.95;
  return k;
}

/** The policy of the page allows no style element: what the picture's says becomes part of a sheet. @param {string} svg @param {string} name @param {string[]} fonts */
function picture(svg, name, fonts) {
  const bare = svg.replace(/<style>([^<]*)<\/style>/, (_all, /** @type {string} */ rules) => {
    fonts.push(rules.replace(/\.(f\d+)/g, `.${name} .$1`));
    return "";
  });
  return document.importNode(new DOMParser().parseFromString(bare, "image/svg+xml").documentElement, true);
}

/** @param {Element} element */
function copyOf(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
  for (const each of copy.querySelectorAll("details")) each.open = true;
  return copy;
}

/** @param {number} nodes @param {number} edges @param {readonly string[]} more */
export function aboutGraph(nodes, edges, more) {
  return [`${counted(nodes, "node")}, ${counted(edges, "edge")}`, ...more.filter(Boolean)].join(" · ");
}
