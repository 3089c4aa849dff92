/** What a canvas shows, as pictures to be kept: the whole drawing or what is in sight, in any size, in the colours of either theme. */
import { Fitter } from "../draw/text.js";
import { Marked } from "../marked.js";
import { readTheme } from "../theme.js";
import { Visible } from "../visible.js";
import { pixels, toPng } from "./raster.js";
import { toSvg } from "./svg.js";

/**
 * @typedef {import("../lens/camera.js").Rect} Rect
 * @typedef {"whole" | "sight"} Area
 * @typedef {{area: Area, theme: "" | "light" | "dark", marks: boolean}} Picture `theme`: "" as on the page; `marks`: with the
 *   selection, highlights and traces
 * @typedef {Pick<import("../graphview.js").GraphView, "drawing" | "painted" | "overlay" | "marked" | "theme" | "host" | "port">} Source
 */

/** World units around a whole drawing. */
const MARGIN = 24;

export class Pictures {
  /** @param {Source} view */
  constructor(view) {
    this.view = view;
  }

  /** Size of a picture at scale 1, CSS pixels. @param {Area} area @returns {{width: number, height: number}} */
  size(area) {
    const { rect, k } = this.frame(area);
    return pixels(rect, k);
  }

  /** @param {Picture} picture @returns {string} */
  svg(picture) {
    const { rect, k } = this.frame(picture.area);
    return toSvg(this.drawable(picture), rect, k, new Visible());
  }

  /**
   * @param {Picture} picture @param {number} scale pixels a CSS pixel
   * @param {{signal?: AbortSignal, onProgress?: (part: number) => void, tile?: number, band?: number}} [options] `part`: 0 to 1
   * @returns {Promise<Blob>}
   */
  png(picture, scale, options = {}) {
    const { rect, k } = this.frame(picture.area);
    return toPng(this.drawable(picture), rect, k * scale, { ...options, visible: new Visible() });
  }

  /**
   * The whole drawing cut into pages, row by row, each an SVG document; in the colours of the light theme, on white.
   * @param {{width: number, height: number}} page CSS pixels @param {number} k CSS pixels a unit
   * @returns {{svg: string, row: number, column: number}[]}
   */
  pages({ width, height }, k) {
    const { rect } = this.frame("whole");
    const drawable = this.drawable({ area: "whole", theme: "light", marks: true });
    const what = { ...drawable, theme: { ...drawable.theme, surface: "#ffffff" } };
    const visible = new Visible();
    const [columns, rows] = [Math.ceil((rect.w * k) / width), Math.ceil((rect.h * k) / height)];
    return Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const [x, y] = [rect.x + (column * width) / k, rect.y + (row * height) / k];
      const part = { x, y, w: Math.min(width / k, rect.x + rect.w - x), h: Math.min(height / k, rect.y + rect.h - y) };
      return { svg: toSvg(what, part, k, visible), row, column };
    });
  }

  /** @param {Area} area @returns {{rect: Rect, k: number}} world units, and CSS pixels a unit */
  frame(area) {
    const { drawing, port } = this.view;
    if (!drawing) throw new Error("nothing is drawn");
    if (area === "sight") return { rect: port.view(), k: port.at.k };
    const { x, y, w, h } = drawing.rect;
    return { rect: { x: x - MARGIN, y: y - MARGIN, w: w + 2 * MARGIN, h: h + 2 * MARGIN }, k: 1 };
  }

  /** @param {Picture} picture @returns {import("./svg.js").Drawable} */
  drawable({ theme, marks }) {
    const { drawing, painted, overlay, marked, port, host } = this.view;
    if (!drawing || !painted) throw new Error("nothing is drawn");
    const { context } = port.surface;
    return {
      drawing,
      paint: painted,
      overlay,
      theme: theme ? themeOf(host, theme) : this.view.theme,
      marked: marks ? marked : new Marked(),
      fitter: new Fitter(),
      title: `${drawing.model.title} · ${drawing.model.id}`,
      measure: (text, font) => {
        context.font = font;
        return context.measureText(text);
      },
    };
  }
}

/** The colours the page would have. @param {HTMLElement} host @param {"light" | "dark"} name */
function themeOf(host, name) {
  const root = document.documentElement;
  const shown = root.dataset.theme;
  root.dataset.theme = name; // never painted: it is taken back before the script ends
  try {
    return readTheme(host);
  } finally {
    root.dataset.theme = shown;
  }
}
