// Dynamic shapes of a stage: each symbol with where it stands and its range, what the code fixed, and at which line.

import { el } from "../dom.js";
import { longList, section } from "../details/parts.js";

const FIRST = 6;

/** Shows a line of code. @typedef {(frame: Api.Frame) => HTMLElement} LineOf */

/**
 * @param {Api.Stage|null|undefined} stage @param {LineOf} lineOf
 * @returns {HTMLElement|null} null: every shape is static and none was asked to be dynamic
 */
export function shapesPart(stage, lineOf) {
  const symbols = stage?.symbols ?? [];
  if (!stage || !symbols.length) return null;
  const conditions = stage.constraints.filter(({ text }) => !symbols.some((symbol) => symbol.value && symbol.reason === text));
  return section(
    "Dynamic shapes",
    longList(symbols, FIRST, (symbol) => symbolRow(symbol, lineOf)),
    conditions.length > 0 &&
      el(
        "details",
        {},
        el("summary", {}, conditions.length === 1 ? "1 condition on them" : `${conditions.length} conditions on them`),
        longList(conditions, FIRST, ({ text, frame }) => el("div", {}, el("code", {}, text), frame && lineOf(frame))),
      ),
  );
}

/** @param {Api.Symbol} symbol @param {LineOf} lineOf */
function symbolRow(symbol, lineOf) {
  const place = symbol.dim || symbol.sources[0] || "computed from the data";
  return el(
    "div",
    { class: "symbol-row" },
    el("p", {}, el("code", {}, symbol.name), " ", el("span", { class: "muted" }, place), " ", rangeOf(symbol)),
    symbol.value !== "" && el("p", {}, madeOf(symbol), " ", el("code", {}, symbol.value), symbol.reason && reasonOf(symbol)),
    symbol.value !== "" && symbol.frame && lineOf(symbol.frame),
  );
}

/** @param {Api.Symbol} symbol */
function madeOf({ value }) {
  return /^-?\d+$/.test(value) ? "Your code specialised it to" : "It must equal";
}

/** @param {Api.Symbol} symbol */
function reasonOf({ reason }) {
  return el("span", { class: "muted" }, ": ", el("code", {}, reason));
}

/** @param {Api.Symbol} symbol */
function rangeOf({ lower, upper, example, value }) {
  if (/^-?\d+$/.test(value)) return null;
  const range = lower || upper ? `[${lower}, ${upper}]` : "";
  const sized = /^-?\d+$/.test(example) ? `${range ? ", " : ""}${example} in the example` : "";
  return el("span", { class: "muted" }, range + sized);
}
