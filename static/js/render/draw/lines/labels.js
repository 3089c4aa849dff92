/** What an edge carries, written on it when one is close: dtype[shape], how many more edges it stands for, and the number of the output. */
import { textWidth } from "../../../base/scene/boxes.js";
import { ITEM } from "../../../base/scene/scene.js";
import { carriedBy } from "../../drawing.js";
import { Crowd } from "./crowd.js";
import { arrival } from "./curve.js";
import { pickEdges } from "./edges.js";
import { STYLE } from "../text.js";
import { titleRect } from "../titles.js";

/**
 * @typedef {import("../draw.js").Frame} Frame
 * @typedef {import("../../drawing.js").Drawing} Drawing
 * @typedef {import("../../lens/camera.js").Rect} Rect
 * @typedef {{net: number, text: string, rect: Rect}} Label
 */

const SIZE = 9;
const HEIGHT = 13;
const PAD = 3;
const MOST_CHARACTERS = 30;
/** From this zoom on an edge is labelled where its type does not stand just above it; from the next one on every edge that has the room. */
const CLOSE = 0.9;
const CLOSER = 1.6;
/** An edge longer than this, in world units, leads out of sight of its source's own type. */
const LONG = 110;
/** The same on lines that run together is not said twice within so many world units. */
const NEAR = 240;
/** Of its line a label leaves this much to be seen at both ends. */
const REST = 7;
const MOST = 300;
/** The plate with an output's number, beside the arrow. */
const PLATE = Object.freeze({ height: 11, size: 8, aside: 5, back: 1 });

/** @param {Frame} frame */
export function drawLabels(frame) {
  if (frame.k < CLOSE) return;
  const edges = pickEdges(frame);
  if (edges.length === 0) return;
  const crowd = crowdOf(frame, edges);
  drawPlates(frame, edges, crowd);
  const { ink } = frame;
  ink.font = STYLE.mono(SIZE);
  ink.textAlign = "center";
  /** @type {Label[]} */
  const labels = [];
  for (const edge of edges) if (labels.length < MOST && wants(frame, edge)) drawLabel(frame, edge, crowd, labels);
}

/** Lines that run together carry the same: one number for all edges with one output of one node. @param {Drawing} drawing @param {number} edge */
function netOf({ model, scene: { edges } }, edge) {
  return edges.from[edge] * 64 + ((model.edges.output[edges.edge[edge]] + 1) & 63);
}

/** Everything that a label must not cover. @param {Frame} frame @param {readonly number[]} shown edges */
function crowdOf({ view, whole, k, visible, drawing }, shown) {
  const { items, edges } = drawing.scene;
  const crowd = new Crowd(view);
  for (const list of [visible.nodes, visible.closed, visible.solid])
    for (const item of list) crowd.add(items.x[item], items.y[item], items.w[item], items.h[item], -1);
  for (const item of visible.open) {
    crowd.add(items.x[item], items.y[item], items.w[item], items.h[item], -1, true);
    const title = titleRect(drawing, item, whole ?? view, k);
    crowd.add(title.x, title.y, title.w, title.h, -1);
  }
  for (const edge of shown)
    for (let at = edges.start[edge] + 1; at < edges.start[edge + 1]; at++) {
      const [ax, ay, bx, by] = edges.points.subarray(2 * at - 2, 2 * at + 2);
      crowd.add(Math.min(ax, bx) - 1, Math.min(ay, by) - 1, Math.abs(bx - ax) + 2, Math.abs(by - ay) + 2, netOf(drawing, edge));
    }
  return crowd;
}

/** Is there anything to say that does not stand beside it? @param {Frame} frame @param {number} edge */
function wants({ k, marked, drawing: { model, scene: { items, edges } } }, edge) {
  if (k >= CLOSER || edge === marked.edge || marked.edgesIn.includes(edge) || marked.edgesOut.includes(edge)) return true;
  if (items.kind[edges.from[edge]] === ITEM.CLOSED || edges.weight[edge] > 1) return true;
  const [first, last] = [2 * edges.start[edge], 2 * edges.start[edge + 1] - 2];
  const span = Math.abs(edges.points[last] - edges.points[first]) + Math.abs(edges.points[last + 1] - edges.points[first + 1]);
  return span > LONG && model.typeOnEdge(edges.edge[edge]) !== "";
}

/** The type of what an edge carries, and of how many more values it stands for. @param {Drawing} drawing @param {number} edge scene edge @returns {string} */
export function edgeText(drawing, edge) {
  const { model, scene: { edges } } = drawing;
  const type = model.typeOnEdge(edges.edge[edge]);
  const values = isBetweenNodes(drawing, edge) ? new Set(carriedBy(drawing, edge).map((each) => model.edges.output[each])).size : edges.weight[edge];
  const more = values > 1 ? ` +${values - 1}` : "";
  return (type.length > MOST_CHARACTERS ? `${type.slice(0, MOST_CHARACTERS - 1)}…` : type) + more;
}

/** Where there is room, and the same does not stand near. @param {Frame} frame @param {number} edge @param {Crowd} crowd @param {Label[]} labels so far */
function drawLabel(frame, edge, crowd, labels) {
  const { ink, theme, drawing } = frame;
  const text = edgeText(drawing, edge);
  if (!text) return;
  const net = netOf(drawing, edge);
  const rect = place(frame, edge, textWidth(text, SIZE, "mono") + 2 * PAD, crowd);
  if (!rect || labels.some((other) => other.net === net && other.text === text && isNear(other.rect, rect))) return;
  labels.push({ net, text, rect });
  crowd.add(rect.x, rect.y, rect.w, rect.h, -1);
  ink.fillStyle = groundAt(frame, rect);
  ink.fillRect(rect.x, rect.y, rect.w, rect.h);
  ink.fillStyle = theme["ink-muted"];
  ink.fillText(text, rect.x + rect.w / 2, rect.y + rect.h / 2);
}

