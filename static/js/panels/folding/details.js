// In the details of a block or of a node of one: that there are others like it, and whether one is drawn for all.

import { withFold } from "../../model/folding/folds.js";
import { alikeOf, foldFacts, rowWith } from "../../model/folding/facts.js";
import { panes, select, setPane } from "../../state.js";
import { button, el } from "../dom.js";
import { section } from "../details/parts.js";
import { unfoldedWith } from "./menu.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/folding/facts.js").Row} Row
 */

/** Of a selected group. @param {GraphModel} model as captured @param {string} path of the group */
export function blockPart(model, path) {
  const row = rowWith(model, path);
  return row && section("Identical blocks", el("p", {}, `One of ${row.times}: ${row.words}.`), el("p", { class: "group-acts" }, drawButton(model, row)));
}

/** Of a selected node. @param {GraphModel|undefined} model as captured @param {number} node */
export function alikePart(model, node) {
  const alike = model && alikeOf(model, node);
  if (!model || !alike) return null;
  const { row, nodes } = alike;
  const all = () =>
    select(
      model.id,
      nodes.map((each) => model.name[each]),
    );
  return section(
    "Identical blocks",
    el("p", {}, `It stands in one of ${row.times}: ${row.words}.`),
    el("p", { class: "group-acts" }, button(`Select it in all ${row.times}`, { class: "small", onclick: all }), " ", drawButton(model, row)),
  );
}

/** Draws the row block by block, or once again, in every pane that shows the graph. @param {GraphModel} model @param {Row} row */
function drawButton(model, row) {
  const showing = () => panes.get().filter((pane) => pane.show === model.id);
  const once = () => showing().some((pane) => isOnce(pane, row));
  const draw = () => {
    const each = once();
    panes.get().forEach((pane, i) => pane.show === model.id && setPane(i, drawn(model, pane, row, each)));
  };
  const item = button("", { class: "small", onclick: draw });
  const word = () => {
    item.textContent = once() ? `Draw all ${row.times}` : "Draw only one";
    item.title = once() ? "Draw every block by itself" : "Draw one block for all of them";
    item.disabled = showing().length === 0;
  };
  const leave = panes.subscribe(() => (item.isConnected ? word() : leave()));
  word();
  return item;
}

/** @param {import("../../state.js").PaneView} pane @param {Row} row */
function isOnce(pane, row) {
  return pane.folds.includes("repeats") && !pane.unfolded.includes(row.path);
}

/** @param {GraphModel} model @param {import("../../state.js").PaneView} pane @param {Row} row @param {boolean} each block by block */
function drawn(model, pane, row, each) {
  if (pane.folds.includes("repeats")) return { unfolded: unfoldedWith(pane.unfolded, row.path, each) };
  const others = foldFacts(model).rows.filter((other) => other !== row);
  return { folds: withFold(pane.folds, "repeats", true), unfolded: others.map(({ path }) => path) };
}
