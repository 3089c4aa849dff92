// The types the page needs of codemirror.js: its own are spread over seven packages that are not installed here.
export interface EditorView {
  readonly state: any;
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  dispatch(...specs: any[]): void;
  focus(): void;
  destroy(): void;
  requestMeasure(): void;
  posAtCoords(at: { x: number; y: number }): number | null;
  lineBlockAtHeight(height: number): { from: number };
}
export const EditorView: { new (config: any): EditorView } & Record<string, any>;
export const EditorState: any, StateEffect: any, StateField: any, RangeSet: any, RangeSetBuilder: any, Compartment: any;
export const Decoration: any, GutterMarker: any, gutter: any, keymap: any, lineNumbers: any, drawSelection: any;
export const highlightActiveLine: any, highlightActiveLineGutter: any, highlightSpecialChars: any, placeholder: any;
export const defaultKeymap: any, history: any, historyKeymap: any, indentWithTab: any;
export const HighlightStyle: any, bracketMatching: any, indentOnInput: any, indentUnit: any, syntaxHighlighting: any;
export const search: any, searchKeymap: any, highlightSelectionMatches: any, python: any, tags: any;
