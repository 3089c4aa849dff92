// What the page uses of CodeMirror 6. Bundled into codemirror.js; docs/vendor.md has the command.
export { EditorState, StateEffect, StateField, RangeSet, RangeSetBuilder, Compartment } from "@codemirror/state";
export {
  EditorView, Decoration, GutterMarker, gutter, keymap, lineNumbers, drawSelection, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, placeholder,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { python } from "@codemirror/lang-python";
export { tags } from "@lezer/highlight";
