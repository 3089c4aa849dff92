/** In a tree of a graph whose identical blocks are drawn once: of how many each is drawn, and what is drawn for the groups of the others. */

import { restText } from "../folding/facts.js";

/**
 * @typedef {import("../types.js").LayoutModel} LayoutModel
 * @typedef {import("../types.js").GroupTree} GroupTree
 * @typedef {Pick<GroupTree, "count"|"module"|"backward"|"shown"|"op"|"chain"|"call"|"groupOf"|"title">} Named
 *
 * @typedef {object} Repeated
 * @property {Int32Array} times by group
 * @property {Map<string, number>} also
 * @property {string[]} title
 */

/**
 * Changes `shown` and `groupOf` of what it is given: groups and nodes that are not drawn point to what is drawn for them.
 * @param {LayoutModel} model @param {Named} tree @returns {Repeated}
 */
export function repeated(model, tree) {
  const times = new Int32Array(tree.count).fill(1);
  const title = tree.title.slice();
  /** @type {Map<string, number>} */
  const also = new Map();
  if (model.stand) model.stand.forEach((at, node) => (tree.groupOf[node] = tree.groupOf[at]));
  for (const half of [0, 1]) {
    const rows = model.folds.rows.filter((row) => Number(row.backward) === half);
    if (rows.length === 0) continue;
    const groupOf = groupsOfModules(tree, half);
    for (const { copies } of rows) {
      const group = tree.shown[groupOf[copies[0].module] ?? -1] ?? -1;
      if (group < 0) continue;
      times[group] *= copies.length;
      title[group] = `${title[group]}${restText(copies.map((copy) => model.modules[copy.module].path))} ×${copies.length}`;
    }
    pointToDrawn(model, tree, half, drawnModules(model, rows), groupOf, also);
  }
  return { times, also, title };
}

/** First groups of every module in a half. @param {Named} tree @param {number} half @returns {(number|undefined)[]} by module */
function groupsOfModules({ count, module, backward, op, chain, call }, half) {
  /** @type {(number|undefined)[]} */
  const found = [];
  for (let group = 0; group < count; group++) {
    if (op[group] < 0 && chain[group] < 0 && call[group] === 0 && backward[group] === half) found[module[group]] = group;
  }
  return found;
}

/** For every module the one that is drawn for it. @param {LayoutModel} model @param {LayoutModel["folds"]["rows"]} rows */
function drawnModules({ modules }, rows) {
  const index = new Map(modules.map(({ path }, module) => [path, module]));
  const first = new Map(rows.flatMap(({ copies }) => copies.map((copy) => [copy.module, copies[0].module])));
  const drawn = modules.map((_, module) => module);
  modules.forEach(({ path, parent }, module) => {
    const around = drawn[parent] ?? parent;
    const moved = around === parent ? module : (index.get(modules[around].path + path.slice(modules[parent].path.length)) ?? module);
    drawn[module] = first.get(moved) ?? moved;
  });
  return drawn;
}

/**
 * @param {LayoutModel} model @param {Named} tree @param {number} half @param {readonly number[]} drawn
 * @param {readonly (number|undefined)[]} groupOf @param {Map<string, number>} also
 */
function pointToDrawn({ modules }, tree, half, drawn, groupOf, also) {
  drawn.forEach((at, module) => {
    const group = groupOf[at];
    if (at === module || group === undefined) return;
    const own = groupOf[module];
    if (own !== undefined && tree.shown[own] < 0) tree.shown[own] = tree.shown[group];
    if (half && own === undefined) also.set(`backward:${modules[module].path}`, group);
  });
}
