/** Nodes: dots, boxes, names, names with types and chips, as the zoom allows. */
import { NODE_BOX as BOX } from "../../base/scene/boxes.js";
import { GROWN, STYLE, isLegible } from "./text.js";

/** @typedef {import("./draw.js").Frame} Frame */
/** @typedef {import("../theme.js").KindColours} KindColours */
/** @typedef {import("../drawing.js").Chip} Chip */

/** A box lower than this many pixels is a plain dot in its kind's colour. */
const DOT_PX = 7;
/** Of boxes lower than this many pixels not all need be drawn, only so many in all. */
const FAINT_PX = 1.5;
const MOST_FAINT = 10_000;
/** A box lower than this many pixels has square corners and no outline. */
const ROUND_PX = 10;
/** Inputs and outputs are told apart by their shape too. */
const PILL = 13;
const PILLS = new Set(["input", "output"]);

/** @param {Frame} frame */
export function drawNodes(frame) {
  const { drawing: { scene: { items } }, paint, visible, k } = frame;
  const everyth = Math.ceil(visible.nodes.length / MOST_FAINT);
  /** @type {number[][]} */
  const byClass = paint.colours.map(() => []);
  for (const item of visible.nodes) {
    // By the item's own index, so that the same ones are drawn while the camera moves.
    if (everyth < 2 || item % everyth === 0 || items.h[item] * k >= FAINT_PX) byClass[paint.of[items.ref[item]]].push(item);
  }
  byClass.forEach((list, at) => {
    const colours = coloursOf(frame.theme, paint.colours[at]);
    if (colours && list.length) drawBoxes(frame, list, colours);
  });
  if (isLegible(BOX.typeSize, k)) {
    drawLabels(frame);
    drawTypes(frame);
  } else if (isLegible(GROWN[0], k)) drawGrownLabels(frame);
  if (isLegible(BOX.chipSize, k)) drawChips(frame);
}

/** @param {Frame["theme"]} theme @param {string} name */
function coloursOf(theme, name) {
  return theme.colours.get(name) ?? theme.colours.get("none");
}

/** @param {Frame} frame @param {number[]} list items of one colour @param {KindColours} colours */
function drawBoxes(frame, list, colours) {
  const { ink, k, drawing: { scene: { items } } } = frame;
  const low = list.filter((item) => items.h[item] * k < ROUND_PX);
  ink.fillStyle = colours.dot;
  for (const item of low) if (items.h[item] * k < DOT_PX) drawDot(frame, item);
  for (const item of low) if (items.h[item] * k >= DOT_PX) drawBlock(frame, item, colours);
  ink.strokeStyle = colours.border;
  ink.lineWidth = Math.max(1, 0.75 / k);
  if (low.length === list.length) return;
  for (const item of list) if (items.h[item] * k >= ROUND_PX) drawBox(frame, item, colours);
}

/** @param {Frame} frame @param {number} item */
function drawDot({ ink, k, drawing: { scene: { items } } }, item) {
  const least = 1 / k;
  ink.fillRect(items.x[item], items.y[item], Math.max(items.w[item], least), Math.max(items.h[item], least));
}

/** @param {Frame} frame @param {number} item @param {KindColours} colours */
function drawBlock({ ink, k, drawing: { scene: { items } } }, item, colours) {
  const bar = Math.max(BOX.bar, 2 / k);
  ink.fillStyle = colours.block;
  ink.fillRect(items.x[item], items.y[item], items.w[item], items.h[item]);
  ink.fillStyle = colours.bar;
  ink.fillRect(items.x[item], items.y[item], bar, items.h[item]);
}

/** @param {Frame} frame @param {number} item @param {KindColours} colours */
function drawBox({ ink, drawing: { model, scene: { items } } }, item, colours) {
  const radius = PILLS.has(model.kindOf(items.ref[item])) ? PILL : BOX.radius;
  const [x, y, w, h] = [items.x[item], items.y[item], items.w[item], items.h[item]];
  ink.beginPath();
  ink.roundRect(x, y, w, h, radius);
  ink.fillStyle = colours.bar;
  ink.fill();
  ink.beginPath();
  ink.roundRect(x + BOX.bar, y, w - BOX.bar, h, [0, radius, radius, 0]);
  ink.fillStyle = colours.fill;
  ink.fill();
  ink.beginPath();
  ink.roundRect(x, y, w, h, radius);
  ink.stroke();
}

/** Space for text in an item. @param {number} width @returns {number} */
const room = (width) => width - BOX.bar - 1.5 * BOX.padX;

/** @param {Frame} frame */
function drawLabels({ ink, theme, fitter, visible, drawing }) {
  const { items } = drawing.scene;
  ink.font = STYLE.text(BOX.labelSize);
  ink.textAlign = "left";
  ink.fillStyle = theme.ink;
  for (const item of visible.nodes) {
    const text = fitter.cut(ink, drawing.textsOf(item).title, BOX.labelSize, room(items.w[item]));
    ink.fillText(text, items.x[item] + BOX.bar + BOX.padX * 0.8, items.y[item] + BOX.padY + BOX.labelLine / 2);
  }
}

/** Labels alone in their boxes, as large as fits. @param {Frame} frame */
function drawGrownLabels({ ink, theme, fitter, visible, k, drawing }) {
  const { items } = drawing.scene;
  /** @type {number[][]} */
  const bySize = GROWN.map(() => []);
  ink.font = STYLE.text(BOX.labelSize);
  for (const item of visible.nodes) {
    if (items.h[item] * k < ROUND_PX) continue;
    bySize[GROWN.indexOf(fitter.grown(ink, drawing.textsOf(item).title, room(items.w[item]), k))].push(item);
  }
  ink.textAlign = "left";
  ink.fillStyle = theme.ink;
  GROWN.forEach((size, at) => {
    ink.font = STYLE.text(size);
    for (const item of bySize[at]) {
      const text = fitter.cut(ink, drawing.textsOf(item).title, size, room(items.w[item]));
      ink.fillText(text, items.x[item] + BOX.bar + BOX.padX * 0.8, items.y[item] + items.h[item] / 2);
    }
  });
}

