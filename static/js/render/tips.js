/** What the tooltip says of a thing under the pointer: what it is, its type and size, where it leads, what a click does. */
import { bytes } from "../base/bytes.js";
import { ITEM } from "../base/scene/scene.js";
import { OP } from "../model/graph.js";
import { MAX_CHIPS, groupTexts } from "../model/texts.js";
import { carriedBy } from "./drawing.js";
import { counted, list } from "../model/outline/words.js";

/**
 * @typedef {import("./tooltip.js").TipLine} TipLine
 * @typedef {import("./drawing.js").Drawing} Drawing
 * @typedef {import("./drawing.js").GraphModel} GraphModel
 * @typedef {import("./drawing.js").Chip} Chip
 * @typedef {import("./input/pick.js").Hit} Hit
 */

/** Lines of one kind; more would not be read. */
const MOST = 6;

/** @param {string} text @returns {TipLine} */
const head = (text) => ({ text, look: "" });
/** @param {string} text @returns {TipLine} */
const type = (text) => ({ text, look: "is-type" });
/** @param {string} text @returns {TipLine} */
const detail = (text) => ({ text, look: "is-detail" });

/** @param {TipLine[]} lines */
const filled = (lines) => lines.filter(({ text }) => text !== "");

/** Of what was hit; of an edge where nothing was. @param {Drawing} drawing @param {Hit} hit @param {number} edge scene edge, or -1 @returns {TipLine[]} */
export function tipOf(drawing, hit, edge) {
  if (hit.item < 0 || hit.part === "inside") return edge < 0 ? [] : edgeTip(drawing, edge);
  const { kind, ref } = drawing.scene.items;
  if (hit.stub) return stubTip(drawing, hit.stub);
  if (hit.chip) return chipTip(drawing, hit.item, hit.chip);
  return kind[hit.item] === ITEM.NODE ? nodeTip(drawing.model, ref[hit.item]) : groupTip(drawing, hit.item, hit.part === "button");
}

/** A size where it is known. @param {GraphModel} model @param {number} node */
const sizeOf = (model, node) => (model.bytes[node] < 0 ? "" : ` · ${bytes(model.bytes[node])}`);

/** @param {GraphModel} model @param {number} node @returns {TipLine[]} */
function nodeTip(model, node) {
  const target = model.targetOf(node);
  const kind = model.kindOf(node);
  const several = model.outputs.get(node)?.length ?? 0;
  return filled([
    head(model.name[node]),
    type(model.typeOf(node) && model.typeOf(node) + sizeOf(model, node)),
    detail(target === model.name[node] ? kind : `${kind} · ${target}`),
    detail(model.modulePathOf(node)),
    detail(several > 1 ? `${several} outputs, numbered as at its edges` : ""),
    ...(model.returned.get(node) ?? []).map(({ kind: what, name }) => detail(becomes(what, name))),
    detail(model.bodies.has(node) ? "Double-click or press Enter to go into what it runs" : ""),
  ]);
}

/** What the graph returns a value for. @param {string} kind @param {string} name */
function becomes(kind, name) {
  if (kind === "gradient") return `returned as the gradient of ${name}`;
  return `returned as the new value of ${kind === "buffer_mutation" ? "the buffer " : kind === "parameter_mutation" ? "the parameter " : ""}${name}`;
}

/** @param {Drawing} drawing @param {number} item @param {Chip} chip @returns {TipLine[]} */
function chipTip({ model, scene: { items } }, item, chip) {
  const node = items.ref[item];
  switch (chip.look) {
    case "folded":
      return foldedTip(model, chip.node);
    case "body":
      return [head(chip.text), detail(`a graph that ${model.name[node]} runs`), detail("Click to go in; the names above the drawing lead back")];
    case "output":
      return outputTip(model, node, chip.output);
    case "into":
      return filled([
        head((model.returned.get(node) ?? []).map(({ kind, name }) => becomes(kind, name)).join(", ")),
        type(model.typeOf(node) + sizeOf(model, node)),
        detail(chip.node >= 0 ? `Click to select it: ${counted(model.usersOf(chip.node).length, "node")} here read it` : ""),
      ]);
    default:
      return moreTip(model, node);
  }
}

/** A folded parameter, buffer or constant, and who else reads it. @param {GraphModel} model @param {number} node @returns {TipLine[]} */
function foldedTip(model, node) {
  const users = model.usersOf(node);
  const writers = model.writers.get(node) ?? [];
  return filled([
    head(model.labelOf(node)),
    type(model.typeOf(node) + sizeOf(model, node)),
    detail(model.kindOf(node)),
    detail(`read by ${list(users.map((user) => `${model.name[user]} (argument ${slotsOf(model, node, user)})`))}`),
    detail(writers.length ? `written by ${list(writers.map((each) => model.name[each]))}` : ""),
  ]);
}

/** @param {GraphModel} model @param {number} node @param {number} user */
function slotsOf(model, node, user) {
  const { in: into, edges, strings } = model;
  const read = [...into.edge.subarray(into.start[user], into.start[user + 1])].filter((edge) => edges.src[edge] === node);
  return read.map((edge) => strings[edges.slot[edge]]).join(", ");
}

