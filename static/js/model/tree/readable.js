/** Which groups are open when a graph is first shown: as many as stay readable. */

/** @typedef {import("../types.js").GroupTree} GroupTree */

/** About what fits a screen with labels that can still be read. */
export const READABLE_ITEMS = 150;

/**
 * Breadth first. What was decomposed from one op stays closed: its group stands for the op. So does a chain. Siblings alike are opened together or not at all: the twelve equal blocks of a model look equal. A level
 * that no longer fits ends nothing: smaller kinds of groups beside it may still open.
 * @param {Omit<GroupTree, "open">} tree
 * @param {Int32Array} direct drawn nodes directly in every group
 * @returns {Uint8Array}
 */
export function readableOpen(tree, direct) {
  const open = new Uint8Array(tree.count);
  open[0] = 1;
  const cost = (/** @type {number} */ group) => direct[group] + tree.children[group].length;
  let visible = cost(0);
  const modulesIn = (/** @type {number} */ group) => Array.from(tree.children[group]).filter((child) => tree.op[child] < 0 && tree.chain[child] < 0);
  let level = modulesIn(0);
  while (level.length) {
    const kinds = byKind(tree, level).map((groups) => ({
      groups,
      cost: groups.reduce((sum, group) => sum + cost(group), 0),
    }));
    /** @type {number[]} */
    const next = [];
    for (const kind of kinds.sort((a, b) => a.cost - b.cost)) {
      if (visible + kind.cost > READABLE_ITEMS) break;
      visible += kind.cost;
      for (const group of kind.groups) {
        open[group] = 1;
        for (const child of modulesIn(group)) next.push(child);
      }
    }
    level = next;
  }
  return open;
}

/** @param {Omit<GroupTree, "open">} tree @param {number[]} level @returns {number[][]} */
function byKind(tree, level) {
  /** @type {Map<string, number[]>} */
  const kinds = new Map();
  for (const group of level) {
    const key = tree.cls[group];
    const alike = kinds.get(key);
    if (alike) alike.push(group);
    else kinds.set(key, [group]);
  }
  return [...kinds.values()];
}
