/** Groups of the nodes that were decomposed from one call, inside the groups of their modules. */

/** @typedef {Omit<import("./calls.js").Nesting, "call"|"chain">} Given */

/**
 * The given groups, and behind them one for every call of which a group holds several nodes. Nodes of one call that lie in
 * two groups stay apart.
 * @param {import("../types.js").LayoutModel} model @param {Given} given @returns {Given}
 */
export function splitOps({ count, call, calls, folded }, given) {
  const { module, backward, parent, op } = given;
  /** @type {Map<number, number[]>} */
  const members = new Map();
  for (let i = 0; i < count; i++) {
    if (call[i] < 0 || folded[i]) continue;
    const key = given.groupOf[i] * calls.length + call[i];
    const its = members.get(key);
    if (its) its.push(i);
    else members.set(key, [i]);
  }
  const groupOf = given.groupOf.slice();
  const made = [...members.values()].filter((nodes) => nodes.length > 1);
  made.forEach((nodes, at) => nodes.forEach((node) => (groupOf[node] = parent.length + at)));
  const around = made.map(([first]) => given.groupOf[first]);
  const from = made.map(([first]) => call[first]);
  return {
    module: Int32Array.from([...module, ...around.map((group) => module[group])]),
    backward: Uint8Array.from([...backward, ...from.map((each) => (calls[each].backward ? 1 : 0))]),
    parent: Int32Array.from([...parent, ...around]),
    op: Int32Array.from([...op, ...from]),
    groupOf,
  };
}
