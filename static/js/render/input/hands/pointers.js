/**
 * The fingers, or the mouse, that are down on the canvas: where, how they move, how fast, and how still they were.
 *
 * @typedef {{x: number, y: number}} Point CSS pixels in the canvas
 */

/** A press that wanders less than this many pixels is a click; a finger is less steady than a mouse. */
const SLIP_PX = Object.freeze({ mouse: 4, touch: 10 });
/** How fast a hand goes is measured over its last milliseconds: one that has stopped before it lets go throws nothing. */
const SPEED_MS = 80;

/** From the first one down to the last one up. */
export class Pointers {
  constructor() {
    /** @type {Map<number, Point>} */
    this.down = new Map();
    /** When the first one came down, milliseconds. */
    this.since = 0;
    /** How many were down at the same time. */
    this.most = 0;
    this.slipped = 0;
    this.isTouch = false;
    /** @type {{at: number, dx: number, dy: number}[]} the last moves */
    this.moves = [];
  }

  /** @param {number} id @param {Point} at @param {boolean} isTouch @param {number} now milliseconds */
  press(id, at, isTouch, now) {
    if (this.down.size === 0) Object.assign(this, { since: now, most: 0, slipped: 0, moves: [], isTouch });
    this.down.set(id, at);
    this.most = Math.max(this.most, this.down.size);
  }

  /** Middle of all pointers and their spread. */
  state() {
    const all = [...this.down.values()];
    const x = all.reduce((sum, point) => sum + point.x, 0) / all.length;
    const y = all.reduce((sum, point) => sum + point.y, 0) / all.length;
    const spread = all.length < 2 ? 0 : Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y);
    return { x, y, spread };
  }

  /** @param {number} id @param {Point} at @param {number} now milliseconds @returns how the whole hand moved: shift and change of spread */
  move(id, at, now) {
    const before = this.state();
    this.down.set(id, at);
    const after = this.state();
    const factor = before.spread > 0 && after.spread > 0 ? after.spread / before.spread : 1;
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    this.slipped += Math.hypot(dx, dy) + Math.abs(after.spread - before.spread) / 2;
    this.moves = [...this.moves.filter((move) => now - move.at < SPEED_MS), { at: now, dx, dy }];
    return { dx, dy, factor, middle: { x: after.x, y: after.y } };
  }

  /** Has it moved so far that it is no click? */
  hasSlipped() {
    return this.slipped >= SLIP_PX[this.isTouch ? "touch" : "mouse"];
  }

  /** @param {number} now milliseconds @returns {{vx: number, vy: number}} pixels a millisecond */
  speed(now) {
    const last = this.moves.filter((move) => now - move.at < SPEED_MS);
    const ms = Math.max(now - (last[0]?.at ?? now), 16);
    const sum = (/** @type {"dx" | "dy"} */ key) => last.reduce((total, move) => total + move[key], 0);
    return { vx: sum("dx") / ms, vy: sum("dy") / ms };
  }
}
