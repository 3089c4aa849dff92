// The trace tab: the nodes that were traced, graph by graph, and the tensors saved for the backward among them.

import { OP } from "../../model/graph.js";
import { bytesOf, endsOf, savedAmong } from "../../model/trace/list.js";
import { traceKey, traceWords } from "../../model/trace/trace.js";
import { active, drawer, graphs, hovered, panes, trace } from "../../state.js";
import { hover, openNodes } from "../../state/kin.js";
import { answers, listedTrace, tracedIn } from "../../state/trace.js";
import { button, el, fill } from "../dom.js";
import { bytes, count, counted, sentence } from "../format.js";
import { nodeTitle } from "../details/several.js";
import { swatch } from "../pane/legend.js";
import { filterField } from "./filter.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/trace/list.js").Tensor} Tensor
 */

/** @param {HTMLElement} host */
export function mountTrace(host) {
  let shown = "";
  const show = () => {
    if (drawer.get() !== "trace") return;
    const now = listedTrace();
    const parts = now ? partsOf(now) : [];
    const key = JSON.stringify([now, parts.map(({ model, nodes }) => [model.id, nodes.length]), now && failure(now)]);
    if (key === shown) return;
    shown = key;
    fill(host, ...(now ? listOf(now, parts) : [nothing()]));
    host.scrollTop = 0;
  };
  for (const each of [drawer, trace, panes, active, graphs, answers]) each.subscribe(show);
  show();
}

function nothing() {
  const words =
    "Select a node and choose Ancestors, Descendants, Gradient path or Path to… in its details: what is found is listed here.";
  return el("p", { class: "empty muted" }, words);
}

/** @param {import("../../state.js").Trace} now @returns {{model: GraphModel, nodes: Int32Array}[]} the graphs in which something was found */
function partsOf(now) {
  return [...graphs.get().values()].flatMap((model) => {
    const nodes = tracedIn(now, model);
    return nodes?.length ? [{ model, nodes }] : [];
  });
}

/** @param {import("../../state.js").Trace} now @returns {string} */
function failure(now) {
  const answer = answers.get().get(traceKey(now));
  return answer instanceof Error ? answer.message : "";
}

/** @param {import("../../state.js").Trace} now @param {{model: GraphModel, nodes: Int32Array}[]} parts */
function listOf(now, parts) {
  const head = el("h3", { class: "trace-title" }, sentence(traceWords(now)).replace(/\.$/, ""));
  if (parts.length === 0) return [head, el("p", { class: "muted" }, failure(now) || "Nothing was found.")];
  return [head, ...parts.flatMap(({ model, nodes }) => partOf(model, nodes))];
}

/** @param {GraphModel} model @param {Int32Array} nodes */
function partOf(model, nodes) {
  const ends = endsOf(model, nodes).map(([kind, many]) => counted(many, kind));
  const saved = savedAmong(model, nodes);
  const body = el("tbody", {});
  const filter = filterField(`Filter the nodes of ${model.id}`, body);
  filter.over(
    Array.from(nodes, (node) => ({
      text: [model.name[node], model.targetOf(node), model.typeOf(node), model.modulePathOf(node)].join(" "),
      make: () => nodeRow(model, node),
    })),
  );
  return [
    el(
      "p",
      { class: "trace-sum" },
      button(`${counted(nodes.length, "node")} of ${model.id}`, {
        class: "link",
        title: "Select them all",
        onclick: () => openNodes(model.id, nodes),
      }),
      ends.length > 0 && el("span", { class: "muted" }, ` with ${ends.join(", ")}`),
    ),
    saved.length > 0 && savedTable(model, saved),
    filter.field,
    el("table", { class: "facts-table trace-nodes" }, headOf(["No.", "Node", "Operator", "Value", "Bytes", "Module"]), body),
  ];
}

/** @param {string[]} names */
function headOf(names) {
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      ...names.map((name) => el("th", { scope: "col", class: name === "Bytes" || name === "No." ? "number" : null }, name)),
    ),
  );
}

/** @param {GraphModel} model @param {Tensor[]} saved */
function savedTable(model, saved) {
  const open = saved.length <= 12;
  return el(
    "details",
    { class: "trace-saved", open },
    el("summary", {}, `${counted(saved.length, "saved tensor")}, ${bytes(bytesOf(saved))}`),
    el(
      "table",
      { class: "facts-table" },
      headOf(["Tensor", "dtype", "Shape", "Bytes"]),
      el(
        "tbody",
        {},
        ...saved.map((tensor) =>
          el(
            "tr",
            {},
            el("td", {}, link(model, tensor.node)),
            el("td", {}, el("code", {}, tensor.dtype)),
            el("td", {}, el("code", {}, tensor.shape)),
            bytesCell(tensor.bytes),
          ),
        ),
      ),
    ),
  );
}

/** @param {GraphModel} model @param {number} node */
function nodeRow(model, node) {
  return el(
    "tr",
    { onpointerenter: () => hover(model.id, [node]), onpointerleave: () => hovered.set(null) },
    el("td", { class: "number muted" }, count(node)),
    el("td", {}, link(model, node)),
    el(
      "td",
      {},
      el(
        "span",
        { class: "trace-op" },
        swatch(model.kindOf(node)),
        el("code", {}, model.op[node] < OP.CALL_FUNCTION ? model.kindOf(node) : model.targetOf(node)),
      ),
    ),
    el("td", {}, el("code", {}, model.typeOf(node))),
    bytesCell(model.bytes[node]),
    el("td", { class: "muted" }, model.modulePathOf(node)),
  );
}

/** @param {GraphModel} model @param {number} node */
function link(model, node) {
  return button(nodeTitle(model, node), {
    class: "link node-link",
    title: `Select ${model.name[node]} of ${model.id}`,
    onclick: () => openNodes(model.id, [node]),
  });
}

/** @param {number} value -1: not known */
function bytesCell(value) {
  return el(
    "td",
    { class: "number", title: value < 0 ? "Not a tensor, or its size depends on symbols" : `${count(value)} bytes` },
    value < 0 ? "" : bytes(value),
  );
}
