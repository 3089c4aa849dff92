/**
 * The way one walked along edges. Going back leads where one came from, whichever edge that was; and from the end of an edge one
 * can turn to the other ends there were to choose from.
 */
import { ends, step } from "./walk.js";

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("./keyboard.js").Direction} Direction
 * @typedef {{from: number, at: number, side: "in" | "out"}} Leg one edge that was walked along: `out` downwards, `in` upwards
 */

/** Nobody goes back further step by step. */
const MOST_LEGS = 1000;

/** @type {Partial<Record<Direction, "in" | "out">>} */
const SIDES = { down: "out", up: "in" };

/** Belongs to one drawing: its items are that drawing's. */
export class Trail {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    /** @type {Leg[]} */
    this.legs = [];
  }

  /** @param {number} item where one is @param {Direction} direction @returns {number} item, the same one when there is no way */
  walk(item, direction) {
    this.keep(item);
    const side = SIDES[direction];
    const last = this.legs[this.legs.length - 1];
    if (last && side && side !== last.side) {
      this.legs.pop();
      return last.from;
    }
    const to = step(this.drawing, item, direction);
    if (side && to !== item && ends(this.drawing, item, side).includes(to)) this.add({ from: item, at: to, side });
    else if (to !== item) this.legs = [];
    return to;
  }

  /** To the next or the one before of the ends there were. @param {number} item @param {1 | -1} by @returns {number} item */
  turn(item, by) {
    const { of, all } = this.choice(item);
    if (all.length < 2) return item;
    const to = all[(of + by + all.length) % all.length];
    this.legs[this.legs.length - 1] = { ...this.legs[this.legs.length - 1], at: to };
    return to;
  }

  /** Which of the ends there were one is at. @param {number} item @returns {{of: number, all: number[], leg: Leg | null}} no ends: one did not come along an edge */
  choice(item) {
    this.keep(item);
    const leg = this.legs[this.legs.length - 1];
    if (!leg) return { of: -1, all: [], leg: null };
    const all = ends(this.drawing, leg.from, leg.side);
    return { of: all.indexOf(item), all, leg };
  }

  /** Forgets the way where one is elsewhere now. @param {number} item */
  keep(item) {
    if (this.legs[this.legs.length - 1]?.at !== item) this.legs = [];
  }

  /** @param {Leg} leg */
  add(leg) {
    this.legs.push(leg);
    if (this.legs.length > MOST_LEGS) this.legs.shift();
  }
}
