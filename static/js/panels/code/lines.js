// Lines of a read-only text under the pointer and the keys: one is chosen by a click or Enter, several by dragging over them, by
// dragging in the gutter, or with Shift.

import { EditorView, gutter, keymap, lineNumbers } from "../../../vendor/codemirror-6.43.15/codemirror.js";
import { numberOf } from "../../model/places.js";

/**
 * @typedef {object} LineCalls
 * @property {(from: number, to: number) => void} onLines chose these lines, both included
 * @property {(line: number) => void} onHover the pointer is over this line; 0: over none
 */

/** @param {any} view @param {number} y client pixels @returns {number} */
function lineAt(view, y) {
  return view.state.doc.lineAt(view.lineBlockAtHeight(y - view.documentTop).from).number;
}

/** The lines that the text selection touches; an end at the start of a line does not touch it. @param {any} state @returns {[number, number]} */
function selectedLines({ doc, selection: { main } }) {
  const from = doc.lineAt(main.from).number;
  const last = doc.lineAt(main.to);
  return [from, main.to === last.from && last.number > from ? last.number - 1 : last.number];
}

/** Asked for a line past the end too, for the width of the column. The last line of a notebook's code is a blank one. @param {any} state @param {readonly Api.Cell[]} cells @param {number} line */
function numbered(state, cells, line) {
  const { lines } = state.doc;
  if (line > lines) return String(line);
  return cells.length && line === lines ? "" : numberOf(cells, line);
}

/**
 * @param {LineCalls & {cells?: readonly Api.Cell[]}} calls with the cells of a notebook's code, in which its lines are numbered
 * @param {object} counts the gutter's class and markers
 * @returns {any[]} extensions
 */
export function lineChoice({ onLines, onHover, cells = [] }, counts) {
  const drag = gutterDrag(onLines);
  let over = 0;
  const hover = (/** @type {number} */ line) => {
    if (line === over) return;
    over = line;
    onHover(line);
  };
  return [
    gutter({ ...counts, domEventHandlers: { mousedown: drag } }),
    lineNumbers({
      domEventHandlers: { mousedown: drag },
      formatNumber: (/** @type {number} */ line, /** @type {any} */ state) => numbered(state, cells, line),
    }),
    EditorView.domEventHandlers({
      click: (/** @type {MouseEvent} */ event, /** @type {any} */ view) => {
        const { main } = view.state.selection;
        const [from, to] = selectedLines(view.state);
        if (main.empty) {
          const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (position !== null) onLines(view.state.doc.lineAt(position).number, view.state.doc.lineAt(position).number);
        } else if (to > from) onLines(from, to); // within a line it is text to be copied
      },
      mousemove: (/** @type {MouseEvent} */ event, /** @type {any} */ view) => {
        hover(event.buttons ? 0 : lineAt(view, event.clientY));
      },
      mouseleave: () => hover(0),
    }),
    keymap.of([{ key: "Enter", run: (/** @type {any} */ view) => (onLines(...selectedLines(view.state)), true) }]),
  ];
}

/**
 * From the line where the button went down to that where it comes up; with Shift from the line before.
 * @param {(from: number, to: number) => void} onLines
 */
function gutterDrag(onLines) {
  let anchor = 0;
  return (/** @type {any} */ view, /** @type {any} */ block, /** @type {MouseEvent} */ event) => {
    const line = view.state.doc.lineAt(block.from).number;
    if (!event.shiftKey || anchor === 0) anchor = line;
    let head = line;
    const mark = () => {
      const { doc } = view.state;
      const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
      view.dispatch({
        selection: from < to ? { anchor: doc.line(from).from, head: doc.line(to).to } : { anchor: doc.line(to).from },
      });
    };
    const moved = (/** @type {MouseEvent} */ at) => {
      head = lineAt(view, at.clientY);
      mark();
    };
    mark();
    window.addEventListener("mousemove", moved);
    window.addEventListener(
      "mouseup",
      () => {
        window.removeEventListener("mousemove", moved);
        onLines(Math.min(anchor, head), Math.max(anchor, head));
      },
      { once: true },
    );
    event.preventDefault();
    view.focus();
    return true;
  };
}
