// The option `construct` as text of a class and what is typed for its parameters, `Net(10, hidden=64)`, or a function's name.

/**
 * What can be chosen. `made`: by calling it with the parameters of `constructor`; else it is captured as it is.
 * @typedef {{name: string, made: boolean, constructor: Api.Parameter[], signature: Api.Parameter[]}} Choice
 */

/** @param {Pick<Api.Look, "classes"|"functions">} look @returns {Choice[]} classes, then functions */
export function choicesOf(look) {
  const classes = look.classes.map(({ name, constructor }) => ({ name, made: true, constructor, signature: constructor }));
  const functions = look.functions.map(({ name, parameters }) => ({ name, made: false, constructor: [], signature: parameters }));
  return [...classes, ...functions];
}

/**
 * Parameters left empty keep their defaults.
 * @param {Choice} cls @param {{[name: string]: string}} values @returns {string}
 */
export function constructText(cls, values) {
  if (!cls.made) return cls.name;
  const typed = (/** @type {string} */ name) => (values[name] ?? "").trim();
  const rest = cls.constructor.find(({ kind }) => kind === "rest");
  const byPlace = rest !== undefined && typed(rest.name) !== "";
  const parts = [];
  for (const { name, kind } of cls.constructor) {
    if (!typed(name)) continue;
    const bare = kind === "positional" || kind === "rest" || kind === "words" || (kind === "usual" && byPlace);
    parts.push(bare ? typed(name) : `${name}=${typed(name)}`);
  }
  return `${cls.name}(${parts.join(", ")})`;
}

/** What `constructText` would make the same text of. @param {Choice} cls @param {Api.Made} made @returns {{[name: string]: string}} */
export function valuesOf(cls, made) {
  const known = new Set(cls.constructor.map(({ name }) => name));
  const of = (/** @type {string} */ kind) => cls.constructor.find((parameter) => parameter.kind === kind)?.name;
  /** @type {{[name: string]: string}} */
  const values = {};
  for (const { name, text } of made.arguments) {
    const own = known.has(name) ? name : name === "" ? of("rest") : of("words");
    if (own === undefined) continue;
    const written = known.has(name) || name === "" ? text : name === "**" ? `**${text}` : `${name}=${text}`;
    values[own] = values[own] ? `${values[own]}, ${written}` : written;
  }
  return values;
}

/** `Net(channels, classes=10)`, as Python would show it. @param {Choice} cls @returns {string} */
export function signatureText(cls) {
  const shown = cls.signature.map(({ name, kind, default: value }) => {
    if (kind === "rest") return `*${name}`;
    if (kind === "words") return `**${name}`;
    return value ? `${name}=${value}` : name;
  });
  return `${cls.name}(${shown.join(", ")})`;
}

/** Names of what has to be given and is not. @param {Choice} cls @param {{[name: string]: string}} values */
export function missing(cls, values) {
  return cls.constructor.filter(({ name, required }) => required && !(values[name] ?? "").trim()).map(({ name }) => name);
}
