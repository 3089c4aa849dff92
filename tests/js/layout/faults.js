// What must hold of every scene, as a list of what does not.

import { ITEM } from "../../../static/js/base/scene/scene.js";
import { GROUP_BOX } from "../../../static/js/base/scene/boxes.js";

/**
 * @typedef {import("../../../static/js/base/scene/scene.js").Scene} Scene
 * @typedef {import("../../../static/js/model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../../static/js/model/types.js").GroupTree} GroupTree
 */

/**
 * The closed group that stands for a node in the drawing: the outermost closed one around it, or -1 when the node itself can be seen.
 * @param {GroupTree} tree @param {Uint8Array} open @param {number} node @returns {number}
 */
export function closedGroupOf(tree, open, node) {
  let found = -1;
  for (let group = tree.shown[tree.groupOf[node]]; group > 0; group = tree.box[group]) if (!open[group]) found = group;
  return found;
}

/** @param {GraphModel} model @param {GroupTree} tree @param {Uint8Array} open @param {Scene} scene @returns {string[]} */
export function faults(model, tree, open, scene) {
  const found = [
    ...treeFaults(scene),
    ...boxFaults(scene),
    ...standInFaults(model, tree, open, scene),
    ...edgeFaults(scene),
  ];
  found.push(...weightFaults(model, tree, open, scene));
  return found;
}

/** Pre-order, ends and parents agree. @param {Scene} scene */
export function treeFaults({ items }) {
  const found = [];
  const around = [];
  for (let i = 0; i < items.count; i++) {
    while (around.length && items.end[around[around.length - 1]] <= i) around.pop();
    if (items.parent[i] !== (around.at(-1) ?? -1))
      found.push(`item ${i}: parent ${items.parent[i]}, but it stands in ${around.at(-1) ?? -1}`);
    if (items.end[i] <= i || items.end[i] > items.count) found.push(`item ${i}: end ${items.end[i]}`);
    if (items.kind[i] !== ITEM.OPEN && items.end[i] !== i + 1)
      found.push(`item ${i} is no open group, but ends at ${items.end[i]}`);
    if (items.end[i] > i + 1) around.push(i);
  }
  return found;
}

/** Inside their parents, never on a sibling. @param {Scene} scene */
export function boxFaults({ items, width, height }) {
  const { x, y, w, h, parent, count } = items;
  const found = [];
  /** @type {Map<number, number[]>} */
  const siblings = new Map();
  for (let i = 0; i < count; i++) {
    const p = parent[i];
    const box =
      p < 0 ? { l: 0, t: 0, r: width, b: height } : { l: x[p], t: y[p] + GROUP_BOX.title, r: x[p] + w[p], b: y[p] + h[p] };
    const fits = x[i] >= box.l && y[i] >= box.t && x[i] + w[i] <= box.r && y[i] + h[i] <= box.b;
    if (!fits || !(w[i] > 0) || !(h[i] > 0))
      found.push(`item ${i} at ${x[i]},${y[i]} ${w[i]}x${h[i]} is not inside its parent ${JSON.stringify(box)}`);
    const group = siblings.get(p);
    if (group) group.push(i);
    else siblings.set(p, [i]);
  }
  for (const group of siblings.values()) {
    group.sort((a, b) => y[a] - y[b]);
    for (let k = 0; k < group.length; k++) {
      for (let j = k + 1; j < group.length && y[group[j]] < y[group[k]] + h[group[k]]; j++) {
        const a = group[k];
        const b = group[j];
        if (x[a] < x[b] + w[b] && x[b] < x[a] + w[a]) found.push(`items ${a} and ${b} overlap`);
      }
    }
  }
  return found;
}

/**
 * Every drawn node is seen exactly once: itself, or the outermost closed group around it.
 * @param {GraphModel} model
 * @param {GroupTree} tree
 * @param {Uint8Array} open
 * @param {Scene} scene
 */
function standInFaults(model, tree, open, { items }) {
  const seen = new Map();
  for (let i = 0; i < items.count; i++) {
    const key = `${items.kind[i] === ITEM.NODE ? "node" : "group"} ${items.ref[i]}`;
    if (seen.has(key)) return [`${key} is drawn twice`];
    seen.set(key, items.kind[i]);
  }
  const found = [];
  let nodes = 0;
  let closed = new Set();
  for (let node = 0; node < model.count; node++) {
    if (model.folded[node]) continue;
    const group = closedGroupOf(tree, open, node);
    if (group < 0) nodes++;
    else closed.add(group);
    const kind = seen.get(group < 0 ? `node ${node}` : `group ${group}`);
    if (kind !== (group < 0 ? ITEM.NODE : ITEM.CLOSED)) found.push(`node ${node} is not drawn as it should be`);
  }
  const drawn = items.kind.filter((kind) => kind !== ITEM.OPEN).length;
  if (drawn !== nodes + closed.size) found.push(`${drawn} nodes and closed groups drawn, expected ${nodes + closed.size}`);
  return found;
}

/**
 * Lines to the right are seen as if they ran down; the ends of those too long to draw stand below and above their boxes.
 * @param {Scene} scene
 */
