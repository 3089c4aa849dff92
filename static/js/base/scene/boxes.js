/**
 * The measures that layout (how large is a box?) and render (where in the box does a text go?) share, in world units:
 * CSS pixels at zoom 1. Text is measured by counting characters, since layout runs in a worker without fonts; the
 * widths per character lean to wide fonts, and render cuts what still does not fit.
 */

/**
 * A node, from top to bottom: `padY`, the label's line, the type's line (absent where the type is ""), one line per chip
 * (folded parameters first, then one per body of a higher-order op), `padY`. A bar in the kind's colour runs down the
 * left edge, inside the box.
 */
export const NODE_BOX = Object.freeze({
  bar: 5,
  padX: 10,
  padY: 6,
  radius: 6,
  labelSize: 13,
  labelLine: 18,
  typeSize: 11,
  typeLine: 16,
  chipSize: 10,
  chipLine: 18,
  chipHeight: 15,
  chipPadX: 6,
  minWidth: 60,
  maxWidth: 280,
});

/**
 * An open group has a title bar of `title` units at its top and `pad` units free at every other side. A closed group is
 * two lines and a bar: its path's tail with the button, class and count, of what kinds its nodes are.
 */
export const GROUP_BOX = Object.freeze({
  title: 28,
  pad: 14,
  radius: 8,
  button: 16,
  buttonGap: 7,
  titleSize: 13,
  detailSize: 11,
  closedHeight: 50,
  minWidth: 96,
  maxWidth: 320,
});

/** Width of one character as a part of the font size: system fonts (DejaVu Sans is among the widest) and monospace. */
const CHAR_WIDTH = Object.freeze({ text: 0.58, mono: 0.61 });

/** Letters that are wider than others where not all are as wide: `mm` and `aminmax` would not fit, and by how much of a character. */
const WIDE = "mwMW@%";
const WIDER = 0.55;

/**
 * @param {string} text
 * @param {number} size font size in world units
 * @param {"text" | "mono"} font
 * @returns {number} about how wide the text is drawn, in world units
 */
export function textWidth(text, size, font) {
  if (font === "mono") return text.length * size * CHAR_WIDTH.mono;
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (WIDE.includes(text[i])) wide++;
  return (text.length + wide * WIDER) * size * CHAR_WIDTH.text;
}
