// The inputs fields: for a model or class that the code does not call itself, and for a second call of what was compiled.

import { coded, el, fill } from "../dom.js";
import { sentence } from "../format.js";

const EXAMPLES = [
  ["x: f32[2, 3, 224, 224]", "one float tensor"],
  ["ids: i64[1, 128] < 32000", "integers below 32000"],
  ["x: f32[batch=2, 16]", "a named dimension is dynamic"],
  ["x: f32[4], n: i64[], flag: True", "several inputs, also a line each; [] is a scalar; Python values"],
  ["xs: [f32[3], f32[4]], batch: {'ids': i64[1, 16]}", "lists, tuples and dicts, as in Python"],
];

/** @typedef {"inputs"|"second_inputs"} InputsName as the options of a capture are called */

/** The fields with what helps to fill them in. */
export class InputsFields {
  constructor() {
    this.first = inputOf("inputs", "x: f32[2, 3, 32, 32]");
    this.second = inputOf("second_inputs", "x: f32[5, 3, 32, 32]");
    this.said = { inputs: saidOf("inputs"), second_inputs: saidOf("second_inputs") };
    this.guess = el("p", { class: "guess-why muted", id: "inputs-guess", hidden: true });
    this.guessed = false; // the first field holds a guess that nobody has touched
    this.mark = el("span", { class: "guess-mark", hidden: true, title: "Guessed from the code. Change it as you like." }, "guess");
    this.element = el(
      "div",
      { class: "field" },
      el(
        "div",
        { class: "field-pair" },
        fieldOf(this.first, "Inputs", "only when the code gives none", this.said.inputs, this.mark, this.guess),
        fieldOf(this.second, "Second inputs", "to see what is compiled anew", this.said.second_inputs),
      ),
      helpOf(),
    );
    for (const each of [this.first, this.second]) each.addEventListener("input", () => this.clear());
    this.first.addEventListener("input", () => this.markGuess(false));
  }

  /** What a person wrote: a guess is made anew. @returns {{inputs: string, second: string}} */
  read() {
    return { inputs: this.guessed ? "" : this.first.value, second: this.second.value };
  }

  /** Puts a guess where nothing was written, and says below what is wrong with what was. @param {Api.Look|null} look */
  show(look) {
    const empty = this.first.value.trim() === "" && document.activeElement !== this.first;
    const guesses = look?.guesses ?? [];
    if (this.guessed && !guesses.length) this.first.value = "";
    if (this.guessed || empty) {
      if (look && guesses.length) this.first.value = look.guessed;
      this.markGuess(guesses.length > 0, guesses);
    }
    for (const name of /** @type {InputsName[]} */ (["inputs", "second_inputs"])) {
      const wrong = look?.problems.find(({ field }) => field === name);
      if (wrong) this.fail(name, wrong.message, { go: false, offset: wrong.offset });
    }
  }

  /** @param {boolean} on @param {Api.Guess[]} [guesses] */
  markGuess(on, guesses = []) {
    this.guessed = on;
    this.first.classList.toggle("guessed", on);
    this.mark.hidden = this.guess.hidden = !on;
    fill(this.guess, `Guessed: ${guesses.map(({ name, why }) => (name ? `${name}, as ${why}` : why)).join("; ")}.`);
  }

  /** @param {{inputs?: string, second?: string}} values those left out stay as they are */
  write({ inputs, second }) {
    if (inputs !== undefined) {
      this.first.value = inputs;
      this.markGuess(false);
    }
    if (second !== undefined) this.second.value = second;
    this.clear();
  }

  /** The part of a capture's options that they are. @returns {{inputs?: string, second_inputs?: string}} */
  options() {
    const [inputs, second_inputs] = [this.first.value.trim(), this.second.value.trim()];
    return { ...(inputs && { inputs }), ...(second_inputs && { second_inputs }) };
  }

  /**
   * Says below a field what is wrong with it, and goes there.
   * @param {InputsName} name @param {string} message
   * @param {{go?: boolean, offset?: number, hint?: string}} [more] `offset`: characters before the fault, which is pointed at
   */
  fail(name, message, { go = true, offset = -1, hint = "" } = {}) {
    const field = name === "inputs" ? this.first : this.second;
    field.setAttribute("aria-invalid", "true");
    const words = message.replace(/^(second )?inputs(: |, )/, "").replace(/^line 1, /, "");
    fill(this.said[name], sentence(words), offset >= 0 && pointed(field.value, offset), hint && el("span", { class: "field-hint" }, ...coded(hint)));
    this.said[name].hidden = false;
    if (!go) return;
    field.focus();
    this.said[name].scrollIntoView({ block: "nearest" });
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
  return el("textarea", {
    rows: "1",
    class: "lines",
    id: name,
    name,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder,
    "aria-describedby": `${name}-error ${name}-why ${name === "inputs" ? "inputs-guess " : ""}inputs-help`,
  });
}

/** @param {string} name */
function saidOf(name) {
  return el("p", { class: "field-error error-text", id: `${name}-error`, hidden: true });
}

/** The part of a text that is at fault, marked in what stands around it. @param {string} text @param {number} offset */
function pointed(text, offset) {
  const rest = text.slice(offset);
  const tensor = /^[^[\];,\n]*(?:\[[^\]\n]*\])?(?:\s*<\s*[^\s,;\]}]+)?/.exec(rest);
  const length = Math.max(1, tensor?.[0].length ?? 0);
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(Math.max(line, offset - 24), offset);
  return el("code", { class: "at-fault" }, before, el("mark", {}, rest.slice(0, length) || " "), rest.slice(length, length + 24).split("\n")[0]);
}

/**
 * @param {HTMLTextAreaElement} field @param {string} label @param {string} why @param {HTMLElement} said
 * @param {HTMLElement} [mark] beside the label @param {HTMLElement} [below]
 */
function fieldOf(field, label, why, said, mark, below) {
  return el(
    "div",
    { class: "field-one" },
    el(
      "div",
      { class: "field-head" },
      el("label", { for: field.id }, label),
      el("span", { class: "muted", id: `${field.id}-why` }, why),
      mark,
    ),
    field,
    below,
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
