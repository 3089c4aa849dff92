/** What is marked on the boxes of a mirror: what both halves compute, what is a gradient, and what the partitioners do differently. */

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 *
 * @typedef {object} Mark of one item
 * @property {number} again how many calls in it both halves make
 * @property {number} free how many of those are views, which compute nothing
 * @property {number} differs how many of those only this partitioner makes twice
 * @property {string[]} gradients of which parameters and inputs it gives the gradients
 */

/** @param {Drawing} drawing @param {MirrorModel} mirror @param {boolean} compared @returns {Map<number, Mark>} by item */
export function markItems(drawing, mirror, compared) {
  /** @type {Map<number, Mark>} */
  const marks = new Map();
  const at = (/** @type {number} */ node) => {
    const item = drawing.itemOfNode[node] ?? -1;
    if (item < 0) return null;
    const mark = marks.get(item) ?? { again: 0, free: 0, differs: 0, gradients: [] };
    marks.set(item, mark);
    return mark;
  };
  const { cut, difference } = mirror.answer;
  const alone = new Set(
    compared ? difference.filter((each) => each.again_here && !each.again_there).map((each) => each.name) : [],
  );
  for (const { name, forward, backward, free } of cut.recomputed) {
    for (const node of [forward, backward + mirror.offset]) {
      const mark = at(node);
      if (!mark) continue;
      mark.again++;
      if (free) mark.free++;
      if (alone.has(name)) mark.differs++;
    }
  }
  for (const { name, node } of cut.gradients) if (node !== null) at(node + mirror.offset)?.gradients.push(name);
  return marks;
}
