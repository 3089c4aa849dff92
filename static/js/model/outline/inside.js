/** What stands below each group of a drawing: its groups and nodes, mixed, in execution order. */

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {import("../types.js").GroupTree} GroupTree
 * @typedef {{group: number, node: number}} Entry one of the two is -1
 */

/**
 * @param {GraphModel} model @param {GroupTree} tree
 * @returns {Entry[][]} for every group what stands directly in it
 */
export function outlineOf(model, tree) {
  /** @type {Entry[][]} */
  const inside = Array.from({ length: tree.count }, () => []);
  const placed = new Uint8Array(tree.count);
  // parameters come first in a graph, in the order of their names: where a module stands is for the nodes that run to say
  const drawn = [...model.folded.keys()].filter((node) => !model.stand || model.stand[node] === node);
  const running = drawn.filter((node) => !model.folded[node]);
  const folded = drawn.filter((node) => model.folded[node]);
  for (const node of [...running, ...folded]) {
    const own = homeOf(tree, node);
    const missing = [];
    for (let group = own; group > 0 && !placed[group]; group = tree.box[group]) missing.push(group);
    for (const group of missing.reverse()) {
      placed[group] = 1;
      inside[tree.box[group]].push({ group, node: -1 });
    }
    inside[own].push({ group: -1, node });
  }
  return inside;
}

/** The drawn group a node stands in; a folded node may stand in one that is not drawn: then the nearest around it. @param {GroupTree} tree @param {number} node */
function homeOf(tree, node) {
  let group = tree.groupOf[node];
  while (group > 0 && tree.shown[group] < 0) group = tree.parent[group];
  return group > 0 ? tree.shown[group] : 0;
}
