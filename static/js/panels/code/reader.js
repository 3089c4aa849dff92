// Source code to read: a gutter that says how many nodes each line owns, and lines that can be lit up and chosen.

import {
  Decoration,
  EditorState,
  EditorView,
  GutterMarker,
  RangeSet,
  StateEffect,
  StateField,
  defaultKeymap,
  keymap,
} from "../../../vendor/codemirror-6.43.15/codemirror.js";
import { lineChoice } from "./lines.js";
import { mountCode } from "./mount.js";

/**
 * @typedef {"own"|"kin"|"near"} Light lines of what is selected, of its kin, of what the pointer is over elsewhere
 */

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

/** @type {{[light in Light]: string}} */
const CLASSES = { own: "lit", kin: "lit-kin", near: "lit-near" };

const lit = StateField.define({
  create: () => Decoration.none,
  update: (/** @type {any} */ value, /** @type {any} */ change) =>
    change.effects.reduce((/** @type {any} */ now, /** @type {any} */ effect) => {
      if (!effect.is(setLit)) return now;
      const { doc } = change.state;
      const lines = [.../** @type {Map<number, Light>} */ (effect.value)]
        .filter(([line]) => line >= 1 && line <= doc.lines)
        .sort(([a], [b]) => a - b);
      return Decoration.set(
        lines.map(([line, light]) => Decoration.line({ class: CLASSES[light] }).range(doc.line(line).from)),
      );
    }, value),
  provide: (/** @type {any} */ field) => EditorView.decorations.from(field),
});

/** The headings of a notebook's cells, which stay where they are: the text is read only. @param {any} doc @param {readonly Api.Cell[]} cells */
function headings(doc, cells) {
  const inside = cells.filter(({ line }) => line <= doc.lines);
  return Decoration.set(inside.map(({ line }) => Decoration.line({ class: "cell-heading" }).range(doc.line(line).from)));
}

const theme = EditorView.theme({
  ".cm-line": { cursor: "pointer" },
  ".lit": { backgroundColor: "var(--select)" },
  ".lit-kin": { backgroundColor: "var(--accent-soft)", boxShadow: "inset 2px 0 0 var(--accent)" },
  ".lit-near": { backgroundColor: "var(--hover)", boxShadow: "inset 2px 0 0 var(--line-strong)" },
  ".cell-heading": { borderTop: "1px solid var(--line-strong)", color: "var(--muted)", fontWeight: "600" },
  ".cell-heading *": { color: "inherit" },
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
 * @param {HTMLElement} host @param {string} text @param {{label: string, cells?: readonly Api.Cell[]} & import("./lines.js").LineCalls} options
 *   `cells`: of a notebook's code, where each begins: its lines are numbered in their cells
 * @returns {{setCounts: (counts: Map<number, number>) => void, light: (lines: Map<number, Light>) => void,
 *   goTo: (line: number) => void, bring: (line: number) => void, destroy: () => void}}
 *   `goTo` puts the cursor there, in the middle of what is seen; `bring` only scrolls, and only if the line is out of sight
 */
export function codeReader(host, text, { label, cells = [], onLines, onHover }) {
  const view = mountCode(host, text, [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    counted,
    lit,
    theme,
    EditorView.decorations.of((/** @type {any} */ at) => headings(at.state.doc, cells)),
    lineChoice({ onLines, onHover, cells }, { class: "counts", markers: (/** @type {any} */ at) => at.state.field(counted) }),
    keymap.of(defaultKeymap),
  ]);
  const start = (/** @type {number} */ line) => view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from;
  return {
    setCounts: (counts) => view.dispatch({ effects: setCounts.of(counts) }),
    light: (lines) => view.dispatch({ effects: setLit.of(lines) }),
    goTo: (line) => {
      const at = start(line);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    },
    bring: (line) => view.dispatch({ effects: EditorView.scrollIntoView(start(line), { y: "nearest", yMargin: 48 }) }),
    destroy: () => view.destroy(),
  };
}