function edgeFaults(scene) {
  const { items, edges, flow } = scene;
  const { kind } = items;
  const found = [];
  for (let e = 0; e < edges.count; e++) {
    const a = edges.from[e];
    const b = edges.to[e];
    const fail = (/** @type {string} */ what) => found.push(`edge ${e} (${a} to ${b}): ${what}`);
    if (kind[a] === ITEM.OPEN || kind[b] === ITEM.OPEN || a === b) fail("ends at an open group or itself");
    const first = edges.start[e];
    const last = edges.start[e + 1] - 1;
    if (last - first < 1) {
      fail("has no line");
      continue;
    }
    const turned = flow === "right" && !edges.stub[e] ? 1 : 0;
    const { x, y, w, h } = turned ? { x: items.y, y: items.x, w: items.h, h: items.w } : items;
    const [width, height] = turned ? [scene.height, scene.width] : [scene.width, scene.height];
    const at = (/** @type {number} */ p) => [edges.points[2 * p + turned], edges.points[2 * p + 1 - turned]];
    const [x1, y1] = at(first),
      [x2, y2] = at(last);
    const down = y1 === y[a] + h[a] && y2 === y[b];
    const up = y1 === y[a] && y2 === y[b] + h[b];
    if (!down && !up) fail(`runs from y ${y1} to ${y2}; its boxes are ${y[a]}+${h[a]} and ${y[b]}+${h[b]}`);
    if (x1 < x[a] || x1 > x[a] + w[a] || x2 < x[b] || x2 > x[b] + w[b]) fail("does not touch its boxes");
    if (owner(items, a, b) !== edges.owner[e]) fail(`owner ${edges.owner[e]}, expected ${owner(items, a, b)}`);
    for (let p = first; p < last; p++) {
      const [px, py] = at(p),
        [qx, qy] = at(p + 1);
      if (!edges.stub[e] && px !== qx && py !== qy) fail("is not along the axes");
      if (!edges.stub[e] && !scene.wrapped && (down ? qy < py : qy > py)) fail("turns back");
      if (!(px >= 0 && px <= width && py >= 0 && py <= height)) fail(`leaves the scene at ${px},${py}`);
    }
    if (edges.stub[e] && last - first !== 3) fail("is a stub without four points");
  }
  if (edges.start[edges.count] * 2 !== edges.points.length) found.push("points are left over");
  return found;
}

/** @param {Scene["items"]} items @param {number} a @param {number} b */
function owner(items, a, b) {
  let group = items.parent[a];
  while (group >= 0 && !(b > group && b < items.end[group])) group = items.parent[group];
  return group;
}

/**
 * Every graph edge between different items is in exactly one visible edge.
 * @param {GraphModel} model
 * @param {GroupTree} tree
 * @param {Uint8Array} open
 * @param {Scene} scene
 */
function weightFaults(model, tree, open, { items, edges }) {
  const itemOf = new Map();
  for (let i = 0; i < items.count; i++) itemOf.set(`${items.kind[i] === ITEM.NODE ? "n" : "g"}${items.ref[i]}`, i);
  const place = (/** @type {number} */ node) => {
    const group = closedGroupOf(tree, open, node);
    return itemOf.get(group < 0 ? `n${node}` : `g${group}`);
  };
  const wanted = new Map();
  for (let e = 0; e < model.edges.count; e++) {
    const [src, dst] = [model.edges.src[e], model.edges.dst[e]];
    if (model.folded[src] || place(src) === place(dst)) continue;
    const key = `${place(src)} ${place(dst)}`;
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  const found = [];
  for (let e = 0; e < edges.count; e++) {
    const key = `${edges.from[e]} ${edges.to[e]}`;
    if (wanted.get(key) !== edges.weight[e])
      found.push(`edge ${key} stands for ${edges.weight[e]} edges, expected ${wanted.get(key)}`);
    wanted.delete(key);
    const one = edges.edge[e];
    if (place(model.edges.src[one]) !== edges.from[e] || place(model.edges.dst[one]) !== edges.to[e])
      found.push(`edge ${key}: ${one} is none of them`);
  }
  return found.concat([...wanted.keys()].map((key) => `edge ${key} is missing`));
}

/**
 * Lines that run through a box that is neither one of their ends nor around one. Quadratic: for small scenes.
 * @param {Scene} scene
 */
export function crossedBoxes({ items, edges }) {
  const { x, y, w, h, count } = items;
  const found = [];
  for (let e = 0; e < edges.count; e++) {
    if (edges.stub[e]) continue;
    for (let p = edges.start[e]; p < edges.start[e + 1] - 1; p++) {
      const left = Math.min(edges.points[2 * p], edges.points[2 * p + 2]);
      const right = Math.max(edges.points[2 * p], edges.points[2 * p + 2]);
      const top = Math.min(edges.points[2 * p + 1], edges.points[2 * p + 3]);
      const bottom = Math.max(edges.points[2 * p + 1], edges.points[2 * p + 3]);
      for (let i = 0; i < count; i++) {
        const holds = (/** @type {number} */ end) => i <= end && end < items.end[i];
        if (holds(edges.from[e]) || holds(edges.to[e])) continue;
        if (left < x[i] + w[i] && right > x[i] && top < y[i] + h[i] && bottom > y[i])
          found.push(`edge ${e} runs through item ${i}`);
      }
    }
  }
  return found;
}
