/** A drawing as a PNG of any size: drawn tile by tile on a small canvas, band after band. */
import { PngWriter } from "../../base/png.js";
import { draw } from "../draw/draw.js";

/** @typedef {import("./svg.js").Drawable} Drawable */
/** @typedef {import("../lens/camera.js").Rect} Rect */

/** No canvas is wider or higher than this. */
const TILE = 4096;
/** Pixels of a band, which is as wide as the picture: 32 MB. */
const BAND = 8 << 20;

/**
 * @param {Drawable} what
 * @param {Rect} view world units
 * @param {number} k pixels a unit
 * @param {{visible: import("../visible.js").Visible, signal?: AbortSignal, onProgress?: (part: number) => void, tile?: number, band?: number}} options
 *   `tile`: most pixels of a canvas in each direction; `band`: most pixels at once
 * @returns {Promise<Blob>} rejects with the signal's reason
 */
export async function toPng(what, view, k, { visible, signal, onProgress, tile = TILE, band = BAND }) {
  const { width, height } = pixels(view, k);
  const writer = new PngWriter(width, height, k);
  const canvas = document.createElement("canvas");
  const high = Math.max(1, Math.min(tile, height, Math.floor(band / width)));
  try {
    for (let top = 0; top < height; top += high) {
      signal?.throwIfAborted();
      await writer.write(rowsOf(canvas, what, view, k, visible, { top, width, height: Math.min(high, height - top), tile }));
      onProgress?.(Math.min(1, (top + high) / height));
      await new Promise((resolve) => setTimeout(resolve)); // the page stays alive
    }
    return await writer.end();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** @param {Rect} view @param {number} k @returns {{width: number, height: number}} */
export function pixels(view, k) {
  return { width: Math.max(1, Math.round(view.w * k)), height: Math.max(1, Math.round(view.h * k)) };
}

/**
 * The pixels of some rows.
 * @param {HTMLCanvasElement} canvas @param {Drawable} what @param {Rect} whole @param {number} k
 * @param {import("../visible.js").Visible} visible @param {{top: number, width: number, height: number, tile: number}} rows
 */
function rowsOf(canvas, what, whole, k, visible, { top, width, height, tile }) {
  if (width <= tile) return part(canvas, what, whole, k, visible, { left: 0, top, width, height });
  const out = new Uint8ClampedArray(width * height * 4);
  for (let left = 0; left < width; left += tile) {
    const wide = Math.min(tile, width - left);
    const pixels = part(canvas, what, whole, k, visible, { left, top, width: wide, height });
    for (let row = 0; row < height; row++) out.set(pixels.subarray(row * wide * 4, (row + 1) * wide * 4), (row * width + left) * 4);
  }
  return out;
}

/**
 * @param {HTMLCanvasElement} canvas @param {Drawable} what @param {Rect} whole @param {number} k
 * @param {import("../visible.js").Visible} visible @param {{left: number, top: number, width: number, height: number}} at pixels
 */
function part(canvas, what, whole, k, visible, { left, top, width, height }) {
  canvas.width = width;
  canvas.height = height;
  const ink = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!ink) throw new Error("this browser cannot draw on a canvas");
  ink.fillStyle = what.theme.surface;
  ink.fillRect(0, 0, width, height);
  const view = { x: whole.x + left / k, y: whole.y + top / k, w: width / k, h: height / k };
  ink.setTransform(k, 0, 0, k, -view.x * k, -view.y * k);
  ink.textBaseline = "middle";
  ink.lineJoin = "round";
  draw({ ...what, ink, view, whole, k, mostEdges: Infinity, visible });
  return ink.getImageData(0, 0, width, height).data;
}
