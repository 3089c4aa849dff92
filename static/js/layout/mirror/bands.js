/**
 * Pass 1 of a mirror: what a scene consists of, group by group. Before: the scene of one half. After: for the top and every open
 * group its bands (rows of boxes side by side) and the zones between them, where lines bend; from top to bottom as they are
 * to stand: those of a flipped half, whose flow runs up, in reverse order.
 */

import { rowsOf } from "../../base/rows.js";
import { GROUP_BOX } from "../../base/scene/boxes.js";
import { ITEM } from "../../base/scene/scene.js";

/**
 * @typedef {import("../../base/scene/scene.js").Scene} Scene
 *
 * @typedef {object} Band boxes that overlap in height
 * @property {number} top as the scene has it
 * @property {number} bottom
 * @property {number[]} items
 *
 * @typedef {object} Slot the top of a scene, or the inside of an open group
 * @property {number} top
 * @property {number} bottom
 * @property {Band[]} bands
 * @property {Float64Array} zones heights above, between and below the bands, as they are to stand
 */

/** One half of a mirror while it is placed. Slot 0 is the top, slot i + 1 the inside of item i. */
export class Half {
  /** @param {Scene} scene @param {boolean} flipped its flow is to run up */
  constructor(scene, flipped) {
    this.scene = scene;
    this.flipped = flipped;
    const { count, kind, h, parent } = scene.items;
    /** @type {(Slot|null)[]} */
    this.slots = new Array(count + 1).fill(null);
    /** Number of the band of every item, in its slot. */
    this.band = new Int32Array(count);
    const children = rowsOf(
      count + 1,
      parent.map((each) => each + 1),
    );
    for (let slot = 0; slot <= count; slot++) {
      if (slot > 0 && kind[slot - 1] !== ITEM.OPEN) continue;
      this.slots[slot] = this.slotOf(slot, children.member.subarray(children.start[slot], children.start[slot + 1]));
    }
    /** Height that every item is to have. */
    this.height = Float64Array.from(h);
    /** Where every item is to stand in its slot, from the slot's top. */
    this.place = new Float64Array(count);
    /** By slot: where the bands are to stand, and behind the last one the slot's height. @type {Float64Array[]} */
    this.tops = [];
    /** @type {Float64Array[]} */
    this.bottoms = [];
  }

  /** @param {number} slot @param {Int32Array} children @returns {Slot} */
  slotOf(slot, children) {
    const { y, h } = this.scene.items;
    const top = slot ? y[slot - 1] : 0;
    const bottom = slot ? y[slot - 1] + h[slot - 1] : this.scene.height;
    const bands = bandsOf(this.scene, children);
    const header = slot ? GROUP_BOX.title : 0;
    if (this.flipped) bands.reverse();
    bands.forEach((band, b) => {
      for (const item of band.items) this.band[item] = b;
    });
    return { top, bottom, bands, zones: this.flipped ? zonesUp(top, bottom, bands, header) : zonesDown(top, bottom, bands) };
  }

  /** Whether a box hangs from the top of its band, where it is to stand; else it stands on the bottom. @param {number} item @param {Band} band */
  hangs(item, band) {
    const { y, h } = this.scene.items;
    return y[item] - band.top <= band.bottom - y[item] - h[item] !== this.flipped;
  }
}

/** @param {Scene} scene @param {Int32Array} children @returns {Band[]} from top to bottom */
function bandsOf({ items: { y, h } }, children) {
  const sorted = Array.from(children).sort((a, b) => y[a] - y[b] || a - b);
  /** @type {Band[]} */
  const bands = [];
  for (const item of sorted) {
    const band = bands.at(-1);
    if (band && y[item] < band.bottom) {
      band.items.push(item);
      band.bottom = Math.max(band.bottom, y[item] + h[item]);
    } else bands.push({ top: y[item], bottom: y[item] + h[item], items: [item] });
  }
  return bands;
}

/** @param {number} top @param {number} bottom @param {Band[]} bands */
function zonesDown(top, bottom, bands) {
  const ends = [top, ...bands.map((band) => band.bottom)];
  const starts = [...bands.map((band) => band.top), bottom];
  return Float64Array.from(starts, (start, i) => start - ends[i]);
}

/** The title bar stays on top: the zone that was below gets its height, the one above loses it. @param {number} top @param {number} bottom @param {Band[]} bands @param {number} header */
function zonesUp(top, bottom, bands, header) {
  const starts = [bottom, ...bands.map((band) => band.top)];
  const ends = [...bands.map((band) => band.bottom), top];
  const zones = Float64Array.from(starts, (start, i) => start - ends[i]);
  zones[0] += header;
  zones[zones.length - 1] -= header;
  return zones;
}
