/** Groups: solid when too small to enter, closed as a stack of cards, open as a frame with a title bar. */
import { GROUP_BOX as BOX, textWidth } from "../../base/scene/boxes.js";
import { STYLE, hasTitles } from "./text.js";

/** @typedef {import("./draw.js").Frame} Frame */
/** @typedef {import("../lens/camera.js").Rect} Rect */

/** How far the card behind a closed group peeps out, world units. */
const PEEP = 3;
/** Cards behind one that is drawn for several identical blocks. */
const STACKED = 3;
/** An open group narrower than this many pixels has square corners. */
const ROUND_PX = 48;
/** The bar at the foot of a closed group, world units; `room` is the least height of a group with a bar, pixels. */
const MAKEUP = Object.freeze({ padX: 7, height: 3, bottom: 5, room: 16 });
/** Names on groups seen from afar, in screen pixels; `room` is the least height of a group with a name. */
const MAP = Object.freeze({ size: 11, bold: 1.1, padX: 5, height: 17, room: 60, most: 120 });

/** @param {Frame} frame */
export function drawOpenGroups({ ink, k, theme, visible, drawing: { tree, depth, scene: { items } } }) {
  const line = 1 / Math.min(k, 1);
  ink.strokeStyle = theme.border;
  ink.lineWidth = line;
  for (const item of visible.open) {
    const [x, y, w, h] = [items.x[item], items.y[item], items.w[item], items.h[item]];
    const shade = theme.shades[depth[item] % 2];
    if (Math.min(w, h) * k < ROUND_PX) fillFrame(ink, x, y, w, h, line, theme.border, shade);
    else {
      for (let below = tree.times[items.ref[item]] > 1 ? STACKED : 0; below > 0; below--) fillCard(ink, x + below * PEEP, y + below * PEEP, w, h, theme.solid);
      fillCard(ink, x, y, w, h, shade);
    }
  }
}

/**
 * A frame of two rectangles: thousands of these cost a tenth of as many rounded outlines.
 * @param {Frame["ink"]} ink @param {number} x @param {number} y @param {number} w @param {number} h @param {number} line
 * @param {string} border @param {string} ground
 */
function fillFrame(ink, x, y, w, h, line, border, ground) {
  ink.fillStyle = border;
  ink.fillRect(x, y, w, h);
  ink.fillStyle = ground;
  ink.fillRect(x + line, y + line, w - 2 * line, h - 2 * line);
}

/** In the colour of what most of their nodes are, one colour after the other. @param {Frame} frame */
export function drawSolidGroups({ ink, k, theme, visible, drawing, paint }) {
  const { items } = drawing.scene;
  const least = 1 / k;
  /** @type {Map<string, number[]>} */
  const byColour = new Map();
  for (const item of visible.solid) {
    const colour = paint.mainOf(item);
    const list = byColour.get(colour);
    if (list) list.push(item);
    else byColour.set(colour, [item]);
  }
  for (const [colour, list] of byColour) {
    ink.fillStyle = theme.colours.get(colour)?.block ?? theme.solid;
    for (const item of list) ink.fillRect(items.x[item], items.y[item], Math.max(items.w[item], least), Math.max(items.h[item], least));
  }
}

/** @param {Frame} frame */
export function drawClosedGroups(frame) {
  const { ink, k, theme, visible, drawing: { tree, scene: { items } } } = frame;
  const fine = hasTitles(k);
  ink.strokeStyle = theme["border-strong"];
  ink.lineWidth = 1 / Math.min(k, 1);
  for (const item of visible.closed) {
    const [x, y, w, h] = [items.x[item], items.y[item], items.w[item], items.h[item]];
    ink.fillStyle = theme.solid;
    if (h * k < 8) {
      ink.fillRect(x, y, w, h);
      continue;
    }
    for (let below = fine ? (tree.times[items.ref[item]] > 1 ? STACKED : 1) : 0; below > 0; below--) fillCard(ink, x + below * PEEP, y + below * PEEP, w, h, theme.solid);
    fillCard(ink, x, y, w, h, theme.closed);
    if (h * k >= MAKEUP.room) drawMakeup(frame, item);
  }
}

/** What a closed group is made of: a bar of the colours of its nodes, as long as there are many of each. @param {Frame} frame @param {number} item */
function drawMakeup({ ink, theme, paint, drawing: { scene: { items } } }, item) {
  const makeup = paint.makeupOf(items.ref[item]);
  const all = makeup.reduce((sum, each) => sum + each, 0);
  const width = items.w[item] - 2 * MAKEUP.padX;
  let x = items.x[item] + MAKEUP.padX;
  makeup.forEach((nodes, at) => {
    if (nodes === 0) return;
    const part = (width * nodes) / all;
    ink.fillStyle = theme.colours.get(paint.colours[at])?.bar ?? theme.solid;
    ink.fillRect(x, items.y[item] + items.h[item] - MAKEUP.bottom, part, MAKEUP.height);
    x += part;
  });
}

/** @param {Frame["ink"]} ink @param {number} x @param {number} y @param {number} w @param {number} h @param {string} fill */
export function fillCard(ink, x, y, w, h, fill) {
  ink.beginPath();
  ink.roundRect(x, y, w, h, BOX.radius);
  ink.fillStyle = fill;
  ink.fill();
  ink.stroke();
}

/** Names groups whose titles are too small to read but whose boxes have the room, outer ones first. @param {Frame} frame */
export function drawMapLabels(frame) {
  const { ink, theme, visible, k, drawing } = frame;
  if (hasTitles(k)) return;
  ink.font = STYLE.bold(MAP.size / k);
  ink.textAlign = "center";
  /** @type {Rect[]} */
  const taken = [];
  for (const item of visible.open) {
    if (taken.length >= MAP.most) return;
    const { title } = drawing.textsOf(item);
    const rect = mapRect(frame, item, title);
    if (!rect || taken.some((other) => overlap(rect, other))) continue;
    taken.push(rect);
    ink.beginPath();
    ink.roundRect(rect.x, rect.y, rect.w, rect.h, rect.h / 4);
    ink.fillStyle = theme.card;
    ink.fill();
    ink.fillStyle = theme.ink;
    ink.fillText(title, rect.x + rect.w / 2, rect.y + rect.h / 2);
  }
}

/** @param {Frame} frame @param {number} item @param {string} text @returns {Rect | null} null: no room */
function mapRect({ k, view, whole: edge = view, drawing }, item, text) {
  const box = drawing.rectOf(item);
  const w = (textWidth(text, MAP.size, "text") * MAP.bold + 2 * MAP.padX) / k;
  const h = MAP.height / k;
  if (w > box.w || box.h * k < MAP.room) return null;
  const x = Math.max(box.x, Math.min(edge.x, box.x + box.w - w));
  const y = Math.max(box.y, Math.min(edge.y, box.y + box.h - h));
  return { x, y, w, h };
}

/** @param {Rect} a @param {Rect} b */
function overlap(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
