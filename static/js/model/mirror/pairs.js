/**
 * Which groups of the two halves belong together, and both trees of groups as one. A group of the backward belongs to the group
 * of the same module that its nodes differentiate; where nothing tells, calls of a module come back in reverse order.
 */

/** @typedef {import("../types.js").GroupTree} GroupTree */

/**
 * For every drawn group of the backward that of the forward, or -1. Pairs lie inside pairs.
 * @param {GroupTree} ahead @param {GroupTree} back
 * @param {readonly {path: string}[]} aheadModules @param {readonly {path: string}[]} backModules
 * @param {ArrayLike<number>} kin by node of the backward: a node of the forward, or -1
 * @returns {Int32Array}
 */
export function pairGroups(ahead, back, aheadModules, backModules, kin) {
  const votes = countVotes(ahead, back, aheadModules, backModules, kin);
  const partner = new Int32Array(back.count).fill(-1);
  const taken = new Uint8Array(ahead.count);
  partner[0] = 0;
  const fits = (/** @type {number} */ b, /** @type {number} */ f) => !taken[f] && partner[back.box[b]] === ahead.box[f];
  for (const b of outermostFirst(back)) {
    if (partner[back.box[b]] < 0) continue;
    const known = [...(votes.get(b) ?? [])].sort((x, y) => y[1] - x[1] || x[0] - y[0]).map(([f]) => f);
    const found =
      known.find((f) => fits(b, f)) ?? last(ahead, backModules[back.module[b]].path, aheadModules, (f) => fits(b, f));
    if (found < 0) continue;
    partner[b] = found;
    taken[found] = 1;
  }
  return partner;
}

/** Drawn groups, each after the one around it, else in execution order. @param {GroupTree} tree @returns {number[]} */
function outermostFirst(tree) {
  const found = Array.from(tree.children[0]);
  for (let i = 0; i < found.length; i++) found.push(...tree.children[found[i]]);
  return found;
}

/** The last group of a module that fits, or -1. @param {GroupTree} tree @param {string} path @param {readonly {path: string}[]} modules @param {(group: number) => boolean} fits */
function last(tree, path, modules, fits) {
  for (let g = tree.count - 1; g > 0; g--)
    if (tree.shown[g] === g && modules[tree.module[g]].path === path && fits(g)) return g;
  return -1;
}

/**
 * How many nodes of a backward group belong to nodes of a forward group of the same module.
 * @param {GroupTree} ahead @param {GroupTree} back
 * @param {readonly {path: string}[]} aheadModules @param {readonly {path: string}[]} backModules @param {ArrayLike<number>} kin
 * @returns {Map<number, Map<number, number>>}
 */
function countVotes(ahead, back, aheadModules, backModules, kin) {
  /** @type {Map<number, Map<number, number>>} */
  const votes = new Map();
  for (let j = 0; j < back.groupOf.length; j++) {
    if (!(kin[j] >= 0 && kin[j] < ahead.groupOf.length)) continue;
    /** @type {Map<string, number>} */
    const around = new Map();
    for (let f = ahead.shown[ahead.groupOf[kin[j]]]; f > 0; f = ahead.box[f]) around.set(aheadModules[ahead.module[f]].path, f);
    for (let b = back.shown[back.groupOf[j]]; b > 0; b = back.box[b]) {
      const f = around.get(backModules[back.module[b]].path);
      if (f === undefined) continue;
      const known = votes.get(b) ?? new Map();
      known.set(f, (known.get(f) ?? 0) + 1);
      votes.set(b, known);
    }
  }
  return votes;
}

/**
 * Both trees as that of the joined graph: groups of the forward keep their numbers, those of the backward follow, and the top is
 * one. Groups of the backward are called `backward:PATH`.
 * @param {GroupTree} ahead @param {GroupTree} back @param {{nodes: number, modules: number, calls: number}} counts of the forward
 * @returns {GroupTree}
 */
export function joinedTree(ahead, back, counts) {
  const group = (/** @type {number} */ g) => (g > 0 ? g + ahead.count - 1 : g);
  const ints = (/** @type {Int32Array} */ a, /** @type {Int32Array} */ b, /** @type {(value: number) => number} */ shift) =>
    Int32Array.from([...a, ...b.subarray(1).map(shift)]);
  const bytes = (/** @type {Uint8Array} */ a, /** @type {Uint8Array} */ b) => Uint8Array.from([...a, ...b.subarray(1)]);
  const by = (/** @type {number} */ offset) => (/** @type {number} */ value) => (value < 0 ? value : value + offset);
  const children = [...ahead.children, ...back.children.slice(1).map((each) => each.map(group))];
  children[0] = Int32Array.from([...ahead.children[0], ...back.children[0].map(group)]);
  return {
    ...ahead,
    count: ahead.count + back.count - 1,
    module: ints(ahead.module, back.module, by(counts.modules)),
    backward: new Uint8Array(ahead.count + back.count - 1),
    op: ints(ahead.op, back.op, by(counts.calls)),
    call: ints(ahead.call, back.call, (value) => value),
    parent: ints(ahead.parent, back.parent, group),
    box: ints(ahead.box, back.box, group),
    shown: ints(ahead.shown, back.shown, group),
    path: [...ahead.path, ...back.path.slice(1).map((path) => `backward:${path}`)],
    title: [...ahead.title, ...back.title.slice(1)],
    cls: [...ahead.cls, ...back.cls.slice(1)],
    nodes: ints(ahead.nodes, back.nodes, (value) => value),
    first: ints(ahead.first, back.first, by(counts.nodes)),
    children,
    groupOf: Int32Array.from([...ahead.groupOf, ...back.groupOf.map(group)]),
    open: bytes(ahead.open, back.open),
  };
}
