/** The canvas element and its pixels: how large it is, and at how many device pixels a CSS pixel it is drawn. */

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Size} Size */

/** A larger canvas than this fails on some devices. */
const MOST_PIXELS = 16384;

/** Owns one canvas in the host; tells when its size changes. */
export class Surface {
  /** @param {HTMLElement} host @param {() => void} resized */
  constructor(host, resized) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "graph-canvas";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "graph");
    host.append(this.canvas);
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser cannot draw on a canvas");
    this.context = context;
    /** @type {Size} CSS pixels */
    this.size = { width: host.clientWidth, height: host.clientHeight };
    this.observer = new ResizeObserver(() => {
      this.size = { width: host.clientWidth, height: host.clientHeight };
      resized();
    });
    this.observer.observe(host);
    this.stop = new AbortController();
    this.watchRatio(resized);
  }

  /** A window that is moved to another screen has the same size, and other pixels. @param {() => void} changed */
  watchRatio(changed) {
    const media = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    media.addEventListener("change", () => {
      changed();
      this.watchRatio(changed);
    }, { once: true, signal: this.stop.signal });
  }

  /**
   * Clears the canvas and readies its context to draw in world units.
   * @param {Camera} camera
   * @param {string} ground
   * @param {boolean} coarse one device pixel a CSS pixel
   * @returns {CanvasRenderingContext2D}
   */
  begin(camera, ground, coarse) {
    const { canvas, context, size } = this;
    const ratio = coarse ? 1 : Math.min(window.devicePixelRatio || 1, MOST_PIXELS / Math.max(size.width, size.height, 1));
    const width = Math.max(1, Math.round(size.width * ratio));
    const height = Math.max(1, Math.round(size.height * ratio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    const k = camera.k * ratio;
    context.setTransform(k, 0, 0, k, width / 2 - camera.x * k, height / 2 - camera.y * k);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    return context;
  }

  end() {
    this.observer.disconnect();
    this.stop.abort();
    this.canvas.remove();
  }
}
