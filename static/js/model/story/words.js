// How a story names things: sources of guards as a person writes them, what a guard fixes, lines of code.

/** `self.layers.0.weight` for `L['self']._modules['layers']._modules['0']._parameters['weight']`. @param {string} source */
export function plainSource(source) {
  return source
    .replace(/\b[LG]\['(\w+)'\]/g, "$1")
    .replace(/^dict\(type\(([\w.]+)\)\.__dict__\)\['(\w+)'\]/, "type($1).$2")
    .replace(/\._(?:modules|parameters|buffers)\['([^'\]]+)'\]/g, ".$1");
}

/** What a guard that specialises the code says of its source, short: strides are left to the list of guards. @param {Api.Special} guard */
export function plainCheck({ says, fixes }) {
  return fixes === "sizes" ? says.replace(/, stride \[.*$/s, "") : says;
}

/** @type {{[fixes in Exclude<Api.Fixes, "">]: {mark: string, why: string}}} */
export const FIXED = {
  value: { mark: "value", why: "The compiled code is for this value only: another one makes torch compile anew." },
  sizes: { mark: "sizes", why: "The compiled code is for these sizes only: others make torch compile anew." },
  length: { mark: "length", why: "The compiled code is for so many items, or these keys, only." },
};

/** How far all lines are indented. @param {readonly {text: string}[]} lines */
export function indentOf(lines) {
  const written = lines.filter(({ text }) => text.trim());
  return Math.min(...written.map(({ text }) => text.length - text.trimStart().length), 200);
}

/** Longer excerpts are folded in the middle. */
const MOST = 14;
const HEAD = 7;
const TAIL = 4;

/**
 * Which of so many lines are shown before the rest is asked for.
 * @param {number} count @returns {{head: number, folded: number}} the first `head`, then `folded` are left out, then the rest
 */
export function foldOf(count) {
  return count > MOST ? { head: HEAD, folded: count - HEAD - TAIL } : { head: count, folded: 0 };
}
