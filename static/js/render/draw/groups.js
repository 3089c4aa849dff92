/** Groups: solid when too small to enter, closed as a stack of cards, open as a frame with a title bar. */
import { GROUP_BOX as BOX, textWidth } from "../../base/boxes.js";
import { STYLE, isLegible } from "./text.js";

/** @typedef {import("./draw.js").Frame} Frame */
/** @typedef {import("../drawing.js").Drawing} Drawing */
/** @typedef {import("../lens/camera.js").Rect} Rect */

/** How far the card behind a closed group peeps out, world units. */
const PEEP = 3;
/** An open group narrower than this many pixels has square corners. */
const ROUND_PX = 48;
/** How much wider bold text runs. */
const BOLD = 1.1;
/** Names on groups seen from afar, in screen pixels. */
const MAP = Object.freeze({ size: 11, padX: 5, height: 17, most: 120 });

/** @param {Frame} frame */
export function drawOpenGroups({ ink, k, theme, visible, drawing: { depth, scene: { items } } }) {
  const line = 1 / Math.min(k, 1);
  ink.strokeStyle = theme.border;
  ink.lineWidth = line;
  for (const item of visible.open) {
    const [x, y, w, h] = [items.x[item], items.y[item], items.w[item], items.h[item]];
    const shade = theme.shades[depth[item] % 2];
    if (Math.min(w, h) * k < ROUND_PX) fillFrame(ink, x, y, w, h, line, theme.border, shade);
    else {
      ink.beginPath();
      ink.roundRect(x, y, w, h, BOX.radius);
      ink.fillStyle = shade;
      ink.fill();
      ink.stroke();
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
export function drawSolidGroups({ ink, k, theme, visible, drawing }) {
  const { items } = drawing.scene;
  const least = 1 / k;
  /** @type {Map<string, number[]>} */
  const byKind = new Map();
  for (const item of visible.solid) {
    const kind = drawing.mainKindOf(item);
    const list = byKind.get(kind);
    if (list) list.push(item);
    else byKind.set(kind, [item]);
  }
  for (const [kind, list] of byKind) {
    ink.fillStyle = theme.kinds.get(kind)?.block ?? theme.solid;
    for (const item of list) ink.fillRect(items.x[item], items.y[item], Math.max(items.w[item], least), Math.max(items.h[item], least));
  }
}

/** @param {Frame} frame */
export function drawClosedGroups(frame) {
  const { ink, k, theme, visible, drawing: { scene: { items } } } = frame;
  const fine = isLegible(BOX.titleSize, k);
  ink.strokeStyle = theme["border-strong"];
  ink.lineWidth = 1 / Math.min(k, 1);
  for (const item of visible.closed) {
    const [x, y, w, h] = [items.x[item], items.y[item], items.w[item], items.h[item]];
    ink.fillStyle = theme.solid;
    if (h * k < 8) {
      ink.fillRect(x, y, w, h);
      continue;
    }
    if (fine) fillCard(ink, x + PEEP, y + PEEP, w, h, theme.solid);
    fillCard(ink, x, y, w, h, theme.closed);
  }
  if (fine) for (const item of visible.closed) drawClosedText(frame, item);
}

/** @param {Frame["ink"]} ink @param {number} x @param {number} y @param {number} w @param {number} h @param {string} fill */
function fillCard(ink, x, y, w, h, fill) {
  ink.beginPath();
  ink.roundRect(x, y, w, h, BOX.radius);
  ink.fillStyle = fill;
  ink.fill();
  ink.stroke();
}

/** @param {Frame} frame @param {number} item */
function drawClosedText(frame, item) {
  const { ink, theme, fitter, drawing, k } = frame;
  const { items } = drawing.scene;
  const texts = drawing.textsOf(item);
  const [x, y, w] = [items.x[item], items.y[item], items.w[item]];
  drawButton(frame, buttonRect(x, y), "+");
  const left = x + 2 * BOX.buttonGap + BOX.button;
  const room = w - 3 * BOX.buttonGap - BOX.button;
  ink.font = STYLE.bold(BOX.titleSize);
  ink.textAlign = "left";
  ink.fillStyle = theme.ink;
  ink.fillText(fitter.cut(ink, texts.title, BOX.titleSize, room), left, y + BOX.title / 2);
  if (!isLegible(BOX.detailSize, k)) return;
  ink.font = STYLE.text(BOX.detailSize);
  ink.fillStyle = theme["ink-muted"];
  const y2 = y + (BOX.title + BOX.closedHeight) / 2 - 2;
  ink.fillText(fitter.cut(ink, texts.detail, BOX.detailSize, room), left, y2);
}

/** @param {number} x of the title's left top corner @param {number} y @returns {Rect} the button that opens or closes a group */
export function buttonRect(x, y) {
  return { x: x + BOX.buttonGap, y: y + (BOX.title - BOX.button) / 2, w: BOX.button, h: BOX.button };
}

/** @param {Frame} frame @param {Rect} rect @param {"+" | "-"} sign */
function drawButton({ ink, theme }, { x, y, w, h }, sign) {
  ink.beginPath();
  ink.roundRect(x, y, w, h, 4);
  ink.fillStyle = theme.card;
  ink.fill();
  ink.strokeStyle = theme["border-strong"];
  ink.lineWidth = 1;
  ink.stroke();
  ink.fillStyle = theme.ink;
  ink.fillRect(x + 4, y + h / 2 - 0.75, w - 8, 1.5);
  if (sign === "+") ink.fillRect(x + w / 2 - 0.75, y + 4, 1.5, h - 8);
}

/**
 * Where the title of an open group is: at its top, or, where that is off the screen, below the titles of the groups
 * around it at the edge of the screen.
 * @param {Drawing} drawing
 * @param {number} item
 * @param {Rect} view
 * @returns {Rect & {moved: boolean}}
 */
export function titleRect(drawing, item, view) {
  const { x, y, w, h } = drawing.rectOf(item);
  const { title, detail } = drawing.textsOf(item);
  const text = textWidth(title, BOX.titleSize, "text") * BOLD + textWidth(detail, BOX.detailSize, "text");
  const width = Math.min(w, BOX.button + 4 * BOX.buttonGap + text);
  const top = Math.max(y, Math.min(view.y + drawing.depth[item] * BOX.title, y + h - BOX.title));
  const left = Math.max(x, Math.min(view.x, x + w - width));
  const moved = top > y || left > x;
  return { x: left, y: top, w: moved ? width : w, h: BOX.title, moved };
}

/** @param {Frame} frame */
export function drawTitles(frame) {
  if (!isLegible(BOX.titleSize, frame.k)) return;
  for (const item of frame.visible.open) drawTitle(frame, item);
}

/** @param {Frame} frame @param {number} item */
function drawTitle(frame, item) {
  const { ink, theme, fitter, drawing, view, k } = frame;
  const texts = drawing.textsOf(item);
  const { x, y, w, moved } = titleRect(drawing, item, view);
  if (moved) {
    ink.strokeStyle = theme.border;
    ink.lineWidth = 1 / k;
    fillCard(ink, x, y, w, BOX.title, theme.shades[drawing.depth[item] % 2]);
  }
  drawButton(frame, buttonRect(x, y), "-");
  const left = x + 2 * BOX.buttonGap + BOX.button;
  const room = w - 3 * BOX.buttonGap - BOX.button;
  if (!moved) backTitle(frame, item, left, y);
  ink.font = STYLE.bold(BOX.titleSize);
  ink.textAlign = "left";
  ink.fillStyle = theme.ink;
  const title = fitter.cut(ink, texts.title, BOX.titleSize, room);
  ink.fillText(title, left, y + BOX.title / 2);
  const used = fitter.width(ink, title) + BOX.buttonGap;
  ink.font = STYLE.text(BOX.detailSize);
  ink.fillStyle = theme["ink-muted"];
  if (room - used > 24) ink.fillText(fitter.cut(ink, texts.detail, BOX.detailSize, room - used), left + used, y + BOX.title / 2);
}

/** Edges run across the title bar; behind its text they are cut. @param {Frame} frame @param {number} item @param {number} left @param {number} top */
function backTitle({ ink, theme, fitter, drawing }, item, left, top) {
  const { title, detail } = drawing.textsOf(item);
  ink.font = STYLE.bold(BOX.titleSize);
  let width = fitter.width(ink, title) + BOX.buttonGap;
  ink.font = STYLE.text(BOX.detailSize);
  width += fitter.width(ink, detail);
  ink.fillStyle = theme.shades[drawing.depth[item] % 2];
  ink.fillRect(left - 2, top + 5, Math.min(width + 5, drawing.scene.items.w[item] - 3 * BOX.buttonGap - BOX.button), BOX.title - 9);
}

/** Names groups whose titles are too small to read but whose boxes have the room, outer ones first. @param {Frame} frame */
export function drawMapLabels(frame) {
  const { ink, theme, visible, k, drawing } = frame;
  if (isLegible(BOX.titleSize, k)) return;
  ink.font = STYLE.bold(MAP.size / k);
  ink.textAlign = "center";
  /** @type {Rect[]} */
  const taken = [];
  for (const item of [...visible.open, ...visible.closed]) {
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
function mapRect({ k, view, drawing }, item, text) {
  const box = drawing.rectOf(item);
  const w = (textWidth(text, MAP.size, "text") * BOLD + 2 * MAP.padX) / k;
  const h = MAP.height / k;
  if (w > box.w || h > box.h) return null;
  const x = Math.max(box.x, Math.min(view.x, box.x + box.w - w));
  const y = Math.max(box.y, Math.min(view.y, box.y + box.h - h));
  return { x, y, w, h };
}

/** @param {Rect} a @param {Rect} b */
function overlap(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
