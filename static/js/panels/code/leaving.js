// How the keyboard gets out of the editor, whose Tab indents: who only passes by with Tab passes on and changes nothing;
// after Escape the next Tab leaves.

import { EditorView } from "../../../vendor/codemirror-6.43.15/codemirror.js";

/** home.css says the same to the eye. */
const LEAVING = "Tab indents. Esc, then Tab, leaves the editor.";

const KEEPS = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

/** @returns {any} an extension */
export function tabLeaves() {
  const key = lastKey();
  let leaves = false; // by this, and not by the editor's own switch for it
  const set = (/** @type {any} */ view, /** @type {boolean} */ on) => {
    if (leaves !== on) view.setTabFocusMode(on);
    leaves = on;
  };
  return [
    EditorView.contentAttributes.of({ "aria-description": LEAVING }),
    // observers: a handler is not called for keys that another has taken
    EditorView.domEventObservers({
      focus: (/** @type {FocusEvent} */ _event, /** @type {any} */ view) => set(view, key() === "Tab"),
      mousedown: (/** @type {MouseEvent} */ _event, /** @type {any} */ view) => set(view, false),
      keydown: (/** @type {KeyboardEvent} */ event, /** @type {any} */ view) => {
        if (!KEEPS.has(event.key)) set(view, event.key === "Escape");
      },
      paste: (/** @type {ClipboardEvent} */ _event, /** @type {any} */ view) => set(view, false),
    }),
  ];
}

/** @returns {() => string} the key that was pressed last; "" after a press of the pointer */
function lastKey() {
  let key = "";
  document.addEventListener("keydown", (event) => (key = event.key), { capture: true });
  document.addEventListener("pointerdown", () => (key = ""), { capture: true });
  return () => key;
}
