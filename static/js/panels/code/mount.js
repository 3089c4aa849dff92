// A CodeMirror view inside a shadow root: there it styles itself through adoptedStyleSheets, which the page's
// Content-Security-Policy allows; in the page itself it would insert a <style> element, which is refused.

import {
  EditorState,
  EditorView,
  HighlightStyle,
  bracketMatching,
  drawSelection,
  highlightSelectionMatches,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  python,
  search,
  searchKeymap,
  syntaxHighlighting,
  tags,
} from "../../../vendor/codemirror-6.43.15/codemirror.js";

/** Colours are custom properties, which reach into the shadow root, so a change of theme needs nothing here. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.docComment], color: "var(--code-comment)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    color: "var(--code-name)",
    fontWeight: "600",
  },
  { tag: tags.meta, color: "var(--code-meta)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--mono-size)", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overscrollBehavior: "contain" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--code-page)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 10px", minWidth: "34px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--select) !important",
  },
  ".cm-selectionMatch, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--select)" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": { font: "inherit" },
  ".cm-searchMatch": { backgroundColor: "var(--found)" },
  ".cm-placeholder": { color: "var(--faint)" },
});

/**
 * @param {HTMLElement} host gets a shadow root @param {string} text @param {any[]} extensions
 * @returns {import("../../../vendor/codemirror-6.43.15/codemirror.js").EditorView}
 */
export function mountCode(host, text, extensions) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...extensions,
        lineNumbers(),
        highlightSpecialChars(),
        drawSelection(),
        bracketMatching(),
        highlightSelectionMatches(),
        python(),
        search({ top: true }),
        syntaxHighlighting(colours),
        theme,
        keymap.of(searchKeymap),
      ],
    }),
  });
}
