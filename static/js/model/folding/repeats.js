/**
 * Identical blocks drawn once: for every node of a block that is not drawn, the node of the first one that stands for it, and the
 * edges that are not drawn, because they lead from one block to the next or are those of the first block again.
 */

/**
 * @typedef {import("../types.js").Edges} Edges
 * @typedef {import("../../base/adjacency.js").Adjacency} Adjacency
 * @typedef {import("../types.js").Repeat} Repeat
 *
 * @typedef {object} Standing
 * @property {Int32Array} stand node -> node that is drawn for it, itself where it is drawn
 * @property {Uint8Array} dropped 1 by edge
 * @property {Repeat[]} rows those that are folded
 */

/** Unique in a graph: the path of the group that is drawn. @param {Repeat} row @param {readonly {path: string}[]} modules */
export function repeatPath({ backward, copies }, modules) {
  return `${backward ? "backward:" : ""}${modules[copies[0].module].path}`;
}

/**
 * Rows around others come first; those inside a block that is not drawn are left out.
 * @param {number} count nodes @param {Edges} edges @param {Adjacency} into edges by the node at their end @param {readonly Repeat[]} rows
 * @returns {Standing}
 */
export function standIns(count, edges, into, rows) {
  const stand = Int32Array.from({ length: count }, (_, node) => node);
  const dropped = new Uint8Array(edges.count);
  const copyOf = new Int32Array(count).fill(-1);
  const folded = rows.filter((row) => stands(stand, row));
  let first = 0; // copies are numbered through all rows, so that nothing has to be cleared
  for (const { copies } of folded) {
    const nodes = copies.map((copy) => spelt(copy.nodes));
    nodes.forEach((its, k) => its.forEach((node) => (copyOf[node] = first + k)));
    nodes.forEach((its, k) => its.forEach((node) => drop(node, k, first, nodes.length)));
    nodes.slice(1).forEach((its) => its.forEach((node, at) => (stand[node] = nodes[0][at])));
    first += nodes.length;
  }
  return { stand: settled(stand), dropped, rows: folded };

  /** @param {number} node @param {number} copy @param {number} from @param {number} copies */
  function drop(node, copy, from, copies) {
    for (let i = into.start[node]; i < into.start[node + 1]; i++) {
      const other = copyOf[edges.src[into.edge[i]]] - from;
      if (other >= 0 && other < copies && (copy > 0 || other > 0)) dropped[into.edge[i]] = 1;
    }
  }
}

/** Whether the first block of a row is drawn; notes that its other blocks are not. @param {Int32Array} stand @param {Repeat} row */
function stands(stand, { copies }) {
  const drawn = stand[copies[0].nodes[0]] === copies[0].nodes[0];
  if (drawn) for (const { nodes } of copies.slice(1)) for (const node of spelt(nodes)) stand[node] = -1;
  return drawn;
}

/** `[3, 3, 9, 1]` as 3, 4, 5, 9. @param {readonly number[]} ranges @returns {number[]} */
export function spelt(ranges) {
  const nodes = [];
  for (let i = 0; i < ranges.length; i += 2) for (let k = 0; k < ranges[i + 1]; k++) nodes.push(ranges[i] + k);
  return nodes;
}

/** Follows every node to the one that is drawn: a head of a block of a row of blocks. @param {Int32Array} stand */
function settled(stand) {
  for (let node = 0; node < stand.length; node++) {
    let at = node;
    while (stand[at] !== at) at = stand[at];
    stand[node] = at;
  }
  return stand;
}
