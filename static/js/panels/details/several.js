// Several selected nodes: how many of which operator, and a list to pick one from.

import { OP } from "../../model/graph.js";
import { nodesByOperator } from "../../model/operators.js";
import { select } from "../../state.js";
import { button, el } from "../dom.js";
import { count } from "../format.js";
import { swatch } from "../pane/swatch.js";
import { mirrorSum } from "../mirror/details.js";
import { kinPart } from "./kin.js";
import { longList, section } from "./parts.js";
import { pathPart } from "./trace.js";

/** @typedef {import("../../model/graph.js").GraphModel} GraphModel */

/** @param {GraphModel} model @param {string[]} names */
export function severalDetails(model, names) {
  const nodes = names.map((name) => model.indexOf(name));
  return el(
    "div",
    { class: "node-details" },
    el(
      "header",
      { class: "node-head" },
      el("h2", {}, `${count(nodes.length)} nodes selected`),
      el("p", { class: "muted" }, model.id),
    ),
    pathPart(model.id, names),
    kinPart(model.id),
    mirrorSum(model.id, names),
    section("By operator", tally(model, nodes)),
    section(
      "Nodes",
      longList(nodes, 100, (node) => nodeRow(model, node)),
    ),
  );
}

/** @param {GraphModel} model @param {number} node */
export function nodeRow(model, node) {
  const row = button("", {
    class: "node-row",
    title: `${model.name[node]}: ${model.targetOf(node)}`,
    onclick: () => select(model.id, [model.name[node]]),
  });
  row.append(
    swatch(model.kindOf(node)),
    el("span", { class: "cut" }, nodeTitle(model, node)),
    el("code", { class: "muted cut" }, model.typeOf(node)),
  );
  return row;
}

/**
 * What a node is called in lists: an input or parameter by what it stands for, as in the drawing, anything else by its name.
 * @param {GraphModel} model @param {number} node
 */
export function nodeTitle(model, node) {
  const { PLACEHOLDER, GET_ATTR } = OP;
  const given = model.op[node] === PLACEHOLDER || model.op[node] === GET_ATTR;
  return given ? model.labelOf(node) : model.name[node];
}

/** @param {GraphModel} model @param {readonly number[]} nodes */
export function tally(model, nodes) {
  return longList(nodesByOperator(model, nodes), 12, ([word, its]) => {
    const row = button("", {
      class: "node-row",
      title: `Select these ${its.length}`,
      onclick: () =>
        select(
          model.id,
          its.map((node) => model.name[node]),
        ),
    });
    row.append(
      swatch(model.kindOf(its[0])),
      el("span", { class: "cut" }, word),
      el("span", { class: "muted number" }, count(its.length)),
    );
    return row;
  });
}
