// What was thrown, as an Error and in words: JavaScript throws any value.

/** @param {unknown} thrown @returns {Error} */
export function asError(thrown) {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** @param {unknown} thrown */
export function wordsOf(thrown) {
  return asError(thrown).message;
}
