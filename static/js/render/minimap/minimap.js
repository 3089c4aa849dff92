/** The map in the corner of a canvas: all of the graph, and in it a frame around what is seen, which can be dragged. */
import { Marked } from "../marked.js";
import { Visible } from "../visible.js";
import { boxes, drawMarks } from "./overview.js";
import { frameOf, placeOf, worldAt } from "./place.js";

/**
 * @typedef {import("./place.js").Place} Place
 *
 * @typedef {object} Mapped what a map is of
 * @property {HTMLElement} host
 * @property {import("../lens/viewport.js").Viewport} port
 * @property {import("../theme.js").Theme} theme
 * @property {import("../drawing.js").Drawing | null} drawing
 * @property {import("../paint.js").Paint | null} painted
 * @property {Marked} marked
 * @property {import("../draw/text.js").Fitter} fitter
 */

/** How long after the drawing its map is drawn: the drawing goes first. */
const LATER_MS = 60;

/** Owns one element in the host. Not for keyboards and screen readers: they have the canvas's own keys. */
export class Minimap {
  /** @param {Mapped} view */
  constructor(view) {
    this.view = view;
    this.wanted = true;
    /** @type {Place | null} */
    this.place = null;
    this.element = document.createElement("div");
    this.element.className = "graph-map";
    this.element.setAttribute("aria-hidden", "true");
    this.element.hidden = true;
    this.picture = document.createElement("canvas");
    this.frame = document.createElement("div");
    this.frame.className = "graph-map-frame";
    this.element.append(this.picture, this.frame);
    view.host.append(this.element);
    /** The boxes without marks, to put marks on again and again. */
    this.boxes = document.createElement("canvas");
    this.visible = new Visible();
    this.waiting = 0;
    /** What the boxes were drawn of: drawn anew when it is not the same any more. @type {unknown[]} */
    this.drawnOf = [];
    /** @type {unknown[]} */
    this.markedOf = [];
    /** From the pointer to the middle of what is seen, world units, while the frame is dragged. @type {{x: number, y: number} | null} */
    this.grip = null;
    this.listen();
  }

  listen() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) element.addEventListener(end, () => (this.grip = null));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** @param {boolean} wanted */
  show(wanted) {
    this.wanted = wanted;
    this.update();
  }

  /** After every frame of the canvas. */
  update() {
    const { port, drawing } = this.view;
    const place = this.wanted && drawing && !port.unplaced ? placeOf(port.rect, port.view(), port.surface.size) : null;
    this.element.hidden = place === null;
    if (!place) return;
    if (place.width !== this.place?.width || place.height !== this.place.height || place.k.x !== this.place.k.x || place.k.y !== this.place.k.y) this.resize(place);
    const { x, y, w, h } = frameOf(place, port.rect, port.view());
    this.frame.style.transform = `translate(${x}px, ${y}px)`;
    this.frame.style.width = `${w}px`;
    this.frame.style.height = `${h}px`;
    this.redraw();
  }

  /** @param {Place} place */
  resize(place) {
    this.place = place;
    this.drawnOf = [];
    this.element.style.width = `${place.width}px`;
    this.element.style.height = `${place.height}px`;
  }

  /** Draws what has changed since the last time. */
  redraw() {
    const { drawing, theme, painted, marked } = this.view;
    const of = [drawing, theme, painted, this.place];
    const marks = [marked.selected, marked.highlighted];
    if (!isSame(of, this.drawnOf)) {
      this.drawnOf = of;
      this.markedOf = marks;
      this.soon();
    } else if (!isSame(marks, this.markedOf)) {
      this.markedOf = marks;
      this.finish();
    }
  }

  /** Draws the boxes, a pass at a time, once the drawing itself has been painted. */
  soon() {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      const steps = this.begin();
      const go = () => {
        if (!steps) return;
        if (steps.next().done) this.finish();
        else this.waiting = window.setTimeout(go);
      };
      go();
    }, LATER_MS);
  }

  /** @returns {Generator<void, void> | null} */
  begin() {
    const { place, visible, view: { drawing, painted: paint, theme, fitter, port } } = this;
    const ink = this.boxes.getContext("2d");
    if (!place || !ink || !drawing || !paint) return null;
    sized(this.boxes, place);
    inWorld(ink, place, port.rect);
    return boxes({ ink, drawing, paint, theme, fitter, visible, view: port.rect, k: Math.min(place.k.x, place.k.y), mostEdges: 0, marked: new Marked() });
  }

  /** Puts the marks on the boxes. */
  finish() {
    const { place, view, picture } = this;
    const ink = picture.getContext("2d");
    if (!place || !ink || !view.drawing) return;
    sized(picture, place);
    ink.drawImage(this.boxes, 0, 0);
    inWorld(ink, place, view.port.rect);
    drawMarks({ drawing: view.drawing, theme: view.theme, marked: view.marked }, ink, place.k);
  }

  /** @param {MouseEvent} event */
  worldAt(event) {
    const box = this.element.getBoundingClientRect();
    const { clientLeft, clientTop } = this.element;
    return this.place && worldAt(this.place, this.view.port.rect, event.clientX - box.left - clientLeft, event.clientY - box.top - clientTop);
  }

  /** On the frame: it is taken where it was pressed; beside it: it comes to the pointer. @param {PointerEvent} event */
  press(event) {
    const at = this.worldAt(event);
    if (!at || event.button !== 0) return;
    event.preventDefault();
    if (event.isTrusted) this.element.setPointerCapture(event.pointerId);
    const { port } = this.view;
    const { x, y, w, h } = port.view();
    const inside = at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + h;
    this.grip = inside ? { x: port.at.x - at.x, y: port.at.y - at.y } : { x: 0, y: 0 };
    if (!inside) this.go(at);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const at = this.grip && this.worldAt(event);
    if (at) this.go(at);
  }

  /** @param {{x: number, y: number}} at the pointer, world units */
  go(at) {
    const { port } = this.view;
    const { x, y } = this.grip ?? { x: 0, y: 0 };
    port.move({ x: at.x + x, y: at.y + y, k: port.at.k });
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.view.port.zoom(Math.exp(-Math.sign(event.deltaY) * 0.2));
  }

  end() {
    window.clearTimeout(this.waiting);
    this.element.remove();
  }
}

/** @param {unknown[]} a @param {unknown[]} b */
const isSame = (a, b) => a.length === b.length && a.every((each, i) => each === b[i]);

/** @param {HTMLCanvasElement} canvas cleared @param {Place} place */
function sized(canvas, { width, height }) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
}

/** @param {CanvasRenderingContext2D} ink @param {Place} place @param {import("../lens/camera.js").Rect} whole */
function inWorld(ink, { k, left, top }, whole) {
  const ratio = window.devicePixelRatio || 1;
  ink.setTransform(k.x * ratio, 0, 0, k.y * ratio, (left - whole.x * k.x) * ratio, (top - whole.y * k.y) * ratio);
}
