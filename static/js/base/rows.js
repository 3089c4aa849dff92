/** Compressed rows: the members of every row side by side in one array. */

/**
 * @typedef {object} Rows members of row r: `member[start[r]]` up to, not including, `member[start[r + 1]]`
 * @property {Int32Array} start one longer than there are rows
 * @property {Int32Array} member
 */

/**
 * Sorts members 0, 1, 2... into rows, keeping their order. Linear.
 * @param {number} rows
 * @param {ArrayLike<number>} rowOf row of every member; negative: in none
 * @returns {Rows}
 */
export function rowsOf(rows, rowOf) {
  const start = new Int32Array(rows + 1);
  for (let i = 0; i < rowOf.length; i++) if (rowOf[i] >= 0) start[rowOf[i] + 1]++;
  for (let r = 0; r < rows; r++) start[r + 1] += start[r];
  const next = start.slice();
  const member = new Int32Array(start[rows]);
  for (let i = 0; i < rowOf.length; i++) if (rowOf[i] >= 0) member[next[rowOf[i]]++] = i;
  return { start, member };
}
