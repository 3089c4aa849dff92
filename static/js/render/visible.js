/** What of a scene is to be drawn: the walk of the open tree that skips what is off the screen or too small to enter. */
import { ITEM } from "../base/scene/scene.js";

/** @typedef {import("../base/scene/scene.js").Scene} Scene */
/** @typedef {import("./lens/camera.js").Rect} Rect */

/** A group is one solid rectangle when its longer side is under this many pixels, or its shorter one under a third of it. */
const SOLID_PX = 14;

/** Item indices by how they are drawn; the arrays are used again for every frame. */
export class Visible {
  constructor() {
    /** @type {number[]} */ this.open = [];
    /** @type {number[]} */ this.solid = [];
    /** @type {number[]} */ this.closed = [];
    /** @type {number[]} */ this.nodes = [];
    /** The number of the frame in which an open group was last entered. */
    this.entered = new Uint32Array(0);
    this.frame = 0;
  }

  /** @param {number} item an open group, or -1 for the top @returns {boolean} are the things it holds drawn? */
  holds(item) {
    return item < 0 || this.entered[item] === this.frame;
  }

  /** @param {Scene} scene @param {Rect} view @param {number} k pixels a unit */
  collect({ items }, view, k) {
    if (this.entered.length !== items.count) this.entered = new Uint32Array(items.count);
    this.frame += 1;
    for (const list of [this.open, this.solid, this.closed, this.nodes]) list.length = 0;
    const { kind, x, y, w, h, end } = items;
    const right = view.x + view.w;
    const bottom = view.y + view.h;
    for (let i = 0; i < items.count;) {
      if (x[i] > right || y[i] > bottom || x[i] + w[i] < view.x || y[i] + h[i] < view.y) i = end[i];
      else if (kind[i] !== ITEM.OPEN) {
        (kind[i] === ITEM.NODE ? this.nodes : this.closed).push(i);
        i = end[i];
      } else if (isSolid(w[i] * k, h[i] * k)) {
        this.solid.push(i);
        i = end[i];
      } else {
        this.open.push(i);
        this.entered[i] = this.frame;
        i += 1;
      }
    }
  }
}

/** @param {number} w pixels @param {number} h pixels */
export function isSolid(w, h) {
  return Math.max(w, h) < SOLID_PX || Math.min(w, h) < SOLID_PX / 3;
}
