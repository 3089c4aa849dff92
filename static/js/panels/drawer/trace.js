// The trace tab: the nodes that were traced, graph by graph, and the tensors saved for the backward among them.

import { OP } from "../../model/graph.js";
import { bytesOf, endsOf, savedAmong } from "../../model/trace/list.js";
import { traceKey, traceWords } from "../../model/trace/trace.js";
import { active, drawer, graphs, hovered, panes, trace } from "../../state.js";
import { hover, openNodes } from "../../state/kin.js";
import { answers, listedTrace, tracedIn } from "../../state/trace.js";
import { button, el, refill } from "../dom.js";
import { bytes, count, counted, sentence } from "../format.js";
import { nodeTitle } from "../details/several.js";
import { swatch } from "../pane/swatch.js";
import { filterField } from "./filter.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
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
    refill(host, ...(now ? listOf(now, parts) : [nothing()]));
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
  const answer = answers.get().get(traceKey(now));
  if (parts.length === 0) {
    const waiting = now.how === "gradient" && !answer;
    return [head, el("p", { class: "muted" }, failure(now) || (waiting ? "Looking for it…" : "Nothing was found."))];
  }
  const path = answer && !(answer instanceof Error) ? answer : null;
  return [head, ...(path ? pathFacts(path) : []), ...parts.flatMap(({ model, nodes }) => partOf(model, nodes, path === null))];
}

/** What the server says of a gradient path: the gradients it feeds, and the saved tensors it reads. @param {Api.Traced} path */
function pathFacts(path) {
  const model = graphs.get().get(path.path);
  const gradients = path.gradients.map(({ name, node }) =>
    button(name || (model?.name[node] ?? String(node)), {
      class: "link node-link",
      title: `Select the gradient in ${path.path}`,
      onclick: () => openNodes(path.path, [node]),
      onpointerenter: () => hover(path.path, [node]),
      onpointerleave: () => hovered.set(null),
    }),
  );
  const rows = path.saved.map((each) => ({
    name: model ? nodeLink(model, each.node, each.name) : each.name,
    dtype: each.dtype ?? each.type,
    shape: each.shape ? `[${each.shape.join(", ")}]` : "",
    bytes: each.bytes ?? -1,
  }));
  return [
    path.reason && el("p", { class: "muted" }, sentence(path.reason)),
    gradients.length > 0 &&
      el(
        "details",
        { class: "trace-saved", open: gradients.length <= 12 },
        el("summary", {}, `${counted(gradients.length, "gradient")} at its end`),
        el("p", { class: "trace-gradients" }, ...gradients.flatMap((each) => [each, " "])),
      ),
    rows.length > 0 && savedTable(rows, `${counted(rows.length, "saved tensor")}, ${bytes(path.bytes)} of storage`),
  ];
}

/** @param {GraphModel} model @param {Int32Array} nodes @param {boolean} alone nothing better is known of what is saved */
function partOf(model, nodes, alone) {
  const ends = endsOf(model, nodes).map(([kind, many]) => counted(many, kind));
  const saved = alone ? savedAmong(model, nodes) : [];
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
    saved.length > 0 &&
      savedTable(
        saved.map((tensor) => ({ ...tensor, name: link(model, tensor.node) })),
        `${counted(saved.length, "saved tensor")}, ${bytes(bytesOf(saved))}`,
      ),
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

/** @param {{name: Node|string, dtype: string, shape: string, bytes: number}[]} rows @param {string} title */
function savedTable(rows, title) {
  return el(
    "details",
    { class: "trace-saved", open: rows.length <= 12 },
    el("summary", {}, title),
    el(
      "table",
      { class: "facts-table" },
      headOf(["Tensor", "dtype", "Shape", "Bytes"]),
      el(
        "tbody",
        {},
        ...rows.map(({ name, dtype, shape, bytes: size }) =>
          el(
            "tr",
            {},
            el("td", {}, name),
            el("td", {}, el("code", {}, dtype)),
            el("td", {}, el("code", {}, shape)),
            bytesCell(size),
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
  return nodeLink(model, node, nodeTitle(model, node));
}

/** @param {GraphModel} model @param {number} node @param {string} text */
function nodeLink(model, node, text) {
  return button(text, {
    class: "link node-link",
    title: `Select ${model.name[node]} of ${model.id}`,
    onclick: () => openNodes(model.id, [node]),
    onpointerenter: () => hover(model.id, [node]),
    onpointerleave: () => hovered.set(null),
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
