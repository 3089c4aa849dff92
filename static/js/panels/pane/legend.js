// The legend: what the colours stand for, with counts; a click selects all nodes of a kind.

import { select } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";

/** @typedef {import("../../model/graph.js").GraphModel} GraphModel */

/** @param {HTMLElement} host @param {GraphModel} model */
export function showLegend(host, model) {
  const counts = new Uint32Array(model.kinds.length);
  for (const kind of model.kind) counts[kind]++;
  const present = [...counts.keys()].filter((kind) => counts[kind] > 0);
  fill(
    host,
    el("h3", {}, "Colours"),
    el("ul", { class: "plain" }, ...present.map((kind) => el("li", {}, row(model, kind, counts[kind])))),
  );
}

/** @param {GraphModel} model @param {number} kind @param {number} nodes */
function row(model, kind, nodes) {
  const item = button("", {
    class: "legend-row",
    title: `Select all ${nodes}`,
    onclick: () =>
      select(
        model.id,
        model.name.filter((_, i) => model.kind[i] === kind),
      ),
  });
  item.append(swatch(model.kinds[kind]), model.kinds[kind], el("span", { class: "muted" }, count(nodes)));
  return item;
}

/** A small square in a kind's colour. @param {string} kind */
export function swatch(kind) {
  const square = el("span", { class: "swatch", "aria-hidden": "true" });
  square.style.background = `var(--kind-${CSS.escape(kind)})`;
  return square;
}
