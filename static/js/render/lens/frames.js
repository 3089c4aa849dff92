/**
 * When to draw: once per animation frame and only after something changed; coarsely (one device pixel a CSS pixel) while
 * a slow machine moves the camera, sharply as soon as it rests.
 */

/** A move ends when nothing moved for this long. */
const REST_MS = 140;
/** A machine is slow when most of the last frames took longer than this: two refreshes of a 60 Hz screen, less a little. */
const SLOW_MS = 30;
const WINDOW = 6;

/**
 * @typedef {object} Clock
 * @property {(run: (now: number) => void) => number} frame
 * @property {(id: number) => void} cancelFrame
 * @property {(run: () => void, ms: number) => number} later
 * @property {(id: number) => void} cancelLater
 */

/** @type {Clock} */
const BROWSER = {
  frame: (run) => requestAnimationFrame(run),
  cancelFrame: (id) => cancelAnimationFrame(id),
  later: (run, ms) => window.setTimeout(run, ms),
  cancelLater: (id) => window.clearTimeout(id),
};

/** Schedules `draw`. */
export class Frames {
  /**
   * @param {(coarse: boolean, moving: boolean) => void} draw
   * @param {() => void} rested the camera came to rest
   * @param {Clock} [clock]
   */
  constructor(draw, rested, clock = BROWSER) {
    this.draw = draw;
    this.rested = rested;
    this.clock = clock;
    this.pending = 0;
    this.resting = 0;
    this.moving = false;
    this.drawnAt = -1;
    /** @type {number[]} milliseconds between frames of the present move */
    this.intervals = [];
    this.slow = false;
    /** @type {((now: number) => boolean) | null} moves the camera each frame; false when it has arrived */
    this.animation = null;
    /** Changes what is drawn each frame, beside the camera; false when it is done. @type {((now: number) => boolean) | null} */
    this.transition = null;
  }

  /** Something changed: draw at the next frame. */
  request() {
    if (!this.pending) this.pending = this.clock.frame((now) => this.run(now));
  }

  /** The camera moved: draw, and once more when it rests. */
  move() {
    this.touch();
    this.request();
  }

  touch() {
    this.moving = true;
    this.clock.cancelLater(this.resting);
    this.resting = this.clock.later(() => this.rest(), REST_MS);
  }

  rest() {
    if (this.animation || this.transition) return this.touch(); // one frame took that long, or the page is hidden; it goes on
    this.moving = false;
    this.drawnAt = -1;
    this.request();
    this.rested();
  }

  /** Another graph: what was slow may be fast now. */
  forget() {
    this.slow = false;
    this.intervals = [];
  }

  /** @param {number} now */
  run(now) {
    this.pending = 0;
    this.measure(now);
    for (const each of /** @type {const} */ (["animation", "transition"])) {
      const step = this[each];
      if (!step) continue;
      if (step(now)) this.request();
      else this[each] = null;
      this.touch();
    }
    this.draw(this.moving && this.slow, this.moving);
  }

  /** @param {number} now */
  measure(now) {
    if (this.moving && this.drawnAt >= 0) {
      this.intervals = [...this.intervals.slice(1 - WINDOW), now - this.drawnAt];
      const late = this.intervals.filter((interval) => interval > SLOW_MS && interval < REST_MS * 4).length;
      this.slow ||= late > WINDOW / 2;
    }
    this.drawnAt = this.moving ? now : -1;
  }

  end() {
    this.clock.cancelFrame(this.pending);
    this.clock.cancelLater(this.resting);
  }
}
