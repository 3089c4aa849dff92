// The inputs field: for a model or class that the code does not call itself.

import { el } from "../dom.js";

const EXAMPLES = [
  ["x: f32[2, 3, 224, 224]", "one float tensor"],
  ["ids: i64[1, 128] < 32000", "integers below 32000"],
  ["x: f32[batch=2, 16]", "a named dimension is dynamic"],
  ["x: f32[4], n: i64[], flag: True", "several inputs; [] is a scalar; plain Python values"],
];

/** @returns {{element: HTMLElement, field: HTMLInputElement}} */
export function inputsField() {
  const field = el("input", {
    type: "text",
    id: "inputs",
    name: "inputs",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "x: f32[2, 3, 32, 32]",
    "aria-describedby": "inputs-help",
  });
  const help = el(
    "details",
    { class: "inputs-help" },
    el("summary", {}, "Syntax"),
    el(
      "table",
      { id: "inputs-help" },
      el(
        "tbody",
        {},
        ...EXAMPLES.map(([text, what]) => el("tr", {}, el("td", {}, el("code", {}, text)), el("td", { class: "muted" }, what))),
      ),
    ),
    el(
      "p",
      { class: "muted" },
      "Types: f32 f64 f16 bf16 i64 i32 i16 i8 u8 bool c64 and more, or torch's full names. The code may also set example_args = (…) itself.",
    ),
  );
  return {
    element: el(
      "div",
      { class: "field" },
      el(
        "div",
        { class: "field-head" },
        el("label", { for: "inputs" }, "Inputs"),
        el("span", { class: "muted" }, "only when the code gives none"),
      ),
      field,
      help,
    ),
    field,
  };
}