/** @param {Frame} frame */
function drawTypes({ ink, theme, fitter, visible, drawing }) {
  const { items } = drawing.scene;
  ink.font = STYLE.mono(BOX.typeSize);
  ink.textAlign = "left";
  ink.fillStyle = theme["ink-muted"];
  for (const item of visible.nodes) {
    const text = drawing.textsOf(item).detail;
    if (!text) continue;
    const y = items.y[item] + BOX.padY + BOX.labelLine + BOX.typeLine / 2;
    ink.fillText(fitter.cut(ink, text, BOX.typeSize, room(items.w[item])), items.x[item] + BOX.bar + BOX.padX * 0.8, y);
  }
}

/**
 * Where a chip of a node lies, in world units.
 * @param {import("../drawing.js").Drawing} drawing
 * @param {number} item
 * @param {number} row 0 for the first chip
 * @returns {import("../lens/camera.js").Rect}
 */
export function chipRect(drawing, item, row) {
  const { items } = drawing.scene;
  const type = drawing.textsOf(item).detail ? BOX.typeLine : 0;
  const y = items.y[item] + BOX.padY + BOX.labelLine + type + row * BOX.chipLine + (BOX.chipLine - BOX.chipHeight) / 2 + 1;
  return { x: items.x[item] + BOX.bar + BOX.padX * 0.8, y, w: room(items.w[item]) + BOX.padX * 0.2, h: BOX.chipHeight };
}

/** @param {Frame} frame */
function drawChips(frame) {
  const { ink, visible, drawing } = frame;
  ink.font = STYLE.mono(BOX.chipSize);
  ink.textAlign = "left";
  ink.lineWidth = 1;
  for (const item of visible.nodes) {
    drawing.textsOf(item).chips.forEach((chip, row) => drawChip(frame, item, row, chip));
  }
}

/** Room at the left of an output's row for its number. */
const NUMBER = 15;

/** @param {Frame} frame @param {number} item @param {number} row @param {Chip} chip */
function drawChip(frame, item, row, chip) {
  if (chip.look === "output") return drawOutput(frame, item, row, chip);
  const { ink, theme, fitter, drawing, paint } = frame;
  const colours = coloursOf(theme, chip.gid ? "kind-higher-order" : chip.node < 0 ? "kind-other" : paint.colourOf(chip.node));
  if (!colours) return;
  const { x, y, w, h } = chipRect(drawing, item, row);
  ink.beginPath();
  ink.roundRect(x, y, w, h, h / 2);
  ink.fillStyle = theme.card;
  ink.fill();
  ink.strokeStyle = colours.border;
  ink.stroke();
  ink.fillStyle = colours.bar;
  drawChipSign(ink, x + BOX.chipPadX, y + h / 2, chip.look);
  if (chip.look === "folded" && drawing.isShared(chip.node)) drawHole(frame, x + BOX.chipPadX, y + h / 2);
  ink.fillStyle = theme.ink;
  ink.fillText(fitter.cut(ink, chip.text, BOX.chipSize, w - 3 * BOX.chipPadX), x + 2 * BOX.chipPadX, y + h / 2);
}

/**
 * A dot for a folded value; an arrow into a body that can be entered; an arrow down to what the value is written into.
 * @param {Frame["ink"]} ink @param {number} x @param {number} y @param {Chip["look"]} look
 */
function drawChipSign(ink, x, y, look) {
  ink.beginPath();
  if (look === "body") {
    ink.moveTo(x - 2, y - 3.5);
    ink.lineTo(x + 3, y);
    ink.lineTo(x - 2, y + 3.5);
    ink.closePath();
  } else if (look === "into") {
    ink.moveTo(x - 3.5, y - 2);
    ink.lineTo(x + 3.5, y - 2);
    ink.lineTo(x, y + 3);
    ink.closePath();
  } else ink.roundRect(x - 2.5, y - 2.5, 5, 5, 2.5);
  ink.fill();
}

/** Makes a ring of a dot: other nodes read the same value. @param {Frame} frame @param {number} x @param {number} y */
function drawHole({ ink, theme }, x, y) {
  ink.beginPath();
  ink.roundRect(x - 1.3, y - 1.3, 2.6, 2.6, 1.3);
  ink.fillStyle = theme.card;
  ink.fill();
}

/** One of several outputs: its number on a plate, and its type; muted where nothing reads it. @param {Frame} frame @param {number} item @param {number} row @param {Chip} chip */
function drawOutput({ ink, theme, fitter, drawing }, item, row, { text, output }) {
  const { x, y, w, h } = chipRect(drawing, item, row);
  const number = String(output);
  const used = drawing.readsOutput(item, output);
  ink.beginPath();
  ink.roundRect(x, y, NUMBER, h, 4);
  ink.fillStyle = used ? theme["ink-muted"] : theme.card;
  ink.fill();
  if (!used) {
    ink.strokeStyle = theme.border;
    ink.stroke();
  }
  ink.textAlign = "center";
  ink.fillStyle = used ? theme.card : theme["ink-muted"];
  ink.fillText(number, x + NUMBER / 2, y + h / 2);
  ink.textAlign = "left";
  ink.fillStyle = used ? theme.ink : theme["ink-muted"];
  ink.fillText(fitter.cut(ink, text.slice(number.length + 1), BOX.chipSize, w - NUMBER - BOX.chipPadX), x + NUMBER + BOX.chipPadX, y + h / 2);
}
