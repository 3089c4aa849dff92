/** Where one folded value is read and written: while it is selected, lines lead from one of its chips to the next. */
import { chipRect } from "../nodes.js";
import { traceArrow } from "./edges.js";

/** @typedef {import("../draw.js").Frame} Frame */

const WIDTH_PX = 1.5;
const DASH_PX = [5, 4];
/** How far a line bends out to the left of its chips, as a part of how far it leads, and at most, world units. */
const BEND = 0.25;
const MOST_BEND = 160;
/** More are a blur. */
const MOST = 60;

/** @param {Frame} frame */
export function drawShared(frame) {
  const { ink, theme, k, drawing, marked } = frame;
  const { nodes, selected: { chips } } = marked;
  if (nodes.length !== 1 || chips.length < 2) return;
  const px = 1 / Math.min(k, 1);
  const ends = chips.slice(0, MOST).map(([item, row]) => ({ rect: chipRect(drawing, item, row), into: drawing.textsOf(item).chips[row].look === "into" }));
  ends.sort((a, b) => a.rect.y - b.rect.y);
  ink.strokeStyle = ink.fillStyle = theme.accent;
  ink.lineWidth = WIDTH_PX * px;
  ink.setLineDash(DASH_PX.map((length) => length * px));
  for (let at = 1; at < ends.length; at++) trace(ink, ends[at - 1].rect, ends[at].rect);
  ink.setLineDash([]);
  ink.beginPath();
  for (const { rect, into } of ends) if (into) traceArrow(ink, rect.x, rect.y + rect.h / 2, 1, 0);
  ink.fill();
}

/** @param {Frame["ink"]} ink @param {import("../../lens/camera.js").Rect} a @param {import("../../lens/camera.js").Rect} b */
function trace(ink, a, b) {
  const [ay, by] = [a.y + a.h / 2, b.y + b.h / 2];
  const bend = Math.min(MOST_BEND, 20 + (Math.abs(by - ay) + Math.abs(b.x - a.x)) * BEND);
  ink.beginPath();
  ink.moveTo(a.x, ay);
  ink.bezierCurveTo(a.x - bend, ay, b.x - bend, by, b.x, by);
  ink.stroke();
}
