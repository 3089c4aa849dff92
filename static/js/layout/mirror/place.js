/**
 * Pass 3: the scene of one half with its bands where they are to stand. Before: heights. After: boxes moved, and every point of
 * every line with what it belongs to: an end with its box, a bend with the band above it (or, in the first zone, below it).
 */

import { ITEM } from "../../base/scene/scene.js";

/**
 * @typedef {import("./bands.js").Half} Half
 * @typedef {import("./bands.js").Slot} Slot
 * @typedef {import("../../base/scene/scene.js").Scene} Scene
 */

/** Coordinates are kept in 32 bits: above 100,000 units that is a hundredth. Lines bend no nearer to a band than ten units. */
const NEAR = 0.5;

/** @param {Half} half @returns {Scene} */
export function placeHalf(half) {
  const { items, edges, width } = half.scene;
  const y = placedTops(half);
  const h = Float32Array.from(half.height);
  const points = edges.points.slice();
  const mover = new Mover(half, y);
  for (let e = 0; e < edges.count; e++) mover.move(e, points);
  return { flow: "down", width, height: half.tops[0].at(-1) ?? 0, items: { ...items, y, h }, edges: { ...edges, points } };
}

/** @param {Half} half @returns {Float32Array} absolute */
function placedTops({ place, scene: { items } }) {
  const y = new Float32Array(items.count);
  for (let i = 0; i < items.count; i++) y[i] = place[i] + (items.parent[i] < 0 ? 0 : y[items.parent[i]]);
  return y;
}

/** Moves the lines of one half. */
class Mover {
  /** @param {Half} half @param {Float32Array} y new tops of the boxes */
  constructor(half, y) {
    this.half = half;
    this.y = y;
  }

  /** @param {number} e @param {Float32Array} points changed in place */
  move(e, points) {
    const { edges } = this.half.scene;
    const first = edges.start[e];
    const last = edges.start[e + 1] - 1;
    if (last < first) return;
    const out = this.end(edges.from[e], points[2 * first + 1]);
    const into = this.end(edges.to[e], points[2 * last + 1]);
    if (edges.stub[e]) this.tails(points, first, last, out, into);
    else for (let p = first + 1; p < last; p++) points[2 * p + 1] = this.bend(points[2 * p], points[2 * p + 1]);
    points[2 * first + 1] = out;
    points[2 * last + 1] = into;
  }

  /** Where an end of a line comes to stand. @param {number} item @param {number} y */
  end(item, y) {
    const { y: tops, h } = this.half.scene.items;
    const below = y - tops[item] > h[item] / 2;
    return below === this.half.flipped ? this.y[item] : this.y[item] + this.half.height[item];
  }

  /** The two short ends of a line too long to be drawn. @param {Float32Array} points @param {number} first @param {number} last @param {number} out @param {number} into */
  tails(points, first, last, out, into) {
    const sign = this.half.flipped ? -1 : 1;
    const leave = points[2 * first + 3] - points[2 * first + 1];
    const enter = points[2 * last - 1] - points[2 * last + 1];
    points[2 * first + 3] = out + sign * leave;
    points[2 * last - 1] = into + sign * enter;
  }

  /** @param {number} x @param {number} y @returns {number} */
  bend(x, y) {
    let slot = 0;
    for (;;) {
      const { bands } = /** @type {Slot} */ (this.half.slots[slot]);
      const b = this.bandAt(bands, y);
      const inside = b < 0 ? -1 : this.openAt(bands[b].items, x, y);
      if (inside < 0) return (slot ? this.y[slot - 1] : 0) + this.inZone(slot, y);
      slot = inside + 1;
    }
  }

  /** The band at a height, or -1. @param {import("./bands.js").Band[]} bands @param {number} y */
  bandAt(bands, y) {
    const b = this.nextBand(bands, y);
    return b < bands.length && bands[b].top - NEAR <= y && y <= bands[b].bottom + NEAR ? b : -1;
  }

  /** The first band, as they are to stand, that does not lie wholly before a height. @param {import("./bands.js").Band[]} bands @param {number} y */
  nextBand(bands, y) {
    let low = 0;
    let high = bands.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const before = this.half.flipped ? bands[middle].top - NEAR > y : bands[middle].bottom + NEAR < y;
      if (before) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The open group at a point, or -1. @param {readonly number[]} items @param {number} x @param {number} y */
  openAt(items, x, y) {
    const { kind, x: left, y: top, w, h } = this.half.scene.items;
    return (
      items.find(
        (i) => kind[i] === ITEM.OPEN && x >= left[i] && x <= left[i] + w[i] && y >= top[i] - NEAR && y <= top[i] + h[i] + NEAR,
      ) ?? -1
    );
  }

  /** From the top of the slot; lines bend between bands only. @param {number} slot @param {number} y */
  inZone(slot, y) {
    const { bands } = /** @type {Slot} */ (this.half.slots[slot]);
    const { flipped, tops, bottoms } = this.half;
    const [top, bottom] = [tops[slot], bottoms[slot]];
    const next = this.nextBand(bands, y);
    // The scene's own first zone hangs on the band below it, every other on the band above.
    if (!flipped) return next === 0 ? top[0] - (bands[0].top - y) : bottom[next - 1] + (y - bands[next - 1].bottom);
    return next === bands.length ? bottom[next - 1] + (bands[next - 1].top - y) : top[next] - (y - bands[next].bottom);
  }
}
