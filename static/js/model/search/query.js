/**
 * What a person typed into the search, taken apart: steps joined by arrows, each step some terms that must all hold of a node.
 *
 *   linear bf16                     two words, in any field
 *   op:mm|bmm -kind:view            a field, alternatives, and what must not hold
 *   f32[8, *, 64]                   a type; also shape:8x*x64
 *   layer_norm -> linear -> gelu    a pattern: what reads what; `<-` the other way round, `...` anything in between, `*` any node
 */

/**
 * @typedef {{field: string, not: boolean, any: string[]}} Term `field`: a key of FIELDS, "" for a word; `any`: one of these, in small letters
 * @typedef {{terms: Term[]}} Step no terms: any node
 * @typedef {{down: boolean, far: boolean}} Arrow `down`: the next step reads this one; `far`: with anything in between
 * @typedef {{steps: Step[], arrows: Arrow[]}} Query one arrow less than steps; no steps: nothing was asked
 */

/** More steps are not a small pattern, and the work grows with them. */
const MOST_STEPS = 12;

/** An arrow, or a run of characters without one in which quotes and brackets hold spaces together. */
const TOKEN = /\s*(?:(->|→|<-|←)|((?:"[^"]*"?|\[[^\]]*\]?|(?!->|<-)[^\s"[→←])+))/gy;

/** `f32`, `bf16`, `b8`, `f8e4m3fn`: what stands before the bracket of a type; an index such as `getitem[0]` is none. */
const TYPE = /^([a-z]{1,2}\d+\w*)?(\[[^\]]*\])$/;

/**
 * @param {string} text @param {ReadonlySet<string>} fields names that a colon may follow; with any other it is a plain word
 * @returns {Query}
 */
export function parseQuery(text, fields) {
  /** @type {Step[]} */
  const steps = [];
  /** @type {Arrow[]} */
  const arrows = [];
  /** @type {Step|null} */
  let step = null;
  /** @type {Arrow|null} */
  let arrow = null;
  for (const [, way, word] of text.matchAll(TOKEN)) {
    if (way) {
      const down = way === "->" || way === "→";
      arrow = { down, far: step === null && arrow !== null && arrow.far };
      step = null;
    } else if (word === "..." || word === "…") {
      if (arrow) arrow.far = true;
    } else {
      if (step === null) {
        if (steps.length === MOST_STEPS) break;
        if (steps.length) arrows.push(arrow ?? { down: true, far: false });
        steps.push((step = { terms: [] }));
      }
      step.terms.push(...termsOf(word, fields));
    }
  }
  return { steps, arrows };
}

/** @param {string} word @param {ReadonlySet<string>} fields @returns {Term[]} none for `*` */
function termsOf(word, fields) {
  if (word === "*") return [];
  const not = word.length > 1 && word.startsWith("-");
  const text = (not ? word.slice(1) : word).toLowerCase();
  const cut = text.indexOf(":");
  const field = cut > 0 && fields.has(text.slice(0, cut)) ? text.slice(0, cut) : "";
  if (field) {
    const any = alternatives(text.slice(cut + 1));
    return any.length ? [{ field, not, any }] : []; // `op:` is being typed: it asks nothing yet
  }
  const type = TYPE.exec(text);
  if (type && !not) {
    const [, dtype, shape] = type;
    return [...(dtype ? [{ field: "dtype", not, any: [dtype] }] : []), { field: "shape", not, any: [shape] }];
  }
  const any = alternatives(text.replaceAll("::", "."));
  return any.length ? [{ field: "", not, any }] : [];
}

/** @param {string} text `a|b`; quotes hold a `|` or a space together @returns {string[]} */
function alternatives(text) {
  const parts = text.match(/(?:"[^"]*"?|\[[^\]]*\]?|[^|"[])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', "").trim()).filter(Boolean);
}
