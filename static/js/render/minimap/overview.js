/** The picture on the map: all boxes of the graph, without texts and lines, and what is selected or found. */
import { drawClosedGroups, drawOpenGroups, drawSolidGroups } from "../draw/groups.js";
import { drawNodes } from "../draw/nodes.js";

/**
 * @typedef {import("../draw/draw.js").Frame} Frame
 * @typedef {import("./place.js").Place} Place
 */

/** A mark on the map, CSS pixels across. */
const MARK = 4;
/** More marks are a blur. */
const MOST_MARKS = 2000;

/**
 * Draws the boxes a pass at a time: a large graph takes longer than a frame may. @param {Frame} frame @returns {Generator<void, void>}
 */
export function* boxes(frame) {
  frame.visible.collect(frame.drawing.scene, frame.view, frame.k);
  for (const pass of [drawOpenGroups, drawSolidGroups, drawClosedGroups, drawNodes]) {
    yield;
    pass(frame);
  }
}

/** @param {Pick<Frame, "drawing" | "theme" | "marked">} frame @param {CanvasRenderingContext2D} ink in world units @param {Place["k"]} k */
export function drawMarks({ drawing, theme, marked }, ink, k) {
  for (const { style, found } of marked.highlighted) {
    if (!style.startsWith("near")) drawDots(drawing, ink, k, found, style === "search" ? theme.search : theme.accent);
  }
  drawDots(drawing, ink, k, marked.selected, theme.accent);
}

/** @param {Frame["drawing"]} drawing @param {CanvasRenderingContext2D} ink @param {Place["k"]} k @param {import("../marked.js").Found} found @param {string} colour */
function drawDots(drawing, ink, k, { items, chips }, colour) {
  ink.fillStyle = colour;
  let drawn = 0;
  for (const item of [...items.keys(), ...chips.map(([item]) => item)]) {
    if (++drawn > MOST_MARKS) return;
    const { x, y, w, h } = drawing.rectOf(item);
    const [wide, high] = [Math.max(w, MARK / k.x), Math.max(h, MARK / k.y)];
    ink.fillRect(x + (w - wide) / 2, y + (h - high) / 2, wide, high);
  }
}
