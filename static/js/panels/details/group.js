// A selected group: the module, and what is in it.

import { nodesInside } from "../../model/kin/inside.js";
import { groupTexts } from "../../model/texts.js";
import { treeWith } from "../../state.js";
import { isolateNear, toggleGroup } from "../../state/trace.js";
import { button, el } from "../dom.js";
import { blockPart } from "../folding/details.js";
import { kinPart } from "./kin.js";
import { nodeRow, tally } from "./several.js";
import { longList, pairs, section } from "./parts.js";

/** @typedef {import("../../model/graph.js").GraphModel} GraphModel */

/** @param {GraphModel} model @param {string} path as in the group tree */
export function groupDetails(model, path) {
  const tree = treeWith(model, path);
  const index = tree.path.indexOf(path);
  if (index < 0) return el("p", { class: "empty muted" }, `${model.id} has no group ${path}.`);
  const group = Math.max(tree.shown[index], 0) || index;
  const inside = nodesInside(tree, index);
  const module = tree.module[index];
  return el(
    "div",
    { class: "node-details" },
    el(
      "header",
      { class: "node-head" },
      el("h2", {}, tree.chain[index] >= 0 ? tree.title[index] : tree.op[index] < 0 ? model.modules[module].path || "(root)" : model.calls[tree.op[index]].op),
      el("p", { class: "muted" }, groupTexts(tree, group).detail),
    ),
    el(
      "p",
      { class: "group-acts" },
      button("Open or close this group", { class: "small", onclick: () => toggleGroup(model.id, tree.path[group]) }),
      " ",
      button("Neighbourhood", {
        class: "small",
        title: "Draw only this group and what is one step around it (i)",
        onclick: () => isolateNear(model.id, [], tree.path[index]),
      }),
    ),
    tree.op[index] >= 0 && originalOp(model, model.calls[tree.op[index]]),
    blockPart(model, path),
    kinPart(model.id),
    section(
      "Module",
      pairs([
        ["path", tree.op[index] < 0 ? "" : model.modules[module].path || "(root)"],
        ["class", model.modules[module].cls],
        ["half", tree.backward[index] ? "backward" : ""],
      ]),
    ),
    section("By operator", tally(model, inside)),
    section(
      "Nodes",
      longList(inside, 60, (node) => nodeRow(model, node)),
    ),
  );
}

/** What these nodes were decomposed from. @param {GraphModel} model @param {import("../../model/types.js").OriginalCall} call */
function originalOp(model, call) {
  const stage = model.stage === "core_aten" ? "exported" : "Dynamo";
  return section(
    "Original op",
    pairs([
      ["op", call.op],
      ["node", `${call.name}, in the ${stage} graph`],
      ["part", call.backward ? "what computes its gradients" : ""],
    ]),
  );
}
