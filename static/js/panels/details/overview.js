// Nothing selected: the graph itself, what goes in and what comes out.

import { capture } from "../../state.js";
import { graphOf, stageOf } from "../../model/capture.js";
import { button, el } from "../dom.js";
import { count, counted, sentence, stageTitle } from "../format.js";
import { select } from "../../state.js";
import { lineOf } from "../pane/explain.js";
import { bodyPart } from "../bodies/details.js";
import { nodeRow, tally } from "./several.js";
import { longList, pairs, section } from "./parts.js";
import { replayPart } from "../replay/details.js";
import { shapesPart } from "../shapes/symbols.js";

/** @typedef {import("../../model/graph.js").GraphModel} GraphModel */

const FOLDED = ["parameter", "buffer", "constant"];

/** @param {GraphModel} model */
export function overview(model) {
  const all = [...Array(model.count).keys()];
  const of = (/** @type {string[]} */ kinds) => all.filter((node) => kinds.includes(model.kindOf(node)) && model.op[node] < 2);
  const inputs = all.filter((node) => model.op[node] === 0 && !FOLDED.includes(model.kindOf(node)));
  const held = of(FOLDED);
  const now = capture.get();
  const stage = now && stageOf(now, model.id);
  const head = now && graphOf(now, model.id);
  return el(
    "div",
    { class: "node-details" },
    el(
      "header",
      { class: "node-head" },
      el("h2", {}, stageTitle(model.stage), head?.parent ? ` · ${model.title}` : ""),
      el("p", { class: "muted" }, model.id),
    ),
    pairs([
      ["nodes", count(model.count)],
      ["edges", count(model.edges.count)],
      ["modules", model.modules.length > 1 ? count(model.modules.length - 1) : ""],
      ["note", [stage?.reason ?? "", ...(stage?.notes ?? [])].filter(Boolean).map(sentence).join(" ")],
    ]),
    shapesPart(stage, lineOf),
    bodyPart(model.id),
    replayPart(head ?? null),
    section(counted(inputs.length, "input"), inputs.length > 0 && longList(inputs, 12, (node) => nodeRow(model, node))),
    section(
      counted(held.length, "parameter and constant", "parameters, buffers, constants"),
      held.length > 0 && longList(held, 6, (node) => nodeRow(model, node)),
    ),
    returnsOf(model),
    section(
      "Operators",
      tally(
        model,
        all.filter((node) => model.op[node] >= 2 && model.op[node] < 5),
      ),
    ),
    el(
      "p",
      { class: "muted tip" },
      "Click a node for everything about it; double-click a group to open it; press ? for the keys.",
    ),
  );
}

/** @param {GraphModel} model */
function returnsOf(model) {
  const { returns } = model;
  if (!returns.length) return null;
  return section(
    counted(returns.length, "output"),
    longList(returns, 12, ([node, kind, name]) => {
      const what = [kind.replace(/_/g, " "), name].filter(Boolean).join(" ");
      if (node < 0) return el("span", { class: "muted" }, `a constant (${what})`);
      const row = button("", { class: "node-row", onclick: () => select(model.id, [model.name[node]]) });
      row.append(el("span", { class: "cut" }, model.name[node]), el("span", { class: "muted cut" }, what));
      return row;
    }),
  );
}
