/** Keys on the focused canvas. */

/** @typedef {"up" | "down" | "left" | "right"} Direction */
/**
 * @typedef {object} Keys
 * @property {(direction: Direction, add: boolean) => void} walk
 * @property {(factor: number) => void} zoom
 * @property {(dx: number, dy: number) => void} pan CSS pixels
 * @property {() => void} fit
 * @property {() => void} enter
 * @property {() => void} clear
 */

/** @type {ReadonlyMap<string, Direction>} */
const ARROWS = new Map([["ArrowUp", "up"], ["ArrowDown", "down"], ["ArrowLeft", "left"], ["ArrowRight", "right"]]);
/** @type {Record<Direction, [number, number]>} */
const SHIFTS = { up: [0, 1], down: [0, -1], left: [1, 0], right: [-1, 0] };
const STEP_PX = 80;
const ZOOM_STEP = 1.25;

/** @type {ReadonlyMap<string, (keys: Keys) => void>} */
const PLAIN = new Map([
  ["+", (keys) => keys.zoom(ZOOM_STEP)],
  ["=", (keys) => keys.zoom(ZOOM_STEP)],
  ["-", (keys) => keys.zoom(1 / ZOOM_STEP)],
  ["_", (keys) => keys.zoom(1 / ZOOM_STEP)],
  ["f", (keys) => keys.fit()],
  ["Enter", (keys) => keys.enter()],
  ["Escape", (keys) => keys.clear()],
]);

/**
 * Acts on a key. Alt with an arrow pans; Shift with an arrow adds to the selection. Keys with Ctrl or Meta belong to the
 * browser.
 * @param {Pick<KeyboardEvent, "key" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey">} event
 * @param {Keys} keys
 * @returns {boolean} whether the key meant something here
 */
export function press(event, keys) {
  if (event.ctrlKey || event.metaKey) return false;
  const arrow = ARROWS.get(event.key);
  const act = event.altKey ? undefined : PLAIN.get(event.key);
  if (arrow && event.altKey) keys.pan(SHIFTS[arrow][0] * STEP_PX, SHIFTS[arrow][1] * STEP_PX);
  else if (arrow) keys.walk(arrow, event.shiftKey);
  else if (act) act(keys);
  else return false;
  return true;
}
