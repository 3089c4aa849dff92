/**
 * Mouse, wheel, trackpad and touch on the canvas, turned into what they mean. Positions are CSS pixels from the canvas's
 * left top corner.
 *
 * @typedef {import("./pointers.js").Point} Point
 *
 * @typedef {object} Meanings
 * @property {(dx: number, dy: number) => void} pan
 * @property {(at: Point, factor: number) => void} zoom
 * @property {(at: Point, factor: number) => void} leap zooms by a tap: in a short flight
 * @property {(vx: number, vy: number) => void} fling a finger let go while it moved, pixels a millisecond
 * @property {() => void} hold a press: what still moves stands still
 * @property {(at: Point, how: {add: boolean, again: boolean}) => void} click `again`: a further click of a double click
 * @property {(at: Point, how: {back: boolean}) => void} doubleClick `back`: with Shift
 * @property {(at: Point | null) => void} hover null: the pointer left
 * @property {(dragging: boolean) => void} drag a drag begins or ends
 */
import { Pointers } from "./pointers.js";
import { Wheel } from "./wheel.js";

/** A finger that rests for so long asks what is under it. */
const HOLD_MS = 350;
/** A tap is shorter than this; the second one of two follows within it, and no further away than so many pixels. */
const TAP_MS = 300;
const TAP_PX = 40;
/** Zoom of a tap with two fingers, and of a drag after a tap for every pixel. */
const TAP_ZOOM = 0.5;
const DRAG_ZOOM = 0.008;

/** Listens on a canvas until ended. */
export class Gestures {
  /** @param {HTMLCanvasElement} canvas @param {Meanings} meanings */
  constructor(canvas, meanings) {
    this.canvas = canvas;
    this.meanings = meanings;
    this.pointers = new Pointers();
    this.wheel = new Wheel();
    this.dragged = false;
    /** A finger rested: what lifting it would mean otherwise is off. */
    this.held = false;
    this.holding = 0;
    /** The tap before. */
    this.tapped = { at: -Infinity, x: 0, y: 0 };
    /** Where a drag after a tap zooms. @type {Point | null} */
    this.zoomAt = null;
    this.scale = 1;
    this.stop = new AbortController();
    this.listen();
  }

  listen() {
    const { canvas } = this;
    const options = { signal: this.stop.signal };
    canvas.addEventListener("pointerdown", (event) => this.press(event), options);
    canvas.addEventListener("pointermove", (event) => this.move(event), options);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) canvas.addEventListener(end, (event) => this.release(event), options);
    canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.meanings.hover(null), options);
    canvas.addEventListener("wheel", (event) => this.turn(event), { ...options, passive: false });
    canvas.addEventListener("click", (event) => this.click(event), options);
    canvas.addEventListener("dblclick", (event) => this.isClick() && this.meanings.doubleClick(this.at(event), { back: event.shiftKey }), options);
    canvas.addEventListener("contextmenu", (event) => this.pointers.isTouch && event.preventDefault(), options);
    for (const name of ["gesturestart", "gesturechange"]) canvas.addEventListener(name, (event) => this.pinch(event), options);
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
    const at = this.at(event);
    const isTouch = event.pointerType === "touch";
    if (this.pointers.down.size === 0) this.begin(at, isTouch, event.timeStamp);
    this.pointers.press(event.pointerId, at, isTouch, event.timeStamp);
    if (this.pointers.most > 1) this.zoomAt = null;
    if (event.isTrusted) this.canvas.setPointerCapture(event.pointerId);
  }

  /** The first one comes down. @param {Point} at @param {boolean} isTouch @param {number} now */
  begin(at, isTouch, now) {
    this.dragged = this.held = false;
    this.meanings.hold();
    if (!isTouch) return;
    this.meanings.hover(null);
    const { tapped } = this;
    this.zoomAt = now - tapped.at < TAP_MS && Math.hypot(at.x - tapped.x, at.y - tapped.y) < TAP_PX ? at : null;
    this.holding = window.setTimeout(() => {
      if (this.pointers.hasSlipped() || this.pointers.down.size !== 1) return;
      this.held = true;
      this.meanings.hover(at);
    }, HOLD_MS);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const at = this.at(event);
    if (!this.pointers.down.has(event.pointerId)) {
      if (event.pointerType !== "touch") this.meanings.hover(at);
      return;
    }
    const { dx, dy, factor, middle } = this.pointers.move(event.pointerId, at, event.timeStamp);
    if (!this.dragged && (this.pointers.hasSlipped() || factor !== 1)) this.beginDrag();
    if (!this.dragged) return;
    if (this.zoomAt) this.meanings.zoom(this.zoomAt, Math.exp(dy * DRAG_ZOOM));
    else this.meanings.pan(dx, dy);
    if (factor !== 1) this.meanings.zoom(middle, factor);
  }

  beginDrag() {
    this.dragged = true;
    window.clearTimeout(this.holding);
    if (this.held) this.meanings.hover(null);
    this.meanings.drag(true);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { pointers } = this;
    const { x, y } = pointers.down.size ? pointers.state() : { x: 0, y: 0 };
    if (!pointers.down.delete(event.pointerId)) return;
    window.clearTimeout(this.holding);
    if (pointers.down.size > 0) return;
    if (this.dragged) this.meanings.drag(false);
    if (pointers.isTouch && event.type === "pointerup") this.lift({ x, y }, event.timeStamp);
  }

  /** The last finger goes up. @param {Point} at @param {number} now */
  lift(at, now) {
    const { pointers } = this;
    const isTap = now - pointers.since < TAP_MS && !pointers.hasSlipped();
    if (isTap && pointers.most === 2) {
      this.dragged = true; // no click follows
      this.meanings.leap(at, TAP_ZOOM);
    } else if (isTap) this.tapped = { at: now, ...at };
    else if (this.dragged && pointers.most === 1 && !this.zoomAt) {
      const { vx, vy } = pointers.speed(now);
      this.meanings.fling(vx, vy);
    }
  }

  isClick() {
    return !this.dragged && !this.held;
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (!this.isClick()) return;
    this.meanings.click(this.at(event), { add: event.shiftKey || event.ctrlKey || event.metaKey, again: event.detail > 1 });
  }

  /** @param {WheelEvent} event */
  turn(event) {
    event.preventDefault();
    const meaning = this.wheel.read(event, event.timeStamp);
    if ("pan" in meaning) this.meanings.pan(meaning.pan.dx, meaning.pan.dy);
    else this.meanings.zoom(this.at(event), meaning.factor);
  }

  /** Safari's own events of a pinch on a trackpad; those of fingers on the screen come as pointers too. @param {Event} event */
  pinch(event) {
    event.preventDefault();
    const { scale, clientX, clientY } = /** @type {MouseEvent & {scale: number}} */ (event);
    const before = event.type === "gesturestart" ? scale : this.scale;
    this.scale = scale;
    const box = this.canvas.getBoundingClientRect();
    if (this.pointers.down.size === 0 && scale !== before) this.meanings.zoom({ x: clientX - box.left, y: clientY - box.top }, scale / before);
  }

  end() {
    window.clearTimeout(this.holding);
    this.stop.abort();
  }
}
