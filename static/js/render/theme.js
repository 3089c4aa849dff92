/** Colours of the drawing, read once from the custom properties of graph.css and again when the page's theme changes. */
import { mix } from "../base/colour.js";
import { HUES, RAMP } from "../model/colouring/classes.js";

/** Kinds in the order of the answer's table; each has `--kind-NAME` in graph.css, which the legend uses too. */
export const KINDS = Object.freeze([
  "input", "parameter", "buffer", "constant", "output", "matmul", "conv", "pointwise", "reduction", "view", "random",
  "higher-order", "symbolic", "other",
]);

const NAMES = /** @type {const} */ ([
  "surface", "card", "group", "border", "border-strong", "ink", "ink-muted", "edge", "edge-in", "edge-out", "accent", "trace", "search", "search-fill",
]);

/**
 * @typedef {object} KindColours
 * @property {string} bar full colour: bar, dots
 * @property {string} fill of the box, light enough for text
 * @property {string} border of the box
 * @property {string} dot the box when it is a plain dot
 * @property {string} block the box when it is too small for an outline
 *
 * @typedef {Record<typeof NAMES[number], string> & {kinds: Map<string, KindColours>, colours: Map<string, KindColours>, shades: [string, string], closed: string,
 *   solid: string}} Theme `shades`: open groups, by the parity of their depth; `closed`: a closed group; `solid`: a group too
 *   small to enter
 */

export const FONT = Object.freeze({
  text: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  mono: "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
});

/**
 * The names of all colours that nodes may have, as in graph.css without the dashes: of the kinds, of things without an order, of
 * things in an order, and of what a way of colouring says nothing about.
 */
export const COLOURS = Object.freeze([
  ...KINDS.map((kind) => `kind-${kind}`),
  ...Array.from({ length: HUES }, (_, i) => `hue-${i + 1}`),
  ...Array.from({ length: RAMP }, (_, i) => `ramp-${i}`),
  "none",
]);

/**
 * @param {(name: string) => string} read the value of a custom property, as hex
 * @returns {Theme}
 */
export function makeTheme(read) {
  const plain = /** @type {Record<typeof NAMES[number], string>} */ (
    Object.fromEntries(NAMES.map((name) => [name, read(`--graph-${name}`)])));
  return {
    ...plain,
    kinds: new Map(KINDS.map((kind) => [kind, kindColours(read(`--kind-${kind}`), plain)])),
    colours: new Map(COLOURS.map((name) => [name, kindColours(read(`--${name}`), plain)])),
    shades: [plain.group, mix(plain.group, plain.ink, 0.045)],
    closed: mix(plain.card, plain.ink, 0.03),
    solid: mix(plain.group, plain.ink, 0.13),
  };
}

/** @param {string} bar @param {{card: string, border: string}} plain @returns {KindColours} */
function kindColours(bar, plain) {
  return {
    bar, fill: mix(plain.card, bar, 0.07), border: mix(plain.border, bar, 0.35), dot: mix(plain.card, bar, 0.72), block: mix(plain.card, bar, 0.3),
  };
}

/** Reads the theme that now applies to `element`. @param {HTMLElement} element @returns {Theme} */
export function readTheme(element) {
  const style = getComputedStyle(element);
  return makeTheme((name) => {
    const value = style.getPropertyValue(name).trim();
    if (!value) throw new Error(`${name} has no value: is graph.css loaded?`);
    return value;
  });
}

/**
 * Calls `changed` whenever the page's theme changes. @param {() => void} changed @returns {() => void} ends the watch
 */
export function watchTheme(changed) {
  window.addEventListener("themechange", changed);
  return () => window.removeEventListener("themechange", changed);
}
