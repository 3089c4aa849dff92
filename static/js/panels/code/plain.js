// A plain textarea as a code field: what the page has until CodeMirror is here, and where it does not load.

/**
 * @typedef {{text: () => string, setText: (text: string) => void, goTo: (line: number) => void, focus: () => void}} CodeField
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
      area.focus();
      area.setSelectionRange(start, area.value.indexOf("\n", start) < 0 ? area.value.length : area.value.indexOf("\n", start));
    },
    focus: () => area.focus(),
  };
}
