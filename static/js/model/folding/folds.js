/** What can be folded in a drawing, and what of it is: the words that the address and the pane's menu use. */

/** `repeats`: identical blocks drawn once; `chains`: rows of pointwise and view ops as one box; `views`: views, casts and getitems left out. */
const FOLDS = /** @type {const} */ (["repeats", "chains", "views"]);

/**
 * @typedef {typeof FOLDS[number]} Fold
 * @typedef {{folds: readonly Fold[], unfolded: readonly string[]}} Folding `unfolded`: paths of first blocks of rows that are drawn
 *   one by one all the same
 */

/** @type {readonly Fold[]} */
export const DEFAULT_FOLDS = Object.freeze(["repeats"]);

/** The folds among some words, in their order. @param {readonly string[]} words @returns {Fold[]} */
export function foldsIn(words) {
  return FOLDS.filter((fold) => words.includes(fold));
}

/** The folds with one more, or one less. @param {readonly Fold[]} folds @param {Fold} fold @param {boolean} on */
export function withFold(folds, fold, on) {
  return FOLDS.filter((each) => (each === fold ? on : folds.includes(each)));
}
