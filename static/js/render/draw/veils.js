/** Groups that open or close just now: what they hold comes out of, or goes back into, the face of the closed group. */
import { GROUP_BOX as BOX } from "../../base/scene/boxes.js";

/** @param {import("./draw.js").Frame} frame */
export function drawVeils({ ink, theme, drawing, visible, veils = [] }) {
  for (const { item, strength } of veils) {
    if (!visible.holds(item)) continue;
    const { x, y, w, h } = drawing.rectOf(item);
    ink.globalAlpha = strength;
    ink.fillStyle = theme.closed;
    ink.beginPath();
    ink.roundRect(x, y, w, h, BOX.radius);
    ink.fill();
  }
  ink.globalAlpha = 1;
}
