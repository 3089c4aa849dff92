/** The next picture, drawn a pass at a time beside the frames, so that none of them has to wait for it. */
import { drawSteps } from "../draw/draw.js";
import { viewOf } from "../lens/camera.js";
import { Visible } from "../visible.js";

/**
 * @typedef {import("../lens/camera.js").Camera} Camera
 * @typedef {import("../lens/camera.js").Size} Size
 * @typedef {import("./still.js").Picture} Picture
 * @typedef {import("../draw/draw.js").Frame} Frame
 * @typedef {(ink: CanvasRenderingContext2D, view: Frame["view"], k: number, visible: Visible) => Frame | null} MakeFrame
 */

/** Milliseconds of a frame that may go into the next picture. */
const SHARE_MS = 5;
/** How much wider and higher than the canvas it is, so that a move does not leave it at once. */
const ROOM = 1.3;

/** Draws one picture after the other. */
export class Ahead {
  /** @param {MakeFrame} makeFrame @param {() => number} [now] milliseconds */
  constructor(makeFrame, now = () => performance.now()) {
    this.makeFrame = makeFrame;
    this.now = now;
    /** @type {Generator<void, void> | null} */
    this.steps = null;
    /** @type {Picture | null} */
    this.picture = null;
    this.visible = new Visible();
  }

  /** Begins the picture of what this camera sees and what is around it. @param {Camera} at @param {Size} size @param {string} ground @param {HTMLCanvasElement} canvas to draw it on */
  begin(at, { width, height }, ground, canvas) {
    const size = { width: Math.round(width * ROOM), height: Math.round(height * ROOM) };
    const view = viewOf(at, size);
    canvas.width = size.width;
    canvas.height = size.height;
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) return;
    ready(context, at, size, ground);
    const frame = this.makeFrame(context, view, at.k, this.visible);
    if (!frame) return;
    this.steps = drawSteps(frame);
    this.picture = { canvas, view, k: at.k };
  }

  /** Goes on for a part of a frame's time. @returns {Picture | null} the picture, once it is finished */
  step() {
    const until = this.now() + SHARE_MS;
    while (this.steps && this.now() < until) if (this.steps.next().done) return this.finish();
    return null;
  }

  finish() {
    const { picture } = this;
    this.cancel();
    return picture;
  }

  cancel() {
    this.steps = null;
    this.picture = null;
  }
}

/** @param {CanvasRenderingContext2D} context @param {Camera} at @param {Size} size @param {string} ground */
function ready(context, { x, y, k }, { width, height }, ground) {
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  context.setTransform(k, 0, 0, k, width / 2 - x * k, height / 2 - y * k);
  context.textBaseline = "middle";
  context.lineJoin = "round";
}
