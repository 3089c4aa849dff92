/** The outline of a drawing as rows from top to bottom: every group with what is in it where it is open, nothing of it where it is closed. */

/**
 * @typedef {import("../types.js").GroupTree} GroupTree
 * @typedef {import("./inside.js").Entry} Entry
 *
 * @typedef {object} Rows
 * @property {number} count
 * @property {Int32Array} group -1: the row is a node
 * @property {Int32Array} node -1: the row is a group
 * @property {Uint8Array} level from 1
 * @property {Int32Array} place from 1, among the rows of the same group
 * @property {Int32Array} size how many rows that group has
 */

/**
 * @param {readonly (readonly Entry[])[]} inside what stands in every group @param {Uint8Array} open by group @returns {Rows}
 */
export function rowsOf(inside, open) {
  const count = countRows(inside, open);
  /** @type {Rows} */
  const rows = {
    count,
    group: new Int32Array(count),
    node: new Int32Array(count),
    level: new Uint8Array(count),
    place: new Int32Array(count),
    size: new Int32Array(count),
  };
  const stack = [{ entries: inside[0] ?? [], at: 0 }];
  for (let row = 0; stack.length;) {
    const top = stack[stack.length - 1];
    if (top.at === top.entries.length) {
      stack.pop();
      continue;
    }
    const { group, node } = top.entries[top.at++];
    rows.group[row] = group;
    rows.node[row] = node;
    rows.level[row] = Math.min(stack.length, 255);
    rows.place[row] = top.at;
    rows.size[row++] = top.entries.length;
    if (group >= 0 && open[group]) stack.push({ entries: inside[group], at: 0 });
  }
  return rows;
}

/** @param {readonly (readonly Entry[])[]} inside @param {Uint8Array} open */
function countRows(inside, open) {
  const pending = [0];
  let count = 0;
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    count += inside[group]?.length ?? 0;
    for (const entry of inside[group] ?? []) if (entry.group >= 0 && open[entry.group]) pending.push(entry.group);
  }
  return count;
}

/** The row of a group around a row, or -1. @param {Rows} rows @param {number} row */
export function rowAround({ level }, row) {
  let at = row - 1;
  while (at >= 0 && level[at] >= level[row]) at--;
  return at;
}

/** @param {Rows} rows @param {{group: number, node: number}} entry @returns {number} its row, or -1 */
export function rowOf({ count, group, node }, entry) {
  for (let row = 0; row < count; row++) if (group[row] === entry.group && node[row] === entry.node) return row;
  return -1;
}
