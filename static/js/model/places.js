/**
 * What a line of a submitted file is called. The code of a notebook is one file in which each cell stands under a heading:
 * a person thinks of `cell 3, line 2` of the notebook, not of line 17 of that file.
 */

/** @param {readonly Api.Cell[]} cells @param {number} line @returns {Api.Cell|undefined} the cell it is of */
export function cellAt(cells, line) {
  return cells.filter((cell) => cell.line <= line).at(-1);
}

/** @param {readonly Api.Cell[]} cells of the file; none: it is no notebook's @param {number} line @returns {string} "line 7", "cell 3, line 2"; of a heading "cell 3" */
export function placeOf(cells, line) {
  const cell = cellAt(cells, line);
  if (!cell) return `line ${line}`;
  return line > cell.line ? `cell ${cell.number}, line ${line - cell.line}` : `cell ${cell.number}`;
}

/** @param {readonly Api.Cell[]} cells @param {number} from @param {number} to @returns {string} "lines 3 to 5", "cell 2, lines 1 to 3" */
export function rangeOf(cells, from, to) {
  if (from === to) return placeOf(cells, from);
  const [first, last] = [cellAt(cells, from), cellAt(cells, to)];
  if (!first && !last) return `lines ${from} to ${to}`;
  if (first && first === last && from > first.line) return `cell ${first.number}, lines ${from - first.line} to ${to - first.line}`;
  return `${placeOf(cells, from)} to ${placeOf(cells, to)}`;
}

/** @param {readonly Api.Cell[]} cells @param {string} file @param {number} line @returns {string} "model.py:7", "nb.ipynb, cell 3, line 2" */
export function whereOf(cells, file, line) {
  return cellAt(cells, line) ? `${file.replace(/\.py$/, "")}, ${placeOf(cells, line)}` : `${file}:${line}`;
}

/** The number beside a line: of a notebook counted in its cell, none for a heading and the blank line before one. @param {readonly Api.Cell[]} cells @param {number} line */
export function numberOf(cells, line) {
  const cell = cellAt(cells, line);
  if (!cell) return String(line);
  return line > cell.line && !cells.some((next) => next.line === line + 1) ? String(line - cell.line) : "";
}
