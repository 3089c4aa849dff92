/** The titles and buttons of groups. Titles keep to the edge of the screen while their group is in sight. */
import { GROUP_BOX as BOX, textWidth } from "../../base/scene/boxes.js";
import { strengthOf } from "./focus.js";
import { fillCard } from "./groups.js";
import { GROWN, STYLE, hasTitles, isLegible } from "./text.js";

/** @typedef {import("./draw.js").Frame} Frame */
/** @typedef {import("../drawing.js").Drawing} Drawing */
/** @typedef {import("../lens/camera.js").Rect} Rect */

/** How much wider bold text runs. */
const BOLD = 1.1;
/** Zoomed out, the texts of a title bar grow in it, as far as it is high. */
const SIZES = Object.freeze([
  { zoom: 0.7, title: BOX.titleSize, detail: BOX.detailSize },
  { zoom: 0.5, title: 16, detail: 13 },
  { zoom: 0, title: 20, detail: 15 },
]);
const LEFT = 2 * BOX.buttonGap + BOX.button;

/** @param {number} k pixels a unit */
const sizesAt = (k) => SIZES.find(({ zoom }) => k >= zoom) ?? SIZES[0];

/** @param {Frame} frame */
export function drawTitles(frame) {
  const { ink, k, visible } = frame;
  for (const item of isLegible(GROWN[0], k) ? visible.closed : []) {
    ink.globalAlpha = strengthOf(frame, item);
    drawClosedTitle(frame, item);
  }
  for (const item of hasTitles(k) ? visible.open : []) {
    ink.globalAlpha = strengthOf(frame, item);
    drawOpenTitle(frame, item);
  }
  ink.globalAlpha = 1;
}

/** Two lines; the first alone, and larger, where the second would be too small. @param {Frame} frame @param {number} item */
function drawClosedTitle(frame, item) {
  const { ink, theme, fitter, drawing, k } = frame;
  const { x, y, w, h } = drawing.rectOf(item);
  const { title, detail } = drawing.textsOf(item);
  const left = hasTitles(k) ? LEFT : 2 * BOX.buttonGap;
  const room = w - left - BOX.buttonGap;
  const both = isLegible(BOX.detailSize, k);
  if (hasTitles(k)) drawButton(frame, buttonRect(x, y), "+");
  ink.font = STYLE.bold(BOX.titleSize);
  const size = both ? BOX.titleSize : fitter.grown(ink, title, room, k);
  ink.font = STYLE.bold(size);
  ink.textAlign = "left";
  ink.fillStyle = theme.ink;
  ink.fillText(fitter.cut(ink, title, size, room), x + left, both ? y + BOX.title / 2 : y + h / 2);
  if (!both) return;
  ink.font = STYLE.text(BOX.detailSize);
  ink.fillStyle = theme["ink-muted"];
  const indent = 1.5 * BOX.buttonGap;
  ink.fillText(fitter.cut(ink, detail, BOX.detailSize, w - indent - BOX.buttonGap), x + indent, y + (BOX.title + h) / 2 - 2);
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
 * @param {number} k pixels a unit
 * @returns {Rect & {moved: boolean}}
 */
export function titleRect(drawing, item, view, k) {
  const { x, y, w, h } = drawing.rectOf(item);
  const { title, detail } = drawing.textsOf(item);
  const sizes = sizesAt(k);
  const text = textWidth(title, sizes.title, "text") * BOLD + textWidth(detail, sizes.detail, "text");
  const width = Math.min(w, LEFT + 2 * BOX.buttonGap + text);
  const top = Math.max(y, Math.min(view.y + drawing.depth[item] * BOX.title, y + h - BOX.title));
  const left = Math.max(x, Math.min(view.x, x + w - width));
  const moved = top > y || left > x;
  return { x: left, y: top, w: moved ? width : w, h: BOX.title, moved };
}

/** @param {Frame} frame @param {number} item */
function drawOpenTitle(frame, item) {
  const { ink, theme, fitter, drawing, view, whole, k } = frame;
  const texts = drawing.textsOf(item);
  const { x, y, w, moved } = titleRect(drawing, item, whole ?? view, k);
  const sizes = sizesAt(k);
  const room = w - LEFT - BOX.buttonGap;
  ink.font = STYLE.bold(sizes.title);
  const title = fitter.cut(ink, texts.title, sizes.title, room);
  const used = fitter.width(ink, title) + BOX.buttonGap;
  ink.font = STYLE.text(sizes.detail);
  const detail = room - used > 2 * sizes.detail ? fitter.cut(ink, texts.detail, sizes.detail, room - used) : "";
  ink.textAlign = "left";
  drawGround(frame, item, { x, y, w, h: BOX.title }, moved, used + fitter.width(ink, detail));
  drawButton(frame, buttonRect(x, y), "-");
  ink.fillStyle = theme["ink-muted"];
  ink.fillText(detail, x + LEFT + used, y + BOX.title / 2);
  ink.font = STYLE.bold(sizes.title);
  ink.fillStyle = theme.ink;
  ink.fillText(title, x + LEFT, y + BOX.title / 2);
}

/**
 * What a title stands on: a card of its own at the edge of the screen; at home just enough to cut the edges behind its text.
 * @param {Frame} frame @param {number} item @param {Rect} rect @param {boolean} moved @param {number} width of the text
 */
function drawGround({ ink, theme, k, drawing }, item, { x, y, w, h }, moved, width) {
  const shade = theme.shades[drawing.depth[item] % 2];
  if (moved) {
    ink.strokeStyle = theme.border;
    ink.lineWidth = 1 / k;
    fillCard(ink, x, y, w, h, shade);
    return;
  }
  ink.fillStyle = shade;
  ink.fillRect(x + LEFT - 2, y + 5, Math.min(width + 4, w - LEFT - BOX.buttonGap), h - 9);
}
