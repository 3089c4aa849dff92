/** What groups are called: in an address, where no two may share a path, and in a drawing. */

/**
 * @typedef {object} Named what the names are made of
 * @property {{path: string, cls: string}[]} modules
 * @property {{name: string, op: string}[]} calls
 * @property {Int32Array} module
 * @property {Uint8Array} backward
 * @property {Int32Array} op
 * @property {Int32Array} call
 * @property {Int32Array} box
 */

/**
 * `PATH`, `backward:PATH`, `PATH@1` for a second call, `PATH/layer_norm_2` for what was decomposed from that call.
 * @param {Named} named @returns {string[]} unique
 */
export function groupPaths({ modules, calls, module, backward, op, call }) {
  const taken = new Set();
  return Array.from(module, (m, group) => {
    const half = group >= modules.length && backward[group] ? "backward:" : "";
    const own = op[group] >= 0 ? `/${calls[op[group]].name}` : "";
    const path = `${half}${modules[m].path}${own}${call[group] ? `@${call[group]}` : ""}`;
    let unique = path;
    for (let n = 2; taken.has(unique); n++) unique = `${path}~${n}`; // a module may be called anything
    taken.add(unique);
    return unique;
  });
}

/** Path below the box around it, then the op: `attn.qkv`, `relu (call 2)`, `norm1 / layer_norm`. @param {Named} named @returns {string[]} */
export function groupTitles({ modules, calls, module, op, call, box }) {
  return Array.from(box, (around, group) => {
    const relative = below(modules[module[group]].path, around > 0 ? modules[module[around]].path : "");
    if (op[group] < 0) return call[group] ? `${relative} (call ${call[group] + 1})` : relative;
    const own = around > 0 && module[around] === module[group] ? "" : relative;
    const part = call[group] ? ` (part ${call[group] + 1})` : "";
    return `${[own, calls[op[group]].op].filter(Boolean).join(" / ")}${part}`;
  });
}

/** @param {string} path @param {string} around */
function below(path, around) {
  return around && path.startsWith(`${around}.`) ? path.slice(around.length + 1) : path;
}
