// A bar between two areas that is dragged, or moved with the arrow keys; the size is a custom property and is remembered.

import { readStored, store } from "./stored.js";

const STEP_PX = 24;

/**
 * @param {HTMLElement} bar
 * @param {{label: string, property: string, vertical: boolean, sign: 1|-1, least: number, most: () => number, first: number}} options
 *   `vertical`: the bar stands upright and moves sideways; `sign`: whether moving right or down makes the area larger
 */
export function splitter(bar, { label, property, vertical, sign, least, most, first }) {
  let size = Number(readStored(`size${property}`, first)) || first;
  describe(bar, label, vertical, least);
  const set = (/** @type {number} */ next) => {
    size = Math.round(Math.max(least, Math.min(most(), next)));
    document.documentElement.style.setProperty(property, `${size}px`);
    bar.setAttribute("aria-valuenow", String(size));
    bar.setAttribute("aria-valuemax", String(Math.round(most())));
  };
  const keep = () => store(`size${property}`, size);
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [start, from] = [along(event, vertical), size];
    drag(bar, event.pointerId, (at) => set(from + sign * (along(at, vertical) - start)), keep);
  });
  bar.addEventListener("dblclick", () => {
    set(first);
    keep();
  });
  bar.addEventListener("keydown", (event) => {
    const [less, more] = vertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const step = event.key === less ? -1 : event.key === more ? 1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(size + sign * step * STEP_PX);
    keep();
  });
  set(size);
}

/** @param {PointerEvent} event @param {boolean} vertical */
function along(event, vertical) {
  return vertical ? event.clientX : event.clientY;
}

/** @param {HTMLElement} bar @param {number} pointer @param {(at: PointerEvent) => void} move @param {() => void} end */
function drag(bar, pointer, move, end) {
  const stop = new AbortController();
  bar.setPointerCapture(pointer);
  bar.addEventListener("pointermove", move, { signal: stop.signal });
  bar.addEventListener("lostpointercapture", () => (stop.abort(), end()), { once: true });
}

/** What a reader of the screen is told. @param {HTMLElement} bar @param {string} label @param {boolean} vertical @param {number} least */
function describe(bar, label, vertical, least) {
  bar.className = `splitter ${vertical ? "is-upright" : "is-lying"}`;
  bar.tabIndex = 0;
  bar.setAttribute("role", "separator");
  bar.setAttribute("aria-label", label);
  bar.setAttribute("aria-orientation", vertical ? "vertical" : "horizontal");
  bar.setAttribute("aria-valuemin", String(least));
}
