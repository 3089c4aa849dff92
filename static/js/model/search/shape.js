/** Types in words (`f32[8, s0, 64]`, tuples of them) and what is asked of their shapes. */

/** @typedef {{dtype: string, dims: string[]}} Tensor */

const TENSOR = /(\w+)\[([^\]]*)\]/g;

/** Every tensor a type names. @param {string} type in small letters @returns {Tensor[]} */
export function tensorsOf(type) {
  return Array.from(type.matchAll(TENSOR), ([, dtype, dims]) => ({ dtype, dims: dimsOf(dims) }));
}

/** @param {string} text `8, s0, max(1, s3)` @returns {string[]} without spaces; a comma in parentheses parts nothing */
function dimsOf(text) {
  const dims = [""];
  let depth = 0;
  for (const each of text.replace(/\s+/g, "")) {
    if (each === "(") depth++;
    if (each === ")") depth--;
    if (each === "," && depth === 0) dims.push("");
    else dims[dims.length - 1] += each;
  }
  return dims.filter((dim) => dim !== "");
}

/**
 * What is asked of a shape: `[8, *, 64]`, `8x*x64` and `8,*,64` are whole shapes, `*` one dimension, `...` any number of them;
 * `64` alone is a dimension anywhere.
 * @param {string} text in small letters @returns {(dims: readonly string[]) => boolean}
 */
export function shapeTest(text) {
  const whole = /^\[(.*)\]$/.exec(text);
  const dims = dimsOf(whole ? whole[1] : crosses(text) ? text.replaceAll("x", ",") : text);
  if (!whole && dims.length === 1 && dims[0] !== "...") return (shape) => shape.includes(dims[0]);
  return (shape) => fits(shape, dims);
}

/** `8x64`: crosses between sizes, not the x of a name. @param {string} text */
function crosses(text) {
  return /^(?:\d+|\*|\.\.\.|s\d+)(?:x(?:\d+|\*|\.\.\.|s\d+))+$/.test(text);
}

/** @param {readonly string[]} shape @param {readonly string[]} dims as `globOf` does it, `...` for its `*` */
function fits(shape, dims) {
  let [d, gap, back] = [0, -1, 0];
  for (let s = 0; s < shape.length;) {
    if (dims[d] === "..." || dims[d] === "…") [gap, back] = [d++, s];
    else if (dims[d] === "*" || dims[d] === shape[s]) [d, s] = [d + 1, s + 1];
    else if (gap >= 0) [d, s] = [gap + 1, ++back];
    else return false;
  }
  while (dims[d] === "..." || dims[d] === "…") d++;
  return d === dims.length;
}
