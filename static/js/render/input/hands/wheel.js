/**
 * What a turn of a wheel, or of two fingers on a trackpad, means. Both send the same events; they are told apart by their steps.
 *
 * @typedef {Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "ctrlKey" | "metaKey" | "shiftKey"> & {wheelDeltaY?: number}} Turn
 * @typedef {{pan: {dx: number, dy: number}} | {factor: number}} WheelMeaning CSS pixels, or by how much to zoom
 */

const LINE_PX = 16;
const PAGE_PX = 400;
/** One notch of a mouse wheel (100 px) zooms by 1.2; a pinch, which sends small steps with ctrlKey, by a hundredth a pixel. */
const WHEEL = Math.log(1.2) / 100;
const PINCH = 0.01;
/** A larger step is no pinch, and no slow trackpad. */
const LARGE_PX = 50;
/** Turns that follow each other faster than this come from the same device. */
const SAME_MS = 400;
/** What browsers write into the old `wheelDelta` of a step of a trackpad. */
const OLD_PIXELS = -3;

/** Remembers the device in use. */
export class Wheel {
  constructor() {
    this.at = -Infinity;
    this.isTrackpad = false;
  }

  /**
   * Two fingers pan and, spread, zoom; a wheel zooms, with Shift it pans sideways; with Ctrl both zoom.
   * @param {Turn} turn @param {number} now milliseconds @returns {WheelMeaning}
   */
  read(turn, now) {
    if (now - this.at > SAME_MS) this.isTrackpad = isTrackpad(turn);
    this.at = now;
    const unit = turn.deltaMode === 1 ? LINE_PX : turn.deltaMode === 2 ? PAGE_PX : 1;
    const [x, y] = [turn.deltaX * unit, turn.deltaY * unit];
    const zooms = turn.ctrlKey || turn.metaKey;
    if (!zooms && turn.shiftKey) return { pan: { dx: -(x || y), dy: 0 } };
    if (!zooms && this.isTrackpad) return { pan: { dx: -x, dy: -y } };
    const factor = Math.exp(-y * (zooms && Math.abs(y) < LARGE_PX ? PINCH : WHEEL));
    return { factor: Math.min(2, Math.max(0.5, factor)) };
  }
}

/** @param {Turn} turn */
function isTrackpad({ deltaX, deltaY, deltaMode, wheelDeltaY }) {
  if (deltaMode !== 0) return false;
  if (deltaX !== 0) return true;
  return wheelDeltaY ? Math.abs(wheelDeltaY - OLD_PIXELS * deltaY) < 1 : Math.abs(deltaY) < LARGE_PX;
}
