// Which model is captured: what the rules find in the code, a class of it with the arguments it is made with, or a function.

import { coded, el, fill } from "../../dom.js";
import { sentence } from "../../format.js";
import { choicesOf, constructText, missing, signatureText, valuesOf } from "./construct.js";

const LITERALS = "Arguments are Python: 10, 0.5, True, 'gelu', (3, 3), or any expression of the file's names.";

/** The part of the form about the model. `onChange` is called when a person changed something. */
export class ModelPanel {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Api.Look|null} */
    this.look = null;
    this.text = ""; // the option as it came, until a look has taken it apart
    this.name = ""; // the class or function that is chosen
    this.chosen = false; // by a person, not because there is just one
    /** @type {{[name: string]: string}} */
    this.values = {};
    this.rule = el("p", { class: "model-rule", id: "model-rule", "aria-live": "polite" }, "Reading the code…");
    this.select = el("select", { id: "construct-class", "aria-describedby": "model-rule", onchange: () => this.choose() });
    this.row = el("div", { class: "model-row", hidden: true }, el("label", { for: "construct-class" }, "Model"), this.select);
    this.grid = el("div", { class: "model-arguments", role: "group", "aria-label": "Constructor arguments" });
    this.said = el("p", { class: "field-error error-text", id: "construct-error", hidden: true });
    this.element = el("div", { class: "field model" }, this.rule, this.row, this.grid, this.said);
  }

  /** @returns {string} the option `construct`; "" for what the rules find */
  read() {
    if (this.text) return this.text;
    const cls = this.cls();
    const asked = cls && !this.chosen && missing(cls, this.values).length > 0; // of the form, not of a person: no answer yet
    return cls && !asked ? constructText(cls, this.values) : "";
  }

  /** The option as it was kept. @param {string} text */
  write(text) {
    this.text = text;
    this.name = "";
    this.chosen = text !== "";
    this.values = {};
    this.said.hidden = true;
    this.grid.dataset.shape = "?"; // the fields are made anew
  }

  /** @param {Api.Look|null} look null: nothing is known @param {string} [refused] and why */
  show(look, refused = "") {
    this.look = look;
    if (!look) return this.unknown(refused);
    this.settle(look);
    fill(this.rule, ...ruleWords(look, this.name));
    this.rule.classList.toggle("asks", look.needs.includes("construct") || look.needs.includes("entry"));
    this.fillClasses(look);
    const wrong = look.problems.find(({ field }) => field === "construct");
    if (wrong) this.fail(wrong.message, false);
    else this.said.hidden = true;
  }

  /** Keeps its place, so that nothing below it moves when something is known again. @param {string} refused */
  unknown(refused) {
    const said = refused ? { class: "error-text" } : { class: "muted" };
    fill(this.rule, el("span", said, ...coded(refused || "What would be captured is not known yet.")));
    this.rule.classList.remove("asks");
    this.row.hidden = true;
    fill(this.grid);
    this.grid.dataset.shape = "?";
    this.said.hidden = true;
  }

  /** Takes up the kept option, and the only class where one has to be chosen. @param {Api.Look} look */
  settle(look) {
    const made = look.construct;
    const cls = this.text && made && choicesOf(look).find((each) => each.name === made.name && each.made === made.called);
    if (cls && made) {
      this.name = cls.name;
      this.values = valuesOf(cls, made);
      this.text = "";
    }
    if (this.name && choicesOf(look).length && !this.cls()) this.write("");
    if (!this.chosen && !this.text) this.name = look.needs.includes("construct") && look.outermost.length === 1 ? look.outermost[0] : "";
  }

  /** @returns {import("./construct.js").Choice|undefined} */
  cls() {
    return this.look ? choicesOf(this.look).find(({ name }) => name === this.name) : undefined;
  }

  /** @param {Api.Look} look */
  fillClasses(look) {
    const choices = choicesOf(look);
    const functions = choices.filter(({ made }) => !made).map(option);
    const classes = choices.filter(({ made }) => made).map(option);
    const none = !look.needs.includes("construct") ? "As found in the code" : classes.length ? "Choose the class…" : "Choose the function…";
    const free = this.text ? [el("option", { value: "=", selected: true }, this.text)] : [];
    const both = classes.length > 0 && functions.length > 0;
    const groups = [el("optgroup", { label: "Classes" }, ...classes), el("optgroup", { label: "Functions" }, ...functions)];
    fill(this.select, el("option", { value: "" }, none), ...free, ...(both ? groups : [...classes, ...functions]));
    this.select.value = this.text ? "=" : this.name;
    this.row.hidden = choices.length === 0 && !this.text;
    this.fillArguments();
  }

  /** The fields stay where they are while the same class is shown: somebody may be typing in one. */
  fillArguments() {
    const cls = this.cls();
    const shape = cls ? signatureText(cls) : "";
    if (this.grid.dataset.shape === shape) return;
    this.grid.dataset.shape = shape;
    const fields = (cls?.constructor ?? []).map((parameter) => this.field(parameter));
    fill(this.grid, ...fields, fields.length > 0 && el("p", { class: "muted model-literals", id: "construct-why" }, LITERALS));
  }

  /** @param {Api.Parameter} parameter */
  field({ name, kind, annotation, default: value, required }) {
    const id = `construct-${name}`;
    const input = el("input", {
      type: "text",
      id,
      value: this.values[name] ?? "",
      placeholder: required ? "needed" : value,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": "construct-error construct-why",
      "aria-required": required ? "true" : null,
      oninput: () => {
        this.values[name] = input.value;
        this.chosen = true;
        input.removeAttribute("aria-invalid");
        this.onChange();
      },
    });
    const stars = kind === "rest" ? "*" : kind === "words" ? "**" : "";
    const label = el("label", { for: id }, `${stars}${name}`);
    return el("div", { class: "model-argument" }, el("div", { class: "field-head" }, label, annotation && el("span", { class: "muted" }, annotation)), input);
  }

  choose() {
    const name = this.select.value;
    if (name === "=") return;
    this.write("");
    this.name = name;
    this.chosen = name !== "";
    this.fillArguments();
    this.onChange();
  }

  /** Whether everything that has to be given is; if not, it says so and goes there. @returns {boolean} */
  complete() {
    const cls = this.text ? undefined : this.cls();
    const [name] = cls ? missing(cls, this.values) : [];
    if (!cls || !name) return true;
    this.fail(`${cls.name} needs ${missing(cls, this.values).join(", ")}: fill ${missing(cls, this.values).length > 1 ? "them" : "it"} in`, false);
    const input = /** @type {HTMLInputElement} */ (this.grid.querySelector(`#${CSS.escape(`construct-${name}`)}`));
    input.setAttribute("aria-invalid", "true");
    input.focus();
    return false;
  }

  /** @param {string} message @param {boolean} [go] */
  fail(message, go = true) {
    fill(this.said, sentence(message));
    this.said.hidden = false;
    if (go) (/** @type {HTMLElement} */ (this.grid.querySelector("input") ?? this.select)).focus();
  }
}

/** @param {import("./construct.js").Choice} choice */
function option(choice) {
  return el("option", { value: choice.name }, signatureText(choice));
}

/** @param {Api.Look} look @param {string} name of the class that is chosen @returns {(Node|string)[]} */
function ruleWords(look, name) {
  const wrong = look.problems.find(({ field }) => field === "code");
  if (wrong) return [`Python can not read the code${wrong.line ? `: line ${wrong.line}, ${wrong.message}` : ""}.`];
  if (look.needs.includes("entry")) return [`Several files could be meant: ${look.entries.join(", ")}. Choose the one to capture above.`];
  if (!look.rule && name) return [el("strong", {}, name), " is captured, made with these arguments."];
  if (!look.rule) return coded(sentence(look.rule_text));
  return [el("span", { class: "muted" }, "Captures "), ...coded(look.rule_text), "."];
}
