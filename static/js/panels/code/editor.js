// The editor of the landing page: takes the place of the plain textarea once CodeMirror is here.

import {
  EditorView,
  defaultKeymap,
  highlightActiveLine,
  highlightActiveLineGutter,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
} from "../../../vendor/codemirror-6.43.15/codemirror.js";
import { tabLeaves } from "./leaving.js";
import { mountCode } from "./mount.js";

/** @typedef {import("./plain.js").CodeField} CodeField */

/**
 * Typing over a selection that begins in coloured text: Chromium would carry the colour over as an inline style, which the
 * Content-Security-Policy refuses with an error in the console. So the editor replaces the selection itself.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (/** @type {InputEvent} */ event, /** @type {any} */ view) => {
    if (event.inputType !== "insertText" || event.data === null || event.isComposing || view.state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/**
 * @param {HTMLElement} host @param {string} text
 * @param {{label: string, onChange: (text: string) => void, onSubmit: () => void}} options
 * @returns {CodeField}
 */
export function codeEditor(host, text, options) {
  const submit = { key: "Mod-Enter", run: () => (options.onSubmit(), true) };
  const view = mountCode(host, text, [
    keymap.of([submit, indentWithTab, ...defaultKeymap, ...historyKeymap]),
    history(),
    indentOnInput(),
    indentUnit.of("    "),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    typeOver,
    tabLeaves(),
    EditorView.contentAttributes.of({ "aria-label": options.label }),
    EditorView.updateListener.of((/** @type {any} */ update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
  ]);
  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, selection: { anchor: 0 } }),
    goTo: (line) => {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({
        selection: { anchor: at.from, head: at.to },
        effects: EditorView.scrollIntoView(at.from, { y: "center" }),
      });
      view.focus();
    },
    select: (from, to) => {
      view.dispatch({ selection: { anchor: from, head: to } });
      view.focus();
    },
    focus: () => view.focus(),
  };
}
