// Words for lines of the files of the capture that is shown.

import { capture } from "../state.js";
import * as places from "../model/places.js";

/** @param {string} file @returns {readonly Api.Cell[]} those of a notebook's code; of any other file none */
export function cellsOf(file) {
  return capture.get()?.source.files.find(({ name }) => name === file)?.cells ?? [];
}

/** @param {string} file @param {number} line @returns {string} "line 7", "cell 3, line 2" */
export function placeOf(file, line) {
  return places.placeOf(cellsOf(file), line);
}

/** With the file. @param {string} file @param {number} line @returns {string} "model.py:7", "nb.ipynb, cell 3, line 2" */
export function whereOf(file, line) {
  return places.whereOf(cellsOf(file), file, line);
}
