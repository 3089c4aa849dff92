/**
 * Pass 2: the heights of both halves, the innermost groups first. Before: bands and zones. After: where every band and box is to
 * stand in its slot; the boxes of a pair stand at the same height in slots of the same height, and are equally high.
 */

import { ITEM } from "../../base/scene/scene.js";
import { heaviestChain } from "./chain.js";

/**
 * @typedef {import("./bands.js").Half} Half
 * @typedef {import("./bands.js").Slot} Slot
 */

/**
 * @param {Half} ahead @param {Half} back
 * @param {Int32Array} partner by item of `ahead`: an item of `back` that is to stand beside it, or -1. Both are open or neither;
 *   the groups around both are a pair too
 */
export function alignRows(ahead, back, partner) {
  const other = inverse(partner, back.scene.items.count);
  for (const [half, mate] of /** @type {const} */ ([
    [ahead, partner],
    [back, other],
  ])) {
    for (let slot = half.slots.length - 1; slot > 0; slot--) if (half.slots[slot] && mate[slot - 1] < 0) alone(half, slot);
  }
  for (let slot = ahead.slots.length - 1; slot >= 0; slot--) {
    if (!ahead.slots[slot] || (slot > 0 && partner[slot - 1] < 0)) continue;
    together(ahead, slot, back, slot ? partner[slot - 1] + 1 : 0, partner);
  }
}

/** @param {Int32Array} partner @param {number} count */
function inverse(partner, count) {
  const found = new Int32Array(count).fill(-1);
  partner.forEach((b, a) => {
    if (b >= 0) found[b] = a;
  });
  return found;
}

/** A slot with nothing beside it. @param {Half} half @param {number} slot */
function alone(half, slot) {
  const column = new Column(half, slot);
  column.advance(Infinity);
  column.finish(column.bottom);
}

/** @param {Half} ahead @param {number} a slot @param {Half} back @param {number} b slot @param {Int32Array} partner */
function together(ahead, a, back, b, partner) {
  const left = new Column(ahead, a);
  const right = new Column(back, b);
  for (const [item, mate] of pairsIn(ahead, a, back, partner)) {
    left.advance(ahead.band[item]);
    right.advance(back.band[mate]);
    const y = Math.max(left.top, right.top);
    const height = Math.max(ahead.height[item], back.height[mate]);
    left.put(item, y, height);
    right.put(mate, y, height);
  }
  left.advance(Infinity);
  right.advance(Infinity);
  const height = Math.max(left.bottom, right.bottom);
  left.finish(height);
  right.finish(height);
}

/**
 * Pairs of a slot in an order that suits both halves; where theirs differ, as many boxes as can be stand side by side.
 * @param {Half} ahead @param {number} a slot @param {Half} back @param {Int32Array} partner @returns {[number, number][]}
 */
function pairsIn(ahead, a, back, partner) {
  const { bands } = /** @type {Slot} */ (ahead.slots[a]);
  /** @type {[number, number][]} */
  const pairs = [];
  for (const band of bands) {
    const here = band.items.filter((item) => partner[item] >= 0);
    here.sort((x, y) => back.band[partner[x]] - back.band[partner[y]] || x - y);
    for (const item of here) pairs.push([item, partner[item]]);
  }
  const order = pairs.map(([, mate]) => back.band[mate]);
  const weight = pairs.map(([item]) => (ahead.scene.items.kind[item] === ITEM.OPEN ? ahead.height[item] : 1));
  return heaviestChain(order, weight).map((i) => pairs[i]);
}

/** One slot while its bands are put down from top to bottom. */
class Column {
  /** @param {Half} half @param {number} slot */
  constructor(half, slot) {
    this.half = half;
    this.slot = slot;
    this.inside = /** @type {Slot} */ (half.slots[slot]);
    const count = this.inside.bands.length;
    this.tops = new Float64Array(count + 1);
    this.bottoms = new Float64Array(count);
    /** @type {Set<number>} boxes that stand beside their partner */
    this.fixed = new Set();
    /** The band that is being filled. */
    this.at = 0;
    this.top = this.inside.zones[0];
    /** How far down what is fixed in it reaches. */
    this.reach = this.top;
    this.bottom = count ? 0 : this.top;
  }

  /** Closes the bands before this one. @param {number} band */
  advance(band) {
    const { bands, zones } = this.inside;
    while (this.at < Math.min(band, bands.length)) {
      const free = bands[this.at].items.reduce(
        (most, item) => (this.fixed.has(item) ? most : Math.max(most, this.half.height[item])),
        0,
      );
      this.tops[this.at] = this.top;
      this.bottoms[this.at] = Math.max(this.reach, this.top + free);
      this.bottom = this.bottoms[this.at] + zones[this.at + 1];
      this.top = this.reach = this.bottom;
      this.at++;
    }
  }

  /** @param {number} item of the present band @param {number} y @param {number} height */
  put(item, y, height) {
    this.fixed.add(item);
    this.half.height[item] = height;
    this.half.place[item] = y;
    this.reach = Math.max(this.reach, y + height);
  }

  /** Puts the other boxes down. @param {number} height of the slot */
  finish(height) {
    const { half, slot, tops, bottoms } = this;
    this.inside.bands.forEach((band, b) => {
      for (const item of band.items) {
        if (this.fixed.has(item)) continue;
        half.place[item] = half.hangs(item, band) ? tops[b] : bottoms[b] - half.height[item];
      }
    });
    tops[tops.length - 1] = height;
    half.tops[slot] = tops;
    half.bottoms[slot] = bottoms;
    if (slot > 0) half.height[slot - 1] = height;
  }
}
