/** Which nodes stand in a group: in it, or in groups inside it. */

/** @typedef {import("../types.js").GroupTree} GroupTree */

/** Nodes that others stand for are left out. @param {GroupTree} tree @param {number} group @returns {number[]} node indices, ascending */
export function nodesInside(tree, group) {
  const inside = new Uint8Array(tree.count);
  inside[group] = 1;
  for (let changed = true; changed; ) {
    changed = false; // groups behind the modules may stand after what they hold
    for (let each = 1; each < tree.count; each++) {
      if (inside[each] || !inside[tree.parent[each]]) continue;
      inside[each] = 1;
      changed = true;
    }
  }
  const found = [];
  const { groupOf, stand } = tree;
  for (let node = 0; node < groupOf.length; node++) if (inside[groupOf[node]] && (!stand || stand[node] === node)) found.push(node);
  return found;
}
