/** Edge lists by node, as compressed rows: linear to make, two typed arrays to keep. */

/**
 * @typedef {object} Adjacency edges of node i: `edge[start[i]]` up to, not including, `edge[start[i + 1]]`
 * @property {Uint32Array} start
 * @property {Uint32Array} edge indices into the graph's edges, ascending
 */

/**
 * @param {number} count nodes
 * @param {Int32Array} end for every edge the node to list it under
 * @returns {Adjacency}
 */
export function adjacency(count, end) {
  const start = new Uint32Array(count + 1);
  for (let e = 0; e < end.length; e++) start[end[e] + 1]++;
  for (let i = 0; i < count; i++) start[i + 1] += start[i];
  const next = start.slice();
  const edge = new Uint32Array(end.length);
  for (let e = 0; e < end.length; e++) edge[next[end[e]]++] = e;
  return { start, edge };
}

/**
 * The nodes at the far ends of each node's edges that are marked, each once, in order of the edges.
 * @param {Adjacency} edges
 * @param {Int32Array} far for every edge the node at its far end
 * @param {Uint8Array} marked
 * @returns {{start: Uint32Array, node: Int32Array}}
 */
export function uniqueNeighbours({ start, edge }, far, marked) {
  const count = start.length - 1;
  const seen = new Int32Array(count).fill(-1);
  const rows = new Uint32Array(count + 1);
  const node = new Int32Array(edge.length);
  let length = 0;
  for (let i = 0; i < count; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const other = far[edge[k]];
      if (!marked[other] || seen[other] === i) continue;
      seen[other] = i;
      node[length++] = other;
    }
    rows[i + 1] = length;
  }
  return { start: rows, node: node.slice(0, length) };
}
