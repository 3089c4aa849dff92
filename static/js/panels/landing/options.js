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
const STATISTICS = "Min, max, mean and more of each parameter and buffer are stored; their values never.";

/**
 * @returns {{element: HTMLElement, read: () => {[name: string]: any}, write: (options: {[name: string]: any}) => void}}
 *   `read` gives only what differs from the defaults
 */
export function optionsPanel() {
  const selects = CHOICES.map((choice) => selectOf(choice));
  const meta = boxOf("meta");
  const statistics = boxOf("parameter_statistics");
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
      switchRow("Meta device", META, meta),
      switchRow("Statistics of parameters", STATISTICS, statistics),
    ),
    el(
      "fieldset",
      { class: "stages" },
      el("legend", {}, "Stages"),
      el("p", { class: "muted" }, "Fewer stages finish sooner."),
      ...stages.map(({ title, box }) => el("label", { class: "check" }, box, title)),
    ),
  );
  const read = () => readOptions(selects, [meta, statistics], stages);
  const tell = () =>
    fill(said, Object.keys(read()).length ? ` ${Object.keys(read()).join(", ")} changed` : " as torch does by default");
  element.addEventListener("change", tell);
  tell();
  return {
    element,
    read,
    write: (options) => {
      writeOptions(options, selects, [meta, statistics], stages);
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

/** What is off unless it is asked for. @param {string} name as the option is called @returns {HTMLInputElement} */
function boxOf(name) {
  return el("input", { type: "checkbox", id: `option-${name}`, name, "aria-describedby": `option-${name}-why` });
}

/** @param {string} title @param {string} why @param {HTMLInputElement} box */
function switchRow(title, why, box) {
  return el(
    "div",
    { class: "option" },
    el("span", { class: "option-title" }, title),
    el("label", { class: "check" }, box, "on"),
    el("p", { class: "muted", id: `${box.id}-why` }, why),
  );
}

/**
 * @param {HTMLSelectElement[]} selects @param {HTMLInputElement[]} switches
 * @param {{id: string, box: HTMLInputElement}[]} stages
 */
function readOptions(selects, switches, stages) {
  /** @type {{[name: string]: any}} */
  const options = {};
  for (const select of selects) if (select.selectedIndex > 0) options[select.name] = select.value;
  for (const { name, checked } of switches) if (checked) options[name] = true;
  const chosen = stages.filter(({ box }) => box.checked).map(({ id }) => id);
  if (chosen.length < stages.length) options.stages = chosen;
  return options;
}

/**
 * @param {{[name: string]: any}} options @param {HTMLSelectElement[]} selects @param {HTMLInputElement[]} switches
 * @param {{id: string, box: HTMLInputElement}[]} stages
 */
function writeOptions(options, selects, switches, stages) {
  for (const select of selects) select.value = options[select.name] ?? select.options[0].value;
  for (const box of switches) box.checked = options[box.name] === true;
  for (const { id, box } of stages) box.checked = !options.stages || options.stages.includes(id);
}
