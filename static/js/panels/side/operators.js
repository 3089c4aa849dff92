// The operators tab: which operators the active graph calls, and how often. A click selects all their nodes.

import { drawer, hovered, onActiveGraph, select, selectedIn } from "../../state.js";
import { hover, kinIn, onKin } from "../../state/kin.js";
import { button, el, fill, refill } from "../dom.js";
import { count, counted } from "../format.js";
import { swatch } from "../pane/swatch.js";

/** @typedef {import("../../model/graph.js").GraphModel} GraphModel */

const FIRST_CALL = 2; // call_function, call_method, call_module
const OUTPUT = 5;

/** @param {HTMLElement} host */
export function mountOperators(host) {
  let byName = false;
  /** @type {GraphModel|null} */
  let model = null;
  const show = () => {
    if (!model) return fill(host, el("p", { class: "empty muted" }, "The operators of a graph are listed here."));
    const rows = operatorsOf(model);
    rows.sort((a, b) => (byName ? 0 : b.nodes.length - a.nodes.length) || a.target.localeCompare(b.target));
    const head = (/** @type {string} */ text, /** @type {boolean} */ names) =>
      el(
        "th",
        { scope: "col", "aria-sort": byName === names ? (names ? "ascending" : "descending") : null },
        button(text, {
          class: "sort",
          title: `Sort by ${names ? "name" : "count"}`,
          onclick: () => {
            byName = names;
            show();
          },
        }),
      );
    refill(
      host,
      el("p", { class: "ops-all" }, button("All stages side by side", { class: "link", onclick: () => drawer.set("operators") })),
      el(
        "table",
        { class: "ops" },
        el("thead", {}, el("tr", {}, head(counted(rows.length, "operator"), true), head("Nodes", false))),
        el("tbody", {}, ...rows.map((row) => rowOf(/** @type {GraphModel} */ (model), row))),
      ),
    );
    mark();
  };
  const mark = () => {
    const targetsOf = (/** @type {ArrayLike<number>} */ nodes) => new Set(Array.from(nodes, (node) => model?.targetOf(node)));
    const own = targetsOf(selectedIn(model));
    const kin = targetsOf((model && kinIn(model)?.kin.exact) ?? []);
    for (const row of host.querySelectorAll("tr[data-op]")) {
      const target = row.getAttribute("data-op") ?? "";
      row.classList.toggle("is-selected", own.has(target));
      row.classList.toggle("is-kin", kin.has(target));
    }
  };
  onActiveGraph((next) => {
    model = next;
    show();
  });
  onKin(mark);
}

/** @param {GraphModel} model */
function operatorsOf(model) {
  /** @type {Map<number, {target: string, kind: string, nodes: number[]}>} */
  const found = new Map();
  for (let i = 0; i < model.count; i++) {
    if (model.op[i] < FIRST_CALL || model.op[i] === OUTPUT) continue;
    const row = found.get(model.target[i]) ?? { target: model.targetOf(i), kind: model.kindOf(i), nodes: [] };
    row.nodes.push(i);
    found.set(model.target[i], row);
  }
  return [...found.values()];
}

/** @param {GraphModel} model @param {{target: string, kind: string, nodes: number[]}} row */
function rowOf(model, { target, kind, nodes }) {
  const name = button("", {
    class: "op-name",
    title: `${kind}: select all ${nodes.length}`,
    onpointerenter: () => hover(model.id, nodes),
    onpointerleave: () => hovered.set(null),
    onclick: () =>
      select(
        model.id,
        nodes.map((i) => model.name[i]),
      ),
  });
  name.append(swatch(kind), el("span", { class: "cut" }, target));
  return el("tr", { "data-op": target }, el("td", {}, name), el("td", { class: "number" }, count(nodes.length)));
}
