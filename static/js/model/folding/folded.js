/**
 * A graph as it is drawn when something of it is folded: a `GraphModel` with the same nodes under the same indices, of which some
 * are not drawn. `stand` says which node is drawn for each; edges lead between the nodes that are drawn.
 */

import { adjacency, uniqueNeighbours } from "../../base/adjacency.js";
import { GraphModel } from "../graph.js";
import { repeatPath, spelt, standIns } from "./repeats.js";
import { behindViews, viewTest } from "./views.js";

/**
 * @typedef {import("../types.js").Edges} Edges
 * @typedef {import("./folds.js").Folding} Folding
 */

/** @type {WeakMap<GraphModel, Map<string, GraphModel>>} */
const made = new WeakMap();

/** Different ways to fold one graph that are kept: to go back and forth between two costs nothing. */
const KEPT = 4;

/**
 * The graph as it is drawn; the graph itself where nothing of it is folded. The same one for the same folding.
 * @param {GraphModel} model @param {Folding} folding @returns {GraphModel}
 */
export function foldedModel(model, folding) {
  const repeats = folding.folds.includes("repeats") ? model.repeats.filter((row) => !folding.unfolded.includes(repeatPath(row, model.modules))) : [];
  const views = folding.folds.includes("views");
  const chained = folding.folds.includes("chains");
  if (repeats.length === 0 && !views && !chained) return model;
  const known = made.get(model) ?? new Map();
  made.set(model, known);
  const key = JSON.stringify([repeats.map((row) => repeatPath(row, model.modules)), views, chained]);
  const folded = known.get(key) ?? fold(model, repeats, views, chained);
  known.delete(key);
  known.set(key, folded);
  if (known.size > KEPT) known.delete(known.keys().next().value);
  return folded;
}

/** @param {GraphModel} model @param {GraphModel["repeats"]} repeats @param {boolean} views @param {boolean} chained @returns {GraphModel} */
function fold(model, repeats, views, chained) {
  const { count } = model;
  const { stand, dropped, rows } = standIns(count, model.edges, model.in, repeats);
  const kept = redirected(model.edges, stand, dropped, count);
  const into = adjacency(count, kept.dst);
  const hidden = views ? hiddenViews(model, stand, into) : new Uint8Array(count);
  const behind = behindViews(hidden, into, kept.src, kept.output);
  const edges = views ? around(kept, hidden, behind) : kept;
  const through = stand.map((at) => drawnFor(at, behind));
  const chip = model.folded.map((folded, node) => (folded && through[node] === node ? 1 : 0));
  const ends = { in: adjacency(count, edges.dst), out: adjacency(count, edges.src) };
  return derived(model, {
    edges,
    ...ends,
    chips: uniqueNeighbours(ends.in, edges.src, chip),
    folded: Uint8Array.from(through, (at, node) => (at !== node || chip[node] ? 1 : 0)),
    stand: through,
    folds: { rows, chained },
    base: model,
    ...returnedThrough(model, stand, through),
  });
}

/** @param {GraphModel} model @param {Partial<GraphModel>} change @returns {GraphModel} */
function derived(model, change) {
  return Object.assign(Object.create(GraphModel.prototype), model, change);
}

/** @param {number} node that is drawn, or a view @param {ReturnType<typeof behindViews>} behind */
function drawnFor(node, behind) {
  return behind[node]?.[0]?.node ?? node;
}

/** 1 for views that are drawn and that read something. @param {GraphModel} model @param {Int32Array} stand @param {GraphModel["in"]} into */
function hiddenViews(model, stand, into) {
  const isView = viewTest(model);
  return Uint8Array.from(stand, (at, node) => (at === node && into.start[node] < into.start[node + 1] && isView(node) ? 1 : 0));
}

/**
 * Edges between the nodes that stand for others, by the node at their end.
 * @param {Edges} edges @param {Int32Array} stand @param {Uint8Array} dropped @param {number} count @returns {Edges}
 */
function redirected(edges, stand, dropped, count) {
  const { edge } = adjacency(count, edges.dst.map((node) => stand[node]));
  const kept = edge.filter((e) => !dropped[e]);
  const column = () => new Int32Array(kept.length);
  const [src, dst, slot, output] = [column(), column(), column(), column()];
  for (let i = 0; i < kept.length; i++) {
    const e = kept[i];
    src[i] = stand[edges.src[e]];
    dst[i] = stand[edges.dst[e]];
    slot[i] = edges.slot[e];
    output[i] = edges.output[e];
  }
  return { count: kept.length, src, dst, slot, output, value: src };
}

/**
 * Edges past the hidden nodes: each keeps the slot it ends in and the value that arrives there.
 * @param {Edges} edges @param {Uint8Array} hidden @param {ReturnType<typeof behindViews>} behind @returns {Edges}
 */
function around(edges, hidden, behind) {
  /** @type {number[][]} */
  const columns = [[], [], [], [], []];
  const add = (/** @type {number[]} */ ...row) => row.forEach((value, i) => columns[i].push(value));
  for (let e = 0; e < edges.count; e++) {
    const [src, dst, slot] = [edges.src[e], edges.dst[e], edges.slot[e]];
    if (hidden[dst]) continue;
    if (!hidden[src]) add(src, dst, slot, edges.output[e], src);
    else (behind[src] ?? []).forEach(({ node, output }, at) => add(node, dst, slot, output, at === 0 ? src : node));
  }
  const [src, dst, slot, output, value] = columns.map((column) => Int32Array.from(column));
  return { count: src.length, src, dst, slot, output, value };
}

/** What is returned of a view is returned of what it is a view of. @param {GraphModel} model @param {Int32Array} stand @param {Int32Array} through */
function returnedThrough({ returned, writers }, stand, through) {
  /** @type {GraphModel["returned"]} */
  const moved = new Map();
  for (const [node, named] of returned) if (stand[node] === node) moved.set(through[node], [...(moved.get(through[node]) ?? []), ...named]);
  const written = new Map([...writers].map(([into, nodes]) => [into, nodes.map((node) => through[node])]));
  return { returned: moved, writers: written };
}

/**
 * A node that stands in the row of blocks that one of two foldings of a graph draws once and the other one by one; -1: none.
 * @param {GraphModel} before @param {GraphModel} after @returns {number}
 */
export function nodeOfRefolded(before, after) {
  const rows = [before.folds.rows, after.folds.rows];
  const changed = rows.flatMap((each, i) => each.filter((row) => !rows[1 - i].includes(row)));
  const nodes = changed.length ? spelt(changed[0].copies[0].nodes) : [];
  return nodes.find((node) => !before.folded[node] && !after.folded[node]) ?? -1;
}
