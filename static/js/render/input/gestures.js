/**
 * Mouse, wheel, trackpad and touch on the canvas, turned into what they mean. Positions are CSS pixels from the canvas's
 * left top corner.
 *
 * @typedef {object} Meanings
 * @property {(dx: number, dy: number) => void} pan
 * @property {(at: {x: number, y: number}, factor: number) => void} zoom
 * @property {(at: {x: number, y: number}, how: {add: boolean, again: boolean}) => void} click `again`: a further click of a double click
 * @property {(at: {x: number, y: number}) => void} doubleClick
 * @property {(at: {x: number, y: number} | null) => void} hover null: the pointer left
 * @property {(dragging: boolean) => void} drag a drag begins or ends
 */

/** A press that wanders less than this many pixels is a click. */
const SLIP_PX = 4;
const LINE_PX = 16;
const PAGE_PX = 400;
/** One notch of a mouse wheel (100 px) zooms by 1.2; a pinch, which sends small deltas with ctrlKey, by a hundredth a pixel. */
const WHEEL = Math.log(1.2) / 100;
const PINCH = 0.01;

/** @param {WheelEvent} event @returns {{x: number, y: number}} CSS pixels */
function pixels(event) {
  const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? PAGE_PX : 1;
  return { x: event.deltaX * unit, y: event.deltaY * unit };
}

/** The fingers or the mouse button now down. */
class Pointers {
  constructor() {
    /** @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
  }

  /** Middle of all pointers and their spread. */
  state() {
    const all = [...this.down.values()];
    const x = all.reduce((sum, point) => sum + point.x, 0) / all.length;
    const y = all.reduce((sum, point) => sum + point.y, 0) / all.length;
    const spread = all.length < 2 ? 0 : Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y);
    return { x, y, spread };
  }

  /** @param {number} id @param {{x: number, y: number}} at @returns how the whole hand moved: shift and change of spread */
  move(id, at) {
    const before = this.state();
    this.down.set(id, at);
    const after = this.state();
    const factor = before.spread > 0 && after.spread > 0 ? after.spread / before.spread : 1;
    return { dx: after.x - before.x, dy: after.y - before.y, factor, middle: { x: after.x, y: after.y } };
  }
}

/** Listens on a canvas until ended. */
export class Gestures {
  /** @param {HTMLCanvasElement} canvas @param {Meanings} meanings */
  constructor(canvas, meanings) {
    this.canvas = canvas;
    this.meanings = meanings;
    this.pointers = new Pointers();
    this.slipped = 0;
    this.dragged = false;
    this.stop = new AbortController();
    this.listen();
  }

  listen() {
    const { canvas } = this;
    const options = { signal: this.stop.signal };
    canvas.addEventListener("pointerdown", (event) => this.press(event), options);
    canvas.addEventListener("pointermove", (event) => this.move(event), options);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) canvas.addEventListener(end, (event) => this.release(event), options);
    canvas.addEventListener("pointerleave", () => this.meanings.hover(null), options);
    canvas.addEventListener("wheel", (event) => this.wheel(event), { ...options, passive: false });
    canvas.addEventListener("click", (event) => this.click(event), options);
    canvas.addEventListener("dblclick", (event) => this.dragged || this.meanings.doubleClick(this.at(event)), options);
  }

  /** @param {MouseEvent} event */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.pointerType === "mouse" && event.button > 1) return;
    if (event.button === 1) event.preventDefault(); // the middle button pans here, it does not scroll the page
    if (this.pointers.down.size === 0) {
      this.slipped = 0;
      this.dragged = false;
    }
    this.pointers.down.set(event.pointerId, this.at(event));
    if (event.isTrusted) this.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.at(event);
    if (!this.pointers.down.has(event.pointerId)) {
      this.meanings.hover(at);
      return;
    }
    const { dx, dy, factor, middle } = this.pointers.move(event.pointerId, at);
    this.slipped += Math.hypot(dx, dy);
    if (!this.dragged && (this.slipped >= SLIP_PX || this.pointers.down.size > 1)) {
      this.dragged = true;
      this.meanings.drag(true);
    }
    if (this.dragged) this.meanings.pan(dx, dy);
    if (factor !== 1) this.meanings.zoom(middle, factor);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.pointers.down.delete(event.pointerId) || this.pointers.down.size > 0) return;
    if (this.dragged) this.meanings.drag(false);
    if (event.pointerType !== "mouse") this.meanings.hover(null);
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.dragged) return;
    this.meanings.click(this.at(event), { add: event.shiftKey || event.ctrlKey || event.metaKey, again: event.detail > 1 });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const delta = pixels(event);
    if (event.shiftKey && !event.ctrlKey) {
      this.meanings.pan(-(delta.x || delta.y), 0);
      return;
    }
    const factor = Math.exp(-delta.y * (event.ctrlKey && Math.abs(delta.y) < 50 ? PINCH : WHEEL));
    this.meanings.zoom(this.at(event), Math.min(2, Math.max(0.5, factor)));
  }

  end() {
    this.stop.abort();
  }
}
