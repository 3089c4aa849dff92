/**
 * Paints the canvas: the drawing itself wherever a frame has the time for it, else, while the camera moves, a picture of it.
 *
 * Note [Flat frames]: what a frame costs grows with what is on the screen, which culling bounds everywhere but far out. There the
 * frames of a move show the last picture, moved and scaled, which costs the same whatever is in it; the next picture is
 * drawn beside them (`Ahead`), and the drawing itself as soon as the camera rests.
 */
import { draw } from "../draw/draw.js";
import { Ahead } from "./ahead.js";
import { drawPicture, isUseful, share } from "./still.js";

/**
 * @typedef {import("./still.js").Picture} Picture
 * @typedef {import("../lens/viewport.js").Viewport} Viewport
 *
 * @typedef {object} Painted
 * @property {Viewport} port
 * @property {import("../theme.js").Theme} theme
 * @property {import("../visible.js").Visible} visible of what was painted last
 * @property {import("../motion/mover.js").Mover} mover
 * @property {import("./ahead.js").MakeFrame} frame null: there is nothing to draw
 */

/** More boxes than this on the screen may take longer than a frame lasts; on a machine that was slow already, fewer. */
const HEAVY = 2500;
const HEAVY_WHEN_SLOW = 500;
/** A picture magnified or made smaller more than this is due to be drawn anew. */
const WORN = 1.5;

/** One for each canvas. */
export class Painter {
  /** @param {Painted} view */
  constructor(view) {
    this.view = view;
    this.ahead = new Ahead((ink, rect, k, visible) => view.frame(ink, rect, k, visible));
    /** What the frames of a move show. @type {Picture | null} */
    this.picture = null;
    /** @type {HTMLCanvasElement[]} canvases to draw pictures on, used in turn */
    this.spare = [];
    /** What was painted last is too much for a frame. */
    this.heavy = false;
    /** Where the camera was when the drawing itself was painted last. @type {Picture | null} */
    this.painted = null;
  }

  /** Another drawing, or other colours: no picture of it is right any more. */
  forget() {
    this.drop();
    this.painted = null;
    this.heavy = false;
  }

  /** @param {boolean} coarse at one device pixel a CSS pixel @param {boolean} moving the camera is under way */
  paint(coarse, moving) {
    if (!moving || !this.heavy || this.view.mover.passage || !this.standIn()) this.paintAll(coarse);
    if (!moving) for (const canvas of this.spare) canvas.width = canvas.height = 0; // of a large screen each is 60 MB
  }

  /** @param {boolean} coarse */
  paintAll(coarse) {
    this.drop();
    const { view } = this;
    const { port, theme, visible } = view;
    const ink = port.surface.begin(port.at, theme.surface, coarse);
    const frame = view.frame(ink, port.view(), port.at.k, visible);
    if (frame) draw(frame);
    this.heavy = frame !== null && countOf(visible) > (port.frames.slow ? HEAVY_WHEN_SLOW : HEAVY);
    this.painted = frame && { canvas: port.surface.canvas, view: frame.view, k: frame.k };
  }

  /** Shows a picture in place of the drawing. @returns {boolean} whether there is one that tells enough */
  standIn() {
    const { port, theme } = this.view;
    const [seen, whole] = [port.view(), port.rect];
    const known = this.picture ?? this.painted;
    if (!known || !isUseful(known, seen, port.at.k, whole)) return false;
    this.picture ??= this.copy(known);
    drawPicture(port.surface.begin(port.at, theme.surface, true), this.picture);
    this.renew();
    return true;
  }

  /** Has the next picture drawn, once the present one no longer shows everything or is magnified. */
  renew() {
    const { port, theme } = this.view;
    const { picture, ahead } = this;
    if (!picture) return;
    const scale = port.at.k / picture.k;
    const worn = scale > WORN || scale < 1 / WORN || share(picture, port.view(), port.rect) < 1;
    if (!ahead.steps && worn) ahead.begin(port.at, port.surface.size, theme.surface, this.takeSpare());
    const next = ahead.step();
    if (!next) return;
    this.spare.push(picture.canvas);
    this.picture = next;
    port.frames.request();
  }

  /** A picture of its own of what the canvas shows now. @param {Picture} painted @returns {Picture} */
  copy(painted) {
    const { width, height } = this.view.port.surface.size;
    const canvas = this.takeSpare();
    canvas.width = Math.max(1, Math.round(width));
    canvas.height = Math.max(1, Math.round(height));
    canvas.getContext("2d", { alpha: false })?.drawImage(painted.canvas, 0, 0, canvas.width, canvas.height);
    return { ...painted, canvas };
  }

  takeSpare() {
    return this.spare.pop() ?? document.createElement("canvas");
  }

  drop() {
    for (const each of [this.picture, this.ahead.picture]) if (each) this.spare.push(each.canvas);
    this.picture = null;
    this.ahead.cancel();
  }
}

/** @param {import("../visible.js").Visible} visible */
function countOf({ open, solid, closed, nodes }) {
  return open.length + solid.length + closed.length + nodes.length;
}
