/** Where the lines of a drawing run: from top to bottom, or from left to right. The first is the default. */
export const FLOWS = /** @type {const} */ (["down", "right"]);

/** @typedef {typeof FLOWS[number]} Flow */
