// What a node gives: each tensor with everything torch knows of it without its data.

import { el } from "../dom.js";
import { bytes } from "../format.js";
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
