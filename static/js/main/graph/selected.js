// The selection on the canvas of one graph: what is chosen there goes to the page, what is chosen elsewhere is shown and gone to.

import { groupByPath, openPathTo } from "../../model/groups.js";
import { selectGroup, selectedIn, selection, setOpen } from "../../state.js";
import { choose } from "../drawn.js";
import { MOST_OPENED } from "./lit.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("./content.js").GraphContent} GraphContent
 */

/** Shows the selection, and goes to it when it was made elsewhere. @param {GraphContent} content @param {GraphModel} model */
export function followSelection(content, model) {
  const { view, own } = content;
  const now = selection.get();
  const nodes = selectedIn(model);
  const group = selectedGroup(content, model);
  view?.setSelection(nodes, group);
  if (now === content.selected) return;
  content.selected = now;
  content.own = false;
  if (own || now?.gid !== model.id || opensGroups(content, model, nodes)) return;
  if (nodes.length > 1 && nodes.length <= MOST_OPENED) view?.revealAll(nodes);
  else if (nodes.length) view?.reveal(nodes[0]);
  else if (group >= 0) view?.revealGroup(group);
}

/** Whether groups around some nodes were closed: then they are opened, and the nodes gone to once that is laid out. @param {GraphContent} content @param {GraphModel} model @param {number[]} nodes */
function opensGroups(content, model, nodes) {
  if (nodes.length > MOST_OPENED || !content.open) return false;
  const tree = content.treeOf(model);
  const open = nodes.reduce((now, node) => openPathTo(tree, now, node), content.open);
  if (open === content.open) return false;
  content.selected = undefined;
  setOpen(content.index, model, open);
  return true;
}

/** @param {GraphContent} content @param {GraphModel} model @returns {number} -1: none of this graph */
export function selectedGroup(content, model) {
  const now = selection.get();
  if (now?.gid !== model.id || now.group === null) return -1;
  const tree = content.treeOf(model);
  const group = groupByPath(tree, now.group);
  return group < 0 ? -1 : tree.shown[group];
}

/** Nodes were chosen on the canvas. @param {GraphContent} content @param {number[]} nodes @param {boolean} add */
export function choseNodes(content, nodes, add) {
  const { model } = content;
  if (!model) return;
  const names = nodes.map((node) => model.name[node]);
  choose(content, model.id, names, add, nodes[0] ?? -1);
}

/** A group was. @param {GraphContent} content @param {number} group */
export function choseGroup(content, group) {
  const { model } = content;
  if (!model) return;
  content.own = true;
  selectGroup(model.id, content.treeOf(model).path[group]);
}