/** The colour of the innermost open group around a label. @param {Frame} frame @param {Rect} rect */
function groundAt({ theme, visible, drawing }, rect) {
  let inner = -1;
  for (const item of visible.open) if (holds(drawing.rectOf(item), rect)) inner = item; // groups come before what they hold
  return inner < 0 ? theme.surface : theme.shades[drawing.depth[inner] % 2];
}

/** @param {Rect} a @param {Rect} b */
const isNear = (a, b) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) < NEAR;

/**
 * The longest straight piece in sight on which the label covers nothing else, in its middle or nearer to one of its ends.
 * @param {Frame} frame @param {number} edge @param {number} w of the label @param {Crowd} crowd @returns {Rect | null}
 */
function place({ view, whole, drawing }, edge, w, crowd) {
  const { edges } = drawing.scene;
  const net = netOf(drawing, edge);
  for (const { ax, ay, bx, by } of pieces(edges.points, edges.start[edge], edges.start[edge + 1], whole ?? view, w))
    for (const part of [0.5, 0.75, 0.25]) {
      const rect = { x: ax + (bx - ax) * part - w / 2, y: ay + (by - ay) * part - HEIGHT / 2, w, h: HEIGHT };
      // Of a picture drawn in parts no part may show half of it.
      if (crowd.isFree(rect, net, ax === bx) && (!whole || holds(view, rect))) return rect;
    }
  return null;
}

/**
 * The pieces of a line that have the room for a label, long ones first, cut to what is in sight.
 * @param {Float32Array} points @param {number} first @param {number} last @param {Rect} view @param {number} w of the label
 */
function pieces(points, first, last, view, w) {
  const found = [];
  for (let at = first + 1; at < last; at++) {
    const ax = clamp(points[2 * at - 2], view.x, view.x + view.w);
    const ay = clamp(points[2 * at - 1], view.y, view.y + view.h);
    const bx = clamp(points[2 * at], view.x, view.x + view.w);
    const by = clamp(points[2 * at + 1], view.y, view.y + view.h);
    const [dx, dy] = [Math.abs(bx - ax), Math.abs(by - ay)];
    if (dx > 0.5 && dy > 0.5) continue;
    if (Math.max(dx, dy) >= (dx > dy ? w : HEIGHT) + 2 * REST) found.push({ ax, ay, bx, by, length: dx + dy });
  }
  return found.sort((a, b) => b.length - a.length);
}

/** @param {Rect} outer @param {Rect} inner */
const holds = (outer, inner) =>
  inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w && inner.y + inner.h <= outer.y + outer.h;

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** The number of the output beside the arrow of every edge that carries one of several. @param {Frame} frame @param {readonly number[]} shown @param {Crowd} crowd */
function drawPlates({ ink, theme, drawing }, shown, crowd) {
  ink.font = STYLE.mono(PLATE.size);
  ink.textAlign = "center";
  for (const edge of shown) {
    const text = outputNumbers(drawing, edge);
    if (!text) continue;
    const rect = plateRect(drawing, edge, text);
    if (!crowd.isFree(rect, -1)) continue;
    crowd.add(rect.x, rect.y, rect.w, rect.h, -1);
    ink.beginPath();
    ink.roundRect(rect.x, rect.y, rect.w, rect.h, 3);
    ink.fillStyle = theme["ink-muted"];
    ink.fill();
    ink.fillStyle = theme.card;
    ink.fillText(text, rect.x + rect.w / 2, rect.y + rect.h / 2);
  }
}

/** @param {Drawing} drawing @param {number} edge scene edge */
function isBetweenNodes(drawing, edge) {
  const { from, to } = drawing.scene.edges;
  return drawing.isNode(from[edge]) && drawing.isNode(to[edge]);
}

/** Which of several outputs an edge carries: `1`, `0,2`; "": its source has one, or all of them go along. @param {Drawing} drawing @param {number} edge scene edge */
export function outputNumbers(drawing, edge) {
  const { model, scene: { edges } } = drawing;
  const several = (model.outputs.get(model.edges.src[edges.edge[edge]])?.length ?? 0) > 1;
  if (!several || !(edges.weight[edge] === 1 || isBetweenNodes(drawing, edge))) return "";
  const numbers = new Set(carriedBy(drawing, edge).map((each) => model.edges.output[each]));
  return numbers.has(-1) ? "" : [...numbers].sort((a, b) => a - b).join(",");
}

/** @param {Drawing} drawing @param {number} edge @param {string} text @returns {Rect} */
function plateRect({ scene: { edges } }, edge, text) {
  const [first, last] = [edges.start[edge], edges.start[edge + 1]];
  const [dx, dy] = arrival(edges.points, first, last);
  const [x, y] = [edges.points[2 * last - 2], edges.points[2 * last - 1]];
  const w = text.length * 5 + 5;
  const { aside, back, height } = PLATE;
  if (dy !== 0) return { x: x + aside, y: dy > 0 ? y - back - height : y + back, w, h: height };
  return { x: dx > 0 ? x - back - w : x + back, y: y - aside - height, w, h: height };
}