/** @param {GraphModel} model @param {number} node @param {number} output @returns {TipLine[]} */
function outputTip(model, node, output) {
  const types = model.outputs.get(node) ?? [];
  const { out, edges, name, strings } = model;
  const readers = [...out.edge.subarray(out.start[node], out.start[node + 1])].filter((edge) => edges.output[edge] === output || edges.output[edge] < 0);
  return filled([
    head(`output ${output} of ${types.length} of ${model.name[node]}`),
    type(strings[types[output]] || "None"),
    detail(readers.length ? `read by ${list(readers.map((edge) => name[edges.dst[edge]]))}` : "nothing in this graph reads it"),
  ]);
}

/** The rows that a node has no room for. @param {GraphModel} model @param {number} node @returns {TipLine[]} */
function moreTip(model, node) {
  const folded = [...model.chipsOf(node)].slice(MAX_CHIPS).map((chip) => `${model.labelOf(chip)} ${model.typeOf(chip)}`);
  const outputs = (model.outputs.get(node) ?? []).map((each, i) => `output ${i} ${model.strings[each] || "None"}`).slice(MAX_CHIPS);
  const all = [...folded, ...(outputs.length > 1 ? outputs : [])];
  const shown = all.slice(0, 2 * MOST).map(type);
  return [head(`also on ${model.name[node]}`), ...shown, ...(all.length > shown.length ? [detail(`and ${all.length - shown.length} more, in the details`)] : [])];
}

/** @param {Drawing} drawing @param {number} item @param {boolean} button @returns {TipLine[]} */
function groupTip({ tree, scene: { items } }, item, button) {
  const group = items.ref[item];
  const { title, detail: words } = groupTexts(tree, group);
  const open = items.kind[item] === ITEM.OPEN;
  const act = `${button ? "Click" : "Double-click"} to ${open ? "close" : "open"}`;
  const times = tree.times[group];
  return filled([
    head(tree.path[group] === title ? title : tree.path[group]),
    detail(words),
    detail(times > 1 ? `Drawn once for ${times} identical blocks; select it to draw all of them` : ""),
    detail(act),
  ]);
}

/** @param {Drawing} drawing @param {number} edge scene edge @returns {TipLine[]} */
export function edgeTip(drawing, edge) {
  const { model, scene: { edges } } = drawing;
  const all = carriedBy(drawing, edge);
  const lines = all.slice(0, all.length > 1 ? MOST : 1).flatMap((each) => [type(valueText(model, each)), detail(all.length > 1 ? "" : argumentText(model, each)), detail(all.length > 1 ? "" : hiddenText(model, each))]);
  return filled([
    head(`${drawing.nameOf(edges.from[edge])} → ${drawing.nameOf(edges.to[edge])}`),
    detail(all.length > 1 ? `${counted(all.length, "edge")} of the graph` : ""),
    ...lines,
    detail(all.length > MOST ? `and ${counted(all.length - MOST, "more edge")}` : ""),
  ]);
}

/** @param {GraphModel} model @param {number} edge of the graph */
function valueText(model, edge) {
  const { src, output, value = src } = model.edges;
  const count = model.outputs.get(src[edge])?.length ?? 0;
  const which = count > 1 ? (output[edge] < 0 ? ` · all ${count} outputs` : ` · output ${output[edge]} of ${count}`) : sizeOf(model, value[edge]);
  return `${model.typeOnEdge(edge)}${which}`;
}

/** The last of the hidden views that an edge leads past. @param {GraphModel} model @param {number} edge of the graph */
function hiddenText({ edges: { src, value = src }, name }, edge) {
  return value[edge] === src[edge] ? "" : `by way of ${name[value[edge]]}, which is hidden`;
}

/** @param {GraphModel} model @param {number} edge of the graph */
function argumentText({ edges, strings, name, op, returns }, edge) {
  const slot = strings[edges.slot[edge]];
  const user = edges.dst[edge];
  if (op[user] !== OP.OUTPUT) return slot ? `argument ${slot} of ${name[user]}` : "";
  const place = Number(/^0\[(\d+)\]$/.exec(slot)?.[1] ?? NaN);
  const [, kind = "", about = ""] = returns[place] ?? [];
  const what = kind === "user_output" ? "" : `: ${about && kind !== "other" ? becomes(kind, about) : kind.replaceAll("_", " ")}`;
  return Number.isNaN(place) ? "returned" : `output ${place} of the graph${kind ? what : ""}`;
}

/** @param {Drawing} drawing @param {NonNullable<Hit["stub"]>} stub @returns {TipLine[]} */
function stubTip(drawing, { edges: long, leaves }) {
  const { model, scene: { edges } } = drawing;
  const lines = long.slice(0, MOST).map((edge) =>
    type(`${drawing.nameOf(leaves ? edges.to[edge] : edges.from[edge])} · ${model.typeOnEdge(edges.edge[edge])}`));
  return filled([
    head(`${counted(long.length, "edge")} too long to draw, ${leaves ? "to" : "from"}`),
    ...lines,
    detail(long.length > MOST ? `and ${long.length - MOST} more` : ""),
    detail(long.length > 1 ? "Click to select this end: then they are drawn whole" : "Click to go to the other end"),
  ]);
}
