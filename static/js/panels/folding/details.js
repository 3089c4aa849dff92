// In the details of a block or of a node of one: that there are others like it, and whether one is drawn for all.

import { withFold } from "../../model/folding/folds.js";
import { alikeOf, foldFacts, rowWith } from "../../model/folding/facts.js";
import { foldedModel } from "../../model/folding/folded.js";
import { isView } from "../../model/folding/views.js";
import { panes, select, setPane } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { nodeLink, section } from "../details/parts.js";
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
  if (!model) return null;
  const host = el("div", {});
  const show = () => fill(host, notDrawn(model, node));
  const leave = panes.subscribe(() => (host.isConnected ? show() : leave())); // kept in step with what is drawn
  show();
  return el("div", {}, alike(model, node), host);
}

/** @param {GraphModel} model @param {number} node */
function alike(model, node) {
  const found = alikeOf(model, node);
  if (!found) return null;
  const { row, nodes } = found;
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

/** Where a node that is folded away is marked. @param {GraphModel} model @param {number} node */
function notDrawn(model, node) {
  const pane = panes.get().find((each) => each.show === model.id && !each.only);
  const drawn = (pane && foldedModel(model, pane).stand?.[node]) ?? node;
  if (drawn === node) return null;
  const why = isView(model, node) && pane?.folds.includes("views") ? "Views, casts and getitems are hidden" : "One block is drawn for all";
  return section("Not drawn", el("p", {}, `${why}: it is marked on `, nodeLink(model.id, model.name[drawn]), "."));
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
