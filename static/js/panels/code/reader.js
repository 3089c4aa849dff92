// Source code to read: a gutter that says how many nodes each line owns, and lines that can be lit up and clicked.

import {
  Decoration,
  EditorState,
  EditorView,
  GutterMarker,
  RangeSet,
  StateEffect,
  StateField,
  defaultKeymap,
  gutter,
  keymap,
} from "../../../vendor/codemirror-6.43.15/codemirror.js";
import { mountCode } from "./mount.js";

const setCounts = StateEffect.define();
const setLit = StateEffect.define();

class CountMarker extends GutterMarker {
  /** @param {number} nodes */
  constructor(nodes) {
    super();
    this.nodes = nodes;
  }

  /** @param {CountMarker} other */
  eq(other) {
    return other.nodes === this.nodes;
  }

  toDOM() {
    const mark = document.createElement("span");
    mark.className = "count";
    mark.textContent = this.nodes > 999 ? "999+" : String(this.nodes);
    mark.title =
      this.nodes === 1 ? "1 node of this graph comes from this line" : `${this.nodes} nodes of this graph come from this line`;
    return mark;
  }
}

/** @param {any} doc @param {Map<number, number>} counts line -> nodes */
function markers(doc, counts) {
  const inside = [...counts].filter(([line]) => line >= 1 && line <= doc.lines).sort(([a], [b]) => a - b);
  return RangeSet.of(inside.map(([line, nodes]) => new CountMarker(nodes).range(doc.line(line).from)));
}

const counted = StateField.define({
  create: () => RangeSet.empty,
  update: (/** @type {any} */ value, /** @type {any} */ change) =>
    change.effects.reduce(
      (/** @type {any} */ now, /** @type {any} */ effect) =>
        effect.is(setCounts) ? markers(change.state.doc, effect.value) : now,
      value,
    ),
});

const lit = StateField.define({
  create: () => Decoration.none,
  update: (/** @type {any} */ value, /** @type {any} */ change) =>
    change.effects.reduce((/** @type {any} */ now, /** @type {any} */ effect) => {
      if (!effect.is(setLit)) return now;
      const { doc } = change.state;
      const lines = effect.value
        .filter((/** @type {number} */ line) => line >= 1 && line <= doc.lines)
        .sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
      return Decoration.set(
        lines.map((/** @type {number} */ line) => Decoration.line({ class: "lit" }).range(doc.line(line).from)),
      );
    }, value),
  provide: (/** @type {any} */ field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  ".cm-line": { cursor: "pointer" },
  ".lit": { backgroundColor: "var(--select)" },
  ".counts": { minWidth: "34px" },
  ".counts .cm-gutterElement": { display: "flex", justifyContent: "flex-end", alignItems: "center", paddingLeft: "4px" },
  ".count": {
    fontSize: "10.5px",
    lineHeight: "15px",
    padding: "0 5px",
    borderRadius: "8px",
    cursor: "pointer",
    background: "var(--accent-soft)",
    color: "var(--accent)",
  },
});

/**
 * @param {HTMLElement} host @param {string} text @param {{label: string, onLine: (line: number) => void}} options
 * @returns {{setCounts: (counts: Map<number, number>) => void, light: (lines: number[]) => void, goTo: (line: number) => void,
 *   destroy: () => void}}
 */
export function codeReader(host, text, { label, onLine }) {
  const view = mountCode(host, text, [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    counted,
    lit,
    theme,
    gutter({
      class: "counts",
      markers: (/** @type {any} */ at) => at.state.field(counted),
      domEventHandlers: {
        mousedown: (/** @type {any} */ at, /** @type {any} */ block) => (onLine(at.state.doc.lineAt(block.from).number), true),
      },
    }),
    EditorView.domEventHandlers({
      click: (/** @type {MouseEvent} */ event, /** @type {any} */ at) => {
        const position = at.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position !== null && at.state.selection.main.empty) onLine(at.state.doc.lineAt(position).number);
      },
    }),
    keymap.of([
      { key: "Enter", run: (/** @type {any} */ at) => (onLine(at.state.doc.lineAt(at.state.selection.main.head).number), true) },
      ...defaultKeymap,
    ]),
  ]);
  return {
    setCounts: (counts) => view.dispatch({ effects: setCounts.of(counts) }),
    light: (lines) => view.dispatch({ effects: setLit.of(lines) }),
    goTo: (line) => {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    },
    destroy: () => view.destroy(),
  };
}
