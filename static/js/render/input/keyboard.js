/** Keys on the focused canvas. */

/** @typedef {"up" | "down" | "left" | "right"} Direction */
/**
 * @typedef {object} Keys
 * @property {(direction: Direction, add: boolean) => void} walk
 * @property {(step: 1 | -1) => void} turn to another end of the edges along which one came
 * @property {(last: boolean) => void} end to the first or the last thing in execution order
 * @property {() => void} out to the group around, from the top to the graph around
 * @property {() => void} chip to the next value folded into the box
 * @property {(pages: number) => void} page scrolls by windows, downwards
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
  ["[", (keys) => keys.turn(-1)],
  ["]", (keys) => keys.turn(1)],
  ["Home", (keys) => keys.end(false)],
  ["End", (keys) => keys.end(true)],
  ["PageUp", (keys) => keys.page(-1)],
  ["PageDown", (keys) => keys.page(1)],
  ["Backspace", (keys) => keys.out()],
  ["c", (keys) => keys.chip()],
]);

/** Every key that means something on the canvas, for the help to be held against. */
export const CANVAS_KEYS = [...ARROWS.keys(), ...PLAIN.keys()];

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
