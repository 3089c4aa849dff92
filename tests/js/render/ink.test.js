import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgInk } from "../../../static/js/render/draw/ink.js";
import { Fitter, isLegible } from "../../../static/js/render/draw/text.js";

/** A font whose characters are all half as wide as it is high. @param {string} text @param {string} font */
const measure = (text, font) => /** @type {TextMetrics} */ ({ width: (text.length * parseFloat(font)) / 2 });

function inkWith(font = "10px any") {
  return Object.assign(new SvgInk(measure), { font });
}

test("text that fits is left alone, other text is cut to the longest that does", () => {
  const fitter = new Fitter();
  const ink = inkWith();
  assert.equal(fitter.cut(ink, "abcdef", 10, 30), "abcdef");
  assert.equal(fitter.cut(ink, "abcdef", 10, 29), "abcd…");
  assert.equal(fitter.cut(ink, "abc def", 10, 25), "abc…", "no space before the dots");
  assert.equal(fitter.cut(ink, "abcdef", 10, 1), "…");
  assert.equal(fitter.cut(inkWith("20px any"), "abcdef", 20, 30), "ab…", "another font is another width");
});

test("a label grows as far as it fits, and is never too small to read", () => {
  const fitter = new Fitter();
  const ink = inkWith("13px any");
  assert.equal(fitter.grown(ink, "abcd", 44, 0.4), 22);
  assert.equal(fitter.grown(ink, "abcd", 40, 0.4), 17);
  assert.equal(fitter.grown(ink, "abcdefgh", 60, 0.4), 13);
  assert.equal(fitter.grown(ink, "abcdefgh", 60, 0.3), 17, "13 is 3.9 px there");
});

test("a text is measured once for each font", () => {
  const fitter = new Fitter();
  let asked = 0;
  const ink = Object.assign(new SvgInk((text, font) => { asked++; return measure(text, font); }), { font: "10px any" });
  for (let i = 0; i < 50; i++) fitter.width(ink, "relu");
  assert.equal(asked, 1);
});

test("text is drawn from five pixels on", () => {
  assert.ok(isLegible(10, 0.5));
  assert.ok(!isLegible(10, 0.49));
});

test("the SVG is what a canvas would show", () => {
  const ink = inkWith();
  ink.fillStyle = "#123456";
  ink.fillRect(1, 2, 3.14159, 4);
  ink.strokeStyle = "#abcdef";
  ink.lineWidth = 2;
  ink.setLineDash([4, 2]);
  ink.beginPath();
  ink.moveTo(0, 0);
  ink.lineTo(10, 0);
  ink.quadraticCurveTo(10, 10, 20, 10);
  ink.stroke();
  ink.setLineDash([]);
  ink.globalAlpha = 0.5;
  ink.beginPath();
  ink.roundRect(0, 0, 10, 10, [2, 0, 0, 2]);
  ink.fill();
  assert.deepEqual(ink.out, [
    '<rect x="1" y="2" width="3.1" height="4" fill="#123456"/>',
    '<path d="M0 0L10 0Q10 10 20 10" fill="none" stroke="#abcdef" stroke-width="2" stroke-dasharray="4 2"/>',
    '<path d="M2 0L10 0L10 10L2 10A2 2 0 0 1 0 8L0 2A2 2 0 0 1 2 0Z" fill="#123456" opacity="0.5"/>',
  ]);
});

test("text from a stranger cannot leave its element", () => {
  const ink = inkWith("10px 'Quoted \"Font\"'");
  ink.fillText("</text><script>&\"\u0000\ud800", 0, 0);
  const written = ink.document({ x: 0, y: 0, w: 5, h: 5 }, "#ffffff");
  assert.ok(!written.includes("<script"));
  assert.ok(written.includes(">&#60;/text&#62;&#60;script&#62;&#38;&#34;\ufffd\ufffd</text>"));
  assert.ok(written.includes("&#34;Font&#34;"));
});
