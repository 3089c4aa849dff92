// What this browser remembers, under `graphcap.NAME` in localStorage. Storage may be full or forbidden: then nothing is remembered.

/** @template T @param {string} name @param {T} fallback @returns {T} */
export function readStored(name, fallback) {
  try {
    const text = localStorage.getItem(`graphcap.${name}`);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @param {string} name @param {unknown} value */
export function store(name, value) {
  try {
    localStorage.setItem(`graphcap.${name}`, JSON.stringify(value));
  } catch {
    // Nothing depends on it.
  }
}

/**
 * A capture made in this browser, with the token that may cancel and delete it.
 * @typedef {{id: string, title: string, token: string, created: string}} Remembered
 */

const KEPT = 30;

/** @returns {Remembered[]} newest first */
export function rememberedCaptures() {
  const list = readStored("captures", /** @type {Remembered[]} */ ([]));
  return Array.isArray(list) ? list : [];
}

/** @param {Remembered} made */
export function rememberCapture(made) {
  store("captures", [made, ...rememberedCaptures().filter((each) => each.id !== made.id)].slice(0, KEPT));
}

/** @param {string} id */
export function forgetCapture(id) {
  store(
    "captures",
    rememberedCaptures().filter((each) => each.id !== id),
  );
}

/** @param {string} id @returns {string} "" when this browser did not make the capture */
export function tokenOf(id) {
  return rememberedCaptures().find((each) => each.id === id)?.token ?? "";
}
