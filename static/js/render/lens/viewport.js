/** Where the camera is, and everything that moves it: by hand at once, by the program in a short flight. */
import * as lens from "./camera.js";
import { Frames } from "./frames.js";
import { Surface } from "./surface.js";

/**
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("./camera.js").Rect} Rect
 * @typedef {{x: number, y: number}} Point
 */

const FLIGHT_MS = 240;
/** A throw slower than this, in pixels a millisecond, is none; its speed falls to a third in so many milliseconds. */
const LEAST_SPEED = 0.15;
const GLIDE_MS = 280;
/** A frame later than this does not make the glide jump. */
const MOST_MS = 50;
/** Motion is unwelcome. */
const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Zoom to which `reveal` comes up: names and types can be read. */
const REVEAL_ZOOM = 0.6;

/** A canvas in a host, looking at a part of `rect`. */
export class Viewport {
  /**
   * @param {HTMLElement} host
   * @param {(coarse: boolean, moving: boolean) => void} paint
   * @param {(camera: Camera) => void} rested a move came to rest
   * @param {(before: Camera, after: Camera) => void} [travelled] one step of a move that began here
   */
  constructor(host, paint, rested, travelled = () => {}) {
    this.travelled = travelled;
    /** Moved otherwise than by `setCamera`, so that the page has to be told. */
    this.moved = false;
    this.surface = new Surface(host, () => this.resized());
    this.frames = new Frames(paint, () => {
      if (this.moved) rested(this.camera());
      this.moved = false;
    });
    /** @type {Camera} */
    this.at = { x: 0, y: 0, k: 1 };
    /** The whole graph. @type {Rect} */
    this.rect = { x: 0, y: 0, w: 0, h: 0 };
    /** x of what stands at the top. */
    this.top = 0;
    /** Where a flight under way ends. @type {Camera | null} */
    this.goal = null;
    /** The first look is still to be taken: there was no graph, or the canvas had no size. */
    this.unplaced = true;
  }

  /** Another graph, at its first look. @param {Rect} rect @param {number} top x of what stands at the top */
  open(rect, top) {
    this.change(rect, top);
    this.unplaced = true;
    this.place();
  }

  /** The same graph laid out anew. @param {Rect} rect @param {number} top @param {Point} [shift] of what shall stay where it is on the screen */
  change(rect, top, shift = { x: 0, y: 0 }) {
    this.rect = rect;
    this.top = top;
    this.frames.forget();
    this.frames.animation = null;
    this.frames.request();
    if (shift.x === 0 && shift.y === 0) return;
    this.at = { ...this.at, x: this.at.x + shift.x, y: this.at.y + shift.y };
    this.moved = true;
    this.frames.move();
  }

  place() {
    const { width, height } = this.surface.size;
    if (!this.unplaced || width === 0 || height === 0) return;
    this.at = this.initial();
    this.unplaced = this.rect.w === 0;
  }

  resized() {
    this.place();
    this.frames.request();
  }

  /** @returns {Camera} */
  camera() {
    return { ...this.at };
  }

  /** @returns {Camera} the first look */
  initial() {
    return lens.initial(this.rect, this.surface.size, this.top);
  }

  /** Goes there; to the first look where nothing of the graph would be seen. @param {Camera} camera */
  setCamera(camera) {
    this.frames.animation = null;
    this.unplaced = false;
    this.moved = false;
    this.at = lens.shows(camera, this.rect, this.surface.size) ? { ...camera } : this.initial();
    this.frames.move();
  }

  /** @returns {Rect} what is seen, world units */
  view() {
    return lens.viewOf(this.at, this.surface.size);
  }

  /** @param {Point} at CSS pixels @returns {Point} */
  toWorld(at) {
    return lens.toWorld(this.at, this.surface.size, at.x, at.y);
  }

  /** @param {number} dx CSS pixels @param {number} dy */
  pan(dx, dy) {
    this.move(lens.panBy(this.at, dx, dy));
  }

  /** @param {number} factor @param {Point} [at] CSS pixels; the middle when left out */
  zoom(factor, at) {
    const { size } = this.surface;
    this.move(lens.zoomAt(this.at, size, at ?? { x: size.width / 2, y: size.height / 2 }, factor, lens.leastZoom(this.rect, size)));
  }

  /** @param {Camera} camera */
  move(camera) {
    if (this.unplaced) return;
    this.frames.animation = null;
    this.moved = true;
    this.travel(lens.clamp(camera, this.rect, lens.leastZoom(this.rect, this.surface.size)));
    this.frames.move();
  }

