// A plain textarea as a code field: what the page has until CodeMirror is here, and where it does not load.

/**
 * @typedef {Object} CodeField
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {(line: number) => void} goTo
 * @property {(from: number, to: number) => void} select characters, and take the focus
 * @property {() => void} focus
 */

/** @param {HTMLTextAreaElement} area @returns {CodeField} */
export function plainField(area) {
  return {
    text: () => area.value,
    setText: (next) => {
      area.value = next;
    },
    goTo: (line) => {
      const start =
        area.value
          .split("\n")
          .slice(0, line - 1)
          .join("\n").length + (line > 1 ? 1 : 0);
      const end = area.value.indexOf("\n", start);
      area.focus();
      area.setSelectionRange(start, end < 0 ? area.value.length : end);
    },
    select: (from, to) => {
      area.focus();
      area.setSelectionRange(from, to);
    },
    focus: () => area.focus(),
  };
}
