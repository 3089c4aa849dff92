// The inputs fields: for a model or class that the code does not call itself, and for a second call of what was compiled.

import { el, fill } from "../dom.js";
import { sentence } from "../format.js";

const EXAMPLES = [
  ["x: f32[2, 3, 224, 224]", "one float tensor"],
  ["ids: i64[1, 128] < 32000", "integers below 32000"],
  ["x: f32[batch=2, 16]", "a named dimension is dynamic"],
  ["x: f32[4], n: i64[], flag: True", "several inputs; [] is a scalar; plain Python values"],
];

/** @typedef {"inputs"|"second_inputs"} InputsName as the options of a capture are called */

/** The fields with what helps to fill them in. */
export class InputsFields {
  constructor() {
    this.first = inputOf("inputs", "x: f32[2, 3, 32, 32]");
    this.second = inputOf("second_inputs", "x: f32[5, 3, 32, 32]");
    this.said = { inputs: saidOf("inputs"), second_inputs: saidOf("second_inputs") };
    this.element = el(
      "div",
      { class: "field" },
      el(
        "div",
        { class: "field-pair" },
        fieldOf(this.first, "Inputs", "only when the code gives none", this.said.inputs),
        fieldOf(this.second, "Second inputs", "to see what is compiled anew", this.said.second_inputs),
      ),
      helpOf(),
    );
    for (const each of [this.first, this.second]) each.addEventListener("input", () => this.clear());
  }

  /** @returns {{inputs: string, second: string}} */
  read() {
    return { inputs: this.first.value, second: this.second.value };
  }

  /** @param {{inputs?: string, second?: string}} values those left out stay as they are */
  write({ inputs, second }) {
    if (inputs !== undefined) this.first.value = inputs;
    if (second !== undefined) this.second.value = second;
    this.clear();
  }

  /** The part of a capture's options that they are. @returns {{inputs?: string, second_inputs?: string}} */
  options() {
    const [inputs, second_inputs] = [this.first.value.trim(), this.second.value.trim()];
    return { ...(inputs && { inputs }), ...(second_inputs && { second_inputs }) };
  }

  /** Says below a field what is wrong with it, and goes there. @param {InputsName} name @param {string} message */
  fail(name, message) {
    const field = name === "inputs" ? this.first : this.second;
    field.setAttribute("aria-invalid", "true");
    fill(this.said[name], sentence(message.replace(/^(second )?inputs(: |, )/, "")));
    this.said[name].hidden = false;
    field.focus();
  }

  clear() {
    for (const field of [this.first, this.second]) field.removeAttribute("aria-invalid");
    for (const said of Object.values(this.said)) said.hidden = true;
  }
}

/**
 * Which field an error is about; null: none of them.
 * @param {{code?: string, detail: string}} problem of the API, or a failure of a capture as one
 * @returns {InputsName|null}
 */
export function fieldAtFault({ code, detail }) {
  if (code === "bad-inputs") return /^second inputs/.test(detail) ? "second_inputs" : "inputs";
  const named = code === "bad-options" && /`(second_inputs|inputs)`/.exec(detail);
  return named ? /** @type {InputsName} */ (named[1]) : null;
}

/** @param {InputsName} name @param {string} placeholder */
function inputOf(name, placeholder) {
  return el("input", {
    type: "text",
    id: name,
    name,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder,
    "aria-describedby": `${name}-error ${name}-why inputs-help`,
  });
}

/** @param {string} name */
function saidOf(name) {
  return el("p", { class: "field-error error-text", id: `${name}-error`, hidden: true });
}

/** @param {HTMLInputElement} field @param {string} label @param {string} why @param {HTMLElement} said */
function fieldOf(field, label, why, said) {
  return el(
    "div",
    { class: "field-one" },
    el(
      "div",
      { class: "field-head" },
      el("label", { for: field.id }, label),
      el("span", { class: "muted", id: `${field.id}-why` }, why),
    ),
    field,
    said,
  );
}

function helpOf() {
  return el(
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
      "Types: f32 f64 f16 bf16 i64 i32 i16 i8 u8 bool c64 and more, or torch's full names. The code may also set example_args = (…) ",
      "itself, and example_args_2 = (…) for the second call.",
    ),
    el(
      "p",
      { class: "muted" },
      "With second inputs the compiled function is called once more: where a guard does not hold, torch compiles that part anew. ",
      "Give another size, another flag, another number, and see which guard it breaks.",
    ),
  );
}
