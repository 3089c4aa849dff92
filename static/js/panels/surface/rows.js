// Rows of the operators table. Every number selects the calls it counts.

import { wordsOf } from "../../base/errors.js";
import { getLinks } from "../../api.js";
import { capture, tell } from "../../state.js";
import { openNodes } from "../../state/kin.js";
import { need, openOperators } from "../../state/need.js";
import { button, el } from "../dom.js";
import { count, counted, stageTitle } from "../format.js";
import { swatch } from "../pane/swatch.js";
import { callsOf, shortName } from "./sorted.js";

/** @typedef {import("./sorted.js").Row} Row */

/** What an operator became is spelled out so far; the rest on demand. */
const MOST_INTO = 6;

/** @param {Api.TargetOperators} target */
export function headOf(target) {
  const cells = target.stages.map((stage) =>
    el(
      "th",
      { scope: "col", class: "number" },
      stageTitle(stage.id),
      el("span", { class: "surface-sum" }, `${count(stage.distinct)} in ${counted(stage.calls, "call")}`),
      coreSum(stage),
    ),
  );
  const last = target.became.length > 0 && el("th", { scope: "col" }, "Decomposed into");
  return el("tr", {}, el("th", { scope: "col" }, "Operator"), el("th", { scope: "col" }, "Core"), ...cells, last);
}

/** @param {Api.StageOperators} stage */
function coreSum({ core, other }) {
  if (core + other === 0) return el("span", { class: "surface-sum" }, "Python");
  return el("span", { class: "surface-sum" }, other ? `${count(other)} not core` : "all core");
}

/** @param {Api.TargetOperators} target @param {Row} row */
export function rowOf(target, row) {
  const name = el("th", { scope: "row", class: "surface-name", title: row.targets.join("\n") }, swatch(row.kind), el("span", { class: "cut" }, row.label));
  return el(
    "tr",
    { class: row.left.length ? "is-left" : null },
    name,
    el("td", {}, coreMark(row)),
    ...target.stages.map((stage) => cellOf(stage, row)),
    target.became.length > 0 && el("td", {}, ...row.became.map((became) => becameOf(target, became)), ...row.left.map(whyOf)),
  );
}

/** @param {Row} row */
function coreMark({ core, left }) {
  if (core === "") return el("span", { class: "muted", title: "A function or method of Python's, not an ATen operator" }, "–");
  const mark = left.length ? "is-left" : core === "core" ? "is-core" : "";
  return el("span", { class: `core-mark ${mark}` }, core === "both" ? "some" : core);
}

/** @param {Api.StageOperators} stage @param {Row} row */
function cellOf(stage, row) {
  const operators = row.stages.get(stage.id) ?? [];
  if (!operators.length) return el("td", { class: "number muted" }, "");
  const calls = callsOf(operators);
  const names = operators.map(({ op, count: each }) => `${op} ${each}`).join("\n");
  const words = `Select ${counted(calls, "call")} in ${stageTitle(stage.id)}`;
  return el(
    "td",
    { class: "number" },
    button(count(calls), {
      class: "link",
      title: `${words}\n${names}`,
      "aria-label": `${words}: ${row.label}`,
      onclick: () => openOperators(stage.graphs, operators.map(({ op }) => op)),
    }),
  );
}

/** @param {Api.TargetOperators} target @param {Api.Became} became */
function becameOf(target, became) {
  const itself = became.into.length === 1 && became.into[0].op === became.op;
  if (itself) return el("p", { class: "muted" }, "itself");
  const links = became.into.map(({ op, count: many }) =>
    button(`${shortName(op)} ${count(many)}`, {
      class: "link node-link",
      title: `Select the ${counted(many, "call")} of ${op} made of ${became.op}`,
      onclick: () => openMade(target, became.op, op),
    }),
  );
  const line = el("p", { class: "became" }, ...links.slice(0, MOST_INTO));
  if (links.length > MOST_INTO) {
    const more = button(`and ${links.length - MOST_INTO} more`, { class: "link", onclick: () => more.replaceWith(...links.slice(MOST_INTO)) });
    line.append(more);
  }
  if (became.gone) line.append(el("span", { class: "muted" }, `${counted(became.gone, "call")} left nothing`));
  if (became.inlined) line.append(el("span", { class: "muted" }, `${counted(became.inlined, "call")} stood in a body that was inlined`));
  return line;
}

/** @param {Api.Operator} operator */
function whyOf({ op, why }) {
  return el("p", { class: "surface-why" }, el("code", {}, shortName(op)), " ", why);
}

/** Selects the calls of one operator in core_aten that were made of another in export. @param {Api.TargetOperators} target @param {string} from @param {string} into */
async function openMade(target, from, into) {
  const [exported, core] = ["export", "core_aten"].map((id) => target.stages.find((stage) => stage.id === id)?.graphs ?? []);
  try {
    const id = capture.get()?.id ?? "";
    const [before, after, links] = await Promise.all([need(exported[0]), need(core[0]), getLinks(id, exported[0], core[0])]);
    const made = new Set(
      links.exact
        .filter((/** @type {[number, number, string]} */ [i, j]) => before.targetOf(i) === from && after.targetOf(j) === into)
        .map((/** @type {[number, number, string]} */ [, j]) => j),
    );
    if (made.size) openNodes(core[0], [...made].sort((a, b) => a - b));
    else openOperators(core, [into]); // in a body
  } catch (error) {
    tell(wordsOf(error));
  }
}
