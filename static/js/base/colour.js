/** Colours as numbers, without the DOM: reading hex, mixing, contrast (WCAG 2), and how a colour-blind eye sees them. */

/** @typedef {[number, number, number]} Rgb red, green, blue, 0 to 255 */

/**
 * @param {string} text `#rgb` or `#rrggbb`
 * @returns {Rgb}
 */
export function parseHex(text) {
  const match = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim());
  if (!match) throw new Error(`colour ${JSON.stringify(text)}: expected #rgb or #rrggbb`);
  const digits = match[2] ?? [...match[1]].map((digit) => digit + digit).join("");
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)).reduce(
    (rgb, value, at) => { rgb[at] = value; return rgb; }, /** @type {Rgb} */ ([0, 0, 0]));
}

/** @param {Rgb} rgb */
function toHex(rgb) {
  return `#${rgb.map((value) => Math.round(Math.min(255, Math.max(0, value))).toString(16).padStart(2, "0")).join("")}`;
}

/**
 * @param {string} under hex
 * @param {string} over hex
 * @param {number} part 0: all `under`, 1: all `over`
 * @returns {string} hex
 */
export function mix(under, over, part) {
  const a = parseHex(under);
  const b = parseHex(over);
  return toHex([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]);
}

/** @param {number} value one channel, 0 to 255, as stored @returns {number} 0 to 1, as light */
function toLinear(value) {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** @param {string} hex @returns {number} relative luminance, 0 to 1 */
export function luminance(hex) {
  const [r, g, b] = parseHex(hex).map(toLinear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * @param {string} a hex
 * @param {string} b hex
 * @returns {number} contrast ratio, 1 to 21; text needs 4.5
 */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
