/** Text that fits: layout measures by counting characters, so what a real font makes wider is cut here. */
import { GROUP_BOX } from "../../base/scene/boxes.js";
import { FONT } from "../theme.js";

/** @typedef {import("./ink.js").Ink} Ink */

/** No text is drawn smaller than this many pixels. */
const TEXT_PX = 5;

/** @param {number} size of the font in world units @param {number} k pixels a unit @returns {boolean} is such a text large enough to draw? */
export function isLegible(size, k) {
  return size * k >= TEXT_PX;
}

/** @param {number} k pixels a unit @returns {boolean} do groups have titles and buttons, rather than names as on a map? */
export function hasTitles(k) {
  return isLegible(GROUP_BOX.titleSize, k);
}

/** Sizes, in world units, that a label may grow to while the lines below it are too small to draw; the last is its own. */
export const GROWN = Object.freeze([22, 17, 13]);

/** Sizes are in world units. */
export const STYLE = Object.freeze({
  /** @param {number} size */
  text: (size) => `${size}px ${FONT.text}`,
  /** @param {number} size */
  bold: (size) => `600 ${size}px ${FONT.text}`,
  /** @param {number} size */
  mono: (size) => `${size}px ${FONT.mono}`,
});

/** No character of the fonts in question is wider than this part of the font size, on average over a text. */
const WIDEST = 0.95;

/** Remembers the width of every text it has measured; a graph has few different ones. */
export class Fitter {
  constructor() {
    /** @type {Map<string, Map<string, number>>} font -> text -> width */
    this.widths = new Map();
    /** @type {Map<string, string>} */
    this.cuts = new Map();
  }

  /** @param {Ink} ink its font is the one to measure in @param {string} text @returns {number} world units */
  width(ink, text) {
    let known = this.widths.get(ink.font);
    if (!known) this.widths.set(ink.font, (known = new Map()));
    let width = known.get(text);
    if (width === undefined) known.set(text, (width = ink.measureText(text).width));
    return width;
  }

  /**
   * @param {Ink} ink its font has the last size of `GROWN`
   * @param {string} text
   * @param {number} room world units
   * @param {number} k pixels a unit, at which the first of `GROWN` is legible
   * @returns {number} the largest of `GROWN` at which the text fits, or, that being too small to read, the least legible one
   */
  grown(ink, text, room, k) {
    const own = GROWN[GROWN.length - 1];
    const width = this.width(ink, text);
    const legible = GROWN.filter((size) => isLegible(size, k));
    return legible.find((size) => width * size <= room * own) ?? legible[legible.length - 1];
  }

  /**
   * @param {Ink} ink its font is the one to draw in
   * @param {string} text
   * @param {number} size of that font
   * @param {number} room world units
   * @returns {string} the text, its end replaced by … where it is wider than `room`
   */
  cut(ink, text, size, room) {
    if (text.length * size * WIDEST <= room) return text;
    const width = this.width(ink, text);
    if (width <= room) return text;
    const key = `${ink.font}|${Math.floor(room)}|${text}`;
    let cut = this.cuts.get(key);
    if (cut === undefined) this.cuts.set(key, (cut = shorten(text, (part) => ink.measureText(part).width <= room)));
    return cut;
  }
}

/** @param {string} text @param {(text: string) => boolean} fits @returns {string} the longest beginning that fits, with … */
function shorten(text, fits) {
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(`${text.slice(0, middle)}…`)) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${text.slice(0, low).trimEnd()}…` : "…";
}
