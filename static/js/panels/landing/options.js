// What may be chosen about a capture, each with one line of why. Folded away: the defaults are what plain torch does.

import { el, fill } from "../dom.js";
import { STAGES } from "../format.js";

/** The stages that are made by running a submission. */
const RUN = Object.entries(STAGES).filter(([, { logged, scripted }]) => !logged && !scripted);

/** @typedef {{name: string, label: string, why: string, choices: [string, string][]}} Choice */

/** @type {Choice[]} */
const CHOICES = [
  {
    name: "mode",
    label: "Mode",
    why: "Dropout and batch norm differ between training and evaluation.",
    choices: [
      ["as_written", "as written"],
      ["train", "train()"],
      ["eval", "eval()"],
    ],
  },
  {
    name: "decompositions",
    label: "Decompositions",
    why: "Of joint, forward and backward. None is what torch.compile hands a backend.",
    choices: [
      ["none", "none"],
      ["core_aten", "core ATen"],
    ],
  },
  {
    name: "partitioner",
    label: "Partitioner",
    why: "How the joint graph is split: recompute cheap values, or save them all.",
    choices: [
      ["min_cut", "min-cut"],
      ["default", "default"],
    ],
  },
];

const META = "Parameters without data: for models larger than the memory. Nothing is computed.";

/**
 * @returns {{element: HTMLElement, read: () => {[name: string]: any}, write: (options: {[name: string]: any}) => void}}
 *   `read` gives only what differs from the defaults
 */
export function optionsPanel() {
  const selects = CHOICES.map((choice) => selectOf(choice));
  const meta = el("input", { type: "checkbox", id: "option-meta", "aria-describedby": "option-meta-why" });
  const stages = RUN.map(([id, { title }]) => ({
    id,
    title,
    box: el("input", { type: "checkbox", checked: true, value: id }),
  }));
  const said = el("span", { class: "muted" });
  const element = el(
    "details",
    { class: "options", id: "options" },
    el("summary", {}, "Options", said),
    el(
      "div",
      { class: "option-grid" },
      ...CHOICES.map((choice, i) => row(`option-${choice.name}`, choice.label, choice.why, selects[i])),
      el(
        "div",
        { class: "option" },
        el("span", { class: "option-title" }, "Meta device"),
        el("label", { class: "check" }, meta, "on"),
        el("p", { class: "muted", id: "option-meta-why" }, META),
      ),
    ),
    el(
      "fieldset",
      { class: "stages" },
      el("legend", {}, "Stages"),
      el("p", { class: "muted" }, "Fewer stages finish sooner."),
      ...stages.map(({ title, box }) => el("label", { class: "check" }, box, title)),
    ),
  );
  const read = () => readOptions(selects, meta, stages);
  const tell = () =>
    fill(said, Object.keys(read()).length ? ` ${Object.keys(read()).join(", ")} changed` : " as torch does by default");
  element.addEventListener("change", tell);
  tell();
  return {
    element,
    read,
    write: (options) => {
      writeOptions(options, selects, meta, stages);
      tell();
    },
  };
}

/** @param {Choice} choice */
function selectOf(choice) {
  return el(
    "select",
    { id: `option-${choice.name}`, name: choice.name, "aria-describedby": `option-${choice.name}-why` },
    ...choice.choices.map(([value, text]) => el("option", { value }, text)),
  );
}

/** @param {string} id @param {string} label @param {string} why @param {HTMLElement} control */
function row(id, label, why, control) {
  return el(
    "div",
    { class: "option" },
    el("label", { for: id }, label),
    control,
    el("p", { class: "muted", id: `${id}-why` }, why),
  );
}

/**
 * @param {HTMLSelectElement[]} selects @param {HTMLInputElement} meta @param {{id: string, box: HTMLInputElement}[]} stages
 */
function readOptions(selects, meta, stages) {
  /** @type {{[name: string]: any}} */
  const options = {};
  for (const select of selects) if (select.selectedIndex > 0) options[select.name] = select.value;
  if (meta.checked) options.meta = true;
  const chosen = stages.filter(({ box }) => box.checked).map(({ id }) => id);
  if (chosen.length < stages.length) options.stages = chosen;
  return options;
}

/**
 * @param {{[name: string]: any}} options @param {HTMLSelectElement[]} selects @param {HTMLInputElement} meta
 * @param {{id: string, box: HTMLInputElement}[]} stages
 */
function writeOptions(options, selects, meta, stages) {
  for (const select of selects) select.value = options[select.name] ?? select.options[0].value;
  meta.checked = options.meta === true;
  for (const { id, box } of stages) box.checked = !options.stages || options.stages.includes(id);
}
