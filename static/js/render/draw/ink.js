/**
 * What the passes draw with: the part of a canvas context they use, so that `SvgInk` can stand in for it.
 *
 * @typedef {Pick<CanvasRenderingContext2D, "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textAlign"
 *   | "beginPath" | "moveTo" | "lineTo" | "bezierCurveTo" | "quadraticCurveTo" | "closePath" | "roundRect" | "fill" | "stroke" | "fillRect"
 *   | "fillText" | "measureText" | "setLineDash">} Ink texts stand on the middle of their line (`textBaseline` "middle")
 */

/** @param {string} text @returns {string} */
function escape(text) {
  // XML 1.0 has no way to write the other control characters.
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}

/** @param {number} value world units @returns {string} a tenth of a unit is enough for a drawing */
const digits = (value) => String(Math.round(value * 10) / 10);

/** @implements {Ink} Writes SVG elements where a canvas would colour pixels. */
export class SvgInk {
  /** @param {(text: string, font: string) => TextMetrics} measure */
  constructor(measure) {
    this.measure = measure;
    /** @type {string[]} */
    this.out = [];
    /** @type {string[]} */
    this.path = [];
    /** @type {string | CanvasGradient | CanvasPattern} */
    this.fillStyle = "#000000";
    /** @type {string | CanvasGradient | CanvasPattern} */
    this.strokeStyle = "#000000";
    this.lineWidth = 1;
    this.globalAlpha = 1;
    this.font = "10px sans-serif";
    /** @type {CanvasTextAlign} */
    this.textAlign = "left";
    this.dash = "";
    /** @type {Map<string, string>} font -> class: the same few fonts stand at thousands of texts */
    this.fonts = new Map();
  }

  beginPath() { this.path = []; }

  closePath() { this.path.push("Z"); }

  /** @param {number} x @param {number} y */
  moveTo(x, y) { this.path.push(`M${digits(x)} ${digits(y)}`); }

  /** @param {number} x @param {number} y */
  lineTo(x, y) { this.path.push(`L${digits(x)} ${digits(y)}`); }

  /** @param {number} ax @param {number} ay @param {number} bx @param {number} by @param {number} x @param {number} y */
  bezierCurveTo(ax, ay, bx, by, x, y) {
    this.path.push(`C${digits(ax)} ${digits(ay)} ${digits(bx)} ${digits(by)} ${digits(x)} ${digits(y)}`);
  }

  /** @param {number} ax @param {number} ay @param {number} x @param {number} y */
  quadraticCurveTo(ax, ay, x, y) { this.path.push(`Q${digits(ax)} ${digits(ay)} ${digits(x)} ${digits(y)}`); }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {any} [radii] one number, or four from the left top on, clockwise */
  roundRect(x, y, w, h, radii = 0) {
    const most = Math.min(w, h) / 2;
    const corner = /** @param {number} at */ (at) => Math.min(most, Array.isArray(radii) ? radii[at] : radii);
    const [a, b, c, d] = [0, 1, 2, 3].map(corner);
    this.moveTo(x + a, y);
    this.lineTo(x + w - b, y);
    this.arc(b, x + w, y + b);
    this.lineTo(x + w, y + h - c);
    this.arc(c, x + w - c, y + h);
    this.lineTo(x + d, y + h);
    this.arc(d, x, y + h - d);
    this.lineTo(x, y + a);
    this.arc(a, x + a, y);
    this.closePath();
  }

  /** @param {number} radius @param {number} x @param {number} y */
  arc(radius, x, y) {
    if (radius) this.path.push(`A${digits(radius)} ${digits(radius)} 0 0 1 ${digits(x)} ${digits(y)}`);
  }

  fill() { this.put(`<path d="${this.path.join("")}" fill="${this.fillStyle}"${this.alpha()}/>`); }

  stroke() {
    const dash = this.dash && ` stroke-dasharray="${this.dash}"`;
    this.put(`<path d="${this.path.join("")}" fill="none" stroke="${this.strokeStyle}" stroke-width="${digits(this.lineWidth)}"${dash}${this.alpha()}/>`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.put(`<rect x="${digits(x)}" y="${digits(y)}" width="${digits(w)}" height="${digits(h)}" fill="${this.fillStyle}"${this.alpha()}/>`);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const anchor = { left: "", start: "", center: ' text-anchor="middle"', right: ' text-anchor="end"', end: ' text-anchor="end"' }[this.textAlign];
    let font = this.fonts.get(this.font);
    if (font === undefined) this.fonts.set(this.font, (font = `f${this.fonts.size}`));
    this.put(`<text x="${digits(x)}" y="${digits(y)}" dy=".35em" class="${font}" fill="${this.fillStyle}"${anchor}${this.alpha()}>${escape(text)}</text>`);
  }

  /** @param {string} text */
  measureText(text) { return this.measure(text, this.font); }

  /** @param {Iterable<number>} lengths */
  setLineDash(lengths) { this.dash = [...lengths].map(digits).join(" "); }

  alpha() { return this.globalAlpha < 1 ? ` opacity="${Number(this.globalAlpha.toFixed(3))}"` : ""; }

  /** @param {string} element */
  put(element) { this.out.push(element); }

  /**
   * @param {{x: number, y: number, w: number, h: number}} view
   * @param {string} background
   * @param {number} [k] CSS pixels a unit
   * @param {string} [title]
   * @returns {string} the whole document
   */
  document(view, background, k = 1, title = "") {
    const box = [view.x, view.y, view.w, view.h].map(digits);
    const style = [...this.fonts].map(([font, name]) => `.${name}{font:${escape(font)}}`).join("");
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${digits(view.w * k)}" height="${digits(view.h * k)}" viewBox="${box.join(" ")}">`
      + `<title>${escape(title)}</title><style>${style}</style>`
      + `<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${background}"/>${this.out.join("\n")}</svg>\n`;
  }
}
