/** How a text matches a word: by being it, by whole parts (`layer_norm` in `native_layer_norm`, never `add` in `addmm`), by `*` and `?`, or anywhere. */

/**
 * Which texts match: those that are the word, so that `gelu` is not `gelu_backward`; where none is, those that have it as whole
 * parts; where none has, those that contain it anywhere: `conv` finds `convolution`.
 * @param {readonly string[]} texts in small letters @param {string} word in small letters @param {Uint8Array} [asked] 1: this text counts
 * @returns {Uint8Array} 1: it matches
 */
export function matching(texts, word, asked) {
  if (/[*?]/.test(word)) return marked(texts, globOf(word), asked);
  const ways = [(/** @type {string} */ text) => text === word, (/** @type {string} */ text) => hasPart(text, word)];
  for (const way of ways) {
    const found = marked(texts, way, asked);
    if (found.includes(1)) return found;
  }
  return marked(texts, (text) => text.includes(word), asked);
}

/** @param {readonly string[]} texts @param {(text: string) => boolean} fits @param {Uint8Array} [asked] @returns {Uint8Array} */
function marked(texts, fits, asked) {
  return Uint8Array.from(texts, (text, i) => (asked && !asked[i] ? 0 : fits(text) ? 1 : 0));
}

/** @param {string} text @param {string} word @returns {boolean} whether it stands there with nothing of a word before or behind it */
export function hasPart(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isEdge(text[at - 1]) && isEdge(text[at + word.length])) return true;
  }
  return false;
}

/** @param {string|undefined} character */
function isEdge(character) {
  return character === undefined || !/[a-z0-9]/.test(character);
}

/**
 * A pattern with `*` (any run) and `?` (one character) for the whole text. Every star is tried once from the left, so that no
 * pattern takes more than length times length.
 * @param {string} pattern @returns {(text: string) => boolean}
 */
export function globOf(pattern) {
  return (text) => {
    let [p, star, back] = [0, -1, 0];
    for (let t = 0; t < text.length;) {
      if (pattern[p] === "*") [star, back] = [p++, t];
      else if (pattern[p] === "?" || pattern[p] === text[t]) [p, t] = [p + 1, t + 1];
      else if (star >= 0) [p, t] = [star + 1, ++back];
      else return false;
    }
    while (pattern[p] === "*") p++;
    return p === pattern.length;
  };
}
