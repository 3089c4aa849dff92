// What else is lit in a graph: the nodes of the selection's source lines when it was made in another graph, and search hits.

import { searchNodes } from "../model/search.js";
import { graphs, search, selectedIn, selection } from "../state.js";

/**
 * @typedef {import("../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../render/marked.js").Highlight} Highlight
 */

/** @param {GraphModel} model @returns {Highlight[]} */
export function kinOf(model) {
  const now = selection.get();
  const other = now && now.gid !== model.id ? graphs.get().get(now.gid) : null;
  if (!other) return [];
  const lines = new Set(
    selectedIn(other)
      .map((node) => other.lineOf(node))
      .filter((line) => line !== null)
      .map(([file, line]) => `${file}:${line}`),
  );
  const wanted = new Set(model.lines.flatMap(([file, line], i) => (lines.has(`${file}:${line}`) ? [i] : [])));
  const nodes = wanted.size ? [...Array(model.count).keys()].filter((node) => wanted.has(model.line[node])) : [];
  return nodes.length ? [{ nodes, style: "line" }] : [];
}

/** @param {GraphModel} model @param {boolean} current only the pane in use is searched @returns {Highlight[]} */
export function searchHits(model, current) {
  if (!current || !search.get().trim()) return [];
  const nodes = searchNodes(model, search.get());
  return nodes.length ? [{ nodes, style: "search" }] : [];
}
