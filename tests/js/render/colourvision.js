// How different two colours look, to the eye that tells them apart worst.
import { parseHex } from "../../../static/js/base/colour.js";

/** Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB. @type {Record<string, number[][]>} */
const VISION = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
};

/** @param {number} value @returns {number} */
const linear = (value) => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);

/** Ottosson's OKLab, in which distances are about even. @param {number[]} rgb linear @returns {number[]} */
function oklab([r, g, b]) {
  const l = Math.cbrt(Math.max(0, 0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b));
  const m = Math.cbrt(Math.max(0, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b));
  const s = Math.cbrt(Math.max(0, 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b));
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {string} a hex @param {string} b hex @returns {number} least distance in OKLab over the visions */
export function difference(a, b) {
  return Math.min(...Object.values(VISION).map((rows) => {
    const [p, q] = [a, b].map((hex) => {
      const rgb = parseHex(hex).map(linear);
      return oklab(rows.map((row) => row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]));
    });
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }));
}