  /** @param {Camera} to */
  travel(to) {
    const before = this.at;
    this.at = to;
    this.travelled(before, to);
  }

  /** @param {Camera} to @param {boolean} told */
  step(to, told) {
    if (told) this.travel(to);
    else this.at = to;
  }

  /** Moves as another canvas did, without telling of it. @param {Camera} before @param {Camera} after of the other */
  follow(before, after) {
    if (this.unplaced) return;
    const { factor, dx, dy } = lens.moveBetween(before, after);
    const least = lens.leastZoom(this.rect, this.surface.size);
    const k = lens.clamp({ ...this.at, k: this.at.k * factor }, this.rect, least).k;
    this.frames.animation = null;
    this.moved = true;
    this.at = lens.clamp(lens.panBy({ ...this.at, k }, dx, dy), this.rect, least);
    this.frames.move();
  }

  /** Puts a part of its own graph where another canvas has its kin, without telling of it. @param {Rect} rect @param {Point} at of its middle, CSS pixels from that of the canvas @param {number} factor of zoom */
  hold(rect, at, factor) {
    if (this.unplaced) return;
    const least = lens.leastZoom(this.rect, this.surface.size);
    const k = lens.clamp({ ...this.at, k: this.at.k * factor }, this.rect, least).k;
    const from = { ...this.at, k };
    const goal = lens.clamp({ x: rect.x + rect.w / 2 - at.x / k, y: rect.y + rect.h / 2 - at.y / k, k }, this.rect, least);
    this.moved = true;
    this.fly(goal, { from, told: false });
  }

  fit() {
    this.fly(lens.fit(this.rect, this.surface.size));
  }

  /** @param {Rect} rect */
  reveal(rect) {
    this.fly(lens.reveal(this.at, rect, this.surface.size, REVEAL_ZOOM));
  }

  /** All of it, where `reveal` would show only some. @param {Rect} rect */
  frame(rect) {
    this.fly(lens.frame(this.at, rect, this.surface.size, REVEAL_ZOOM));
  }

  /** Zooms in a short flight around a point that stays; a flight under way goes on from where it would have ended. @param {number} factor @param {Point} [at] CSS pixels; the middle when left out */
  leap(factor, at) {
    const { size } = this.surface;
    const least = lens.leastZoom(this.rect, size);
    const from = (this.frames.animation && this.goal) || this.at;
    const to = lens.zoomAt(from, size, at ?? { x: size.width / 2, y: size.height / 2 }, factor, least);
    this.fly(lens.clamp(to, this.rect, least));
  }

  /** Goes on as it was thrown, slower and slower; not at all where motion is unwelcome. @param {number} vx CSS pixels a millisecond @param {number} vy */
  glide(vx, vy) {
    if (this.unplaced || isStill() || Math.hypot(vx, vy) < LEAST_SPEED) return;
    this.goal = null;
    let before = -1;
    let speed = 1;
    this.frames.animation = (now) => {
      const ms = before < 0 ? 0 : Math.min(now - before, MOST_MS);
      before = now;
      this.moved = true;
      this.travel(lens.clamp(lens.panBy(this.at, vx * speed * ms, vy * speed * ms), this.rect, lens.leastZoom(this.rect, this.surface.size)));
      speed *= Math.exp(-ms / GLIDE_MS);
      return speed * Math.hypot(vx, vy) > LEAST_SPEED / 10;
    };
    this.frames.move();
  }

  /** Whatever moves by itself stands still. */
  halt() {
    this.frames.animation = null;
  }

  /**
   * Goes to a camera, at once where motion is unwelcome.
   * @param {Camera} goal @param {{from?: Camera, told?: boolean}} [how] told: whether it is a move that others follow
   */
  fly(goal, { from = this.at, told = true } = {}) {
    if (this.unplaced || this.surface.size.width === 0) return;
    if (isStill()) return this.arrive(goal, told);
    this.moved = true;
    this.goal = goal;
    let start = -1;
    this.frames.animation = (now) => {
      if (start < 0) start = now;
      const t = Math.min(1, (now - start) / FLIGHT_MS);
      this.step(t === 1 ? goal : lens.between(from, goal, 1 - (1 - t) ** 3), told);
      return t < 1;
    };
    this.frames.move();
  }

  /** @param {Camera} goal @param {boolean} told */
  arrive(goal, told) {
    this.frames.animation = null;
    this.moved = true;
    this.step(goal, told);
    this.frames.move();
  }

  end() {
    this.frames.end();
    this.surface.end();
  }
}
