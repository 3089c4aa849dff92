// A bar between two areas that is dragged, or moved with the arrow keys; the size is a custom property and is remembered.

import { readStored, store } from "./stored.js";

/**
 * @param {HTMLElement} bar
 * @param {{label: string, property: string, vertical: boolean, sign: 1|-1, least: number, most: () => number, first: number}} options
 *   `vertical`: the bar stands upright and moves sideways; `sign`: whether moving right or down makes the area larger
 */
export function splitter(bar, { label, property, vertical, sign, least, most, first }) {
  let size = Number(readStored(`size${property}`, first)) || first;
  bar.className = `splitter ${vertical ? "is-upright" : "is-lying"}`;
  for (const [name, value] of Object.entries({
    role: "separator",
    tabindex: "0",
    "aria-label": label,
    "aria-orientation": vertical ? "vertical" : "horizontal",
    "aria-valuemin": String(least),
  })) {
    bar.setAttribute(name, value);
  }
  const set = (/** @type {number} */ next) => {
    size = Math.round(Math.max(least, Math.min(most(), next)));
    document.documentElement.style.setProperty(property, `${size}px`);
    bar.setAttribute("aria-valuenow", String(size));
    bar.setAttribute("aria-valuemax", String(Math.round(most())));
  };
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const start = vertical ? event.clientX : event.clientY;
    const from = size;
    const move = (/** @type {PointerEvent} */ at) => set(from + sign * ((vertical ? at.clientX : at.clientY) - start));
    bar.setPointerCapture(event.pointerId);
    bar.addEventListener("pointermove", move);
    bar.addEventListener(
      "lostpointercapture",
      () => {
        bar.removeEventListener("pointermove", move);
        store(`size${property}`, size);
      },
      { once: true },
    );
  });
  bar.addEventListener("dblclick", () => {
    set(first);
    store(`size${property}`, size);
  });
  bar.addEventListener("keydown", (event) => {
    const step = {
      ArrowLeft: vertical ? -1 : 0,
      ArrowRight: vertical ? 1 : 0,
      ArrowUp: vertical ? 0 : -1,
      ArrowDown: vertical ? 0 : 1,
    }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(size + sign * step * 24);
    store(`size${property}`, size);
  });
  set(size);
}
