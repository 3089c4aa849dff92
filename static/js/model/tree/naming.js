/** What groups are called: in an address, where no two may share a path, and in a drawing. */

/**
 * @typedef {object} Named what the names are made of
 * @property {{path: string, cls: string}[]} modules
 * @property {{name: string, op: string}[]} calls
 * @property {Int32Array} module
 * @property {Uint8Array} backward
 * @property {Int32Array} op
 * @property {Int32Array} chain
 * @property {readonly (readonly string[])[]} words labels of a chain's nodes
 * @property {Int32Array} call
 * @property {Int32Array} box
 */

/** More labels than these are cut out of the middle of a title. */
const MOST_LABELS = 4;

/** The labels of the nodes of every chain. @param {import("../types.js").LayoutModel} model @param {Int32Array} chain @param {Int32Array} groupOf */
export function chainWords({ strings, label, folded }, chain, groupOf) {
  /** @type {string[][]} */
  const words = [];
  if (!chain.some((node) => node >= 0)) return words;
  for (let group = 0; group < chain.length; group++) words.push([]);
  groupOf.forEach((group, node) => chain[group] >= 0 && !folded[node] && words[group].push(strings[label[node]]));
  return words;
}

/**
 * `PATH`, `backward:PATH`, `PATH@1` for a second call, `PATH/layer_norm_2` for what was decomposed from that call,
 * `PATH/view-permute-mul` for a chain.
 * @param {Named} named @returns {string[]} unique
 */
export function groupPaths({ modules, calls, module, backward, op, chain, words, call }) {
  const taken = new Set();
  return Array.from(module, (m, group) => {
    const half = group >= modules.length && backward[group] ? "backward:" : "";
    const own = op[group] >= 0 ? `/${calls[op[group]].name}` : chain[group] >= 0 ? `/${words[group].slice(0, 2 * MOST_LABELS).join("-")}` : "";
    const path = `${half}${modules[m].path}${own}${call[group] ? `@${call[group]}` : ""}`;
    let unique = path;
    for (let n = 2; taken.has(unique); n++) unique = `${path}~${n}`; // a module may be called anything
    taken.add(unique);
    return unique;
  });
}

/** Path below the box around it, then the op: `attn.qkv`, `relu (call 2)`, `norm1 / layer_norm`. @param {Named} named @returns {string[]} */
export function groupTitles({ modules, calls, module, op, chain, words, call, box }) {
  return Array.from(box, (around, group) => {
    const relative = below(modules[module[group]].path, around > 0 ? modules[module[around]].path : "");
    if (op[group] < 0 && chain[group] < 0) return call[group] ? `${relative} (call ${call[group] + 1})` : relative;
    const own = around > 0 && module[around] === module[group] ? "" : relative;
    const part = call[group] ? ` (part ${call[group] + 1})` : "";
    const what = chain[group] >= 0 ? chainTitle(words[group]) : calls[op[group]].op;
    return `${[own, what].filter(Boolean).join(" / ")}${part}`;
  });
}

/** `view → permute → … → mul`. @param {readonly string[]} labels */
function chainTitle(labels) {
  const kept = labels.length > MOST_LABELS ? [...labels.slice(0, MOST_LABELS - 1), "…", ...labels.slice(-1)] : labels;
  return kept.join(" → ");
}

/** @param {string} path @param {string} around */
function below(path, around) {
  return around && path.startsWith(`${around}.`) ? path.slice(around.length + 1) : path;
}
