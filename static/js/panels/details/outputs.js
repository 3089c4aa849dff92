// What a node gives: each tensor with everything torch knows of it without its data.

import { el } from "../dom.js";
import { bytes, count, sentence } from "../format.js";
import { pairs } from "./parts.js";

/** @param {Api.OutputValue[]} outputs */
export function outputsOf(outputs) {
  return el(
    "div",
    { class: "outputs" },
    ...outputs.map((value, i) =>
      el(
        "div",
        { class: "output" },
        el("p", {}, outputs.length > 1 && el("span", { class: "muted" }, `${i} `), el("code", { class: "type" }, value.type)),
        value.dtype === undefined
          ? value.text !== undefined && value.text !== value.type
            ? el("code", {}, value.text)
            : null
          : tensor(value),
      ),
    ),
  );
}

/** @param {Api.OutputValue} value */
function tensor(value) {
  return pairs([
    ["dtype", value.dtype],
    ["shape", list(value.shape)],
    ["stride", value.stride === null ? "none" : list(value.stride)],
    ["device", value.device],
    ["layout", value.layout],
    ["requires grad", value.requires_grad ? "yes" : "no"],
    ["size", value.bytes === null || value.bytes === undefined ? "depends on symbols" : bytes(value.bytes)],
  ]);
}

/** @param {readonly (number|string)[]|undefined} items */
function list(items) {
  return items ? el("code", {}, `[${items.join(", ")}]`) : "";
}

/** Of a parameter or buffer, where they were asked for. @param {Api.Statistics} found */
export function statisticsOf(found) {
  if (found.reason) return el("p", { class: "muted" }, `None: ${sentence(found.reason).replace(/^./, (first) => first.toLowerCase())}`);
  if (found.count === 0) return el("p", { class: "muted" }, "None: it has no elements.");
  const none = "none: no value is finite";
  return el(
    "div",
    { class: "statistics" },
    pairs([
      ["min", number(found.min) ?? none],
      ["max", number(found.max) ?? none],
      ["mean", number(found.mean) ?? none],
      ["std", number(found.std) ?? "none"],
      ["zeros", amount(found.zeros, found.count)],
      ["NaN", amount(found.nan, found.count)],
      ["infinite", amount(found.infinite, found.count)],
    ]),
    el(
      "p",
      { class: "muted" },
      `Of ${count(found.count)} elements as they were before anything ran${found.magnitudes ? ", by magnitude: they are complex" : ""}.`,
    ),
  );
}

/** Six figures, which is what a float32 holds. @param {number|null} value */
function number(value) {
  return value === null ? null : el("code", {}, String(Number(value.toPrecision(6))));
}

/** How many and what share. @param {number} some @param {number} all */
function amount(some, all) {
  if (some === 0) return "0";
  const share = (100 * some) / all;
  return `${count(some)} (${share < 0.1 ? "<0.1" : Number(share.toPrecision(3))}%)`;
}
