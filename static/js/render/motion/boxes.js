/**
 * Where the boxes of the fuller of two scenes of one graph are in the emptier one: in their own place where they are shown there too,
 * else in the box of the closed group that stands for them.
 */
import { ITEM } from "../../base/scene/scene.js";

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {{x: number, y: number}} Point
 *
 * @typedef {object} Boxes one entry for each item of the fuller scene
 * @property {Float32Array} x in the emptier scene, as are y, w, h
 * @property {Float32Array} y
 * @property {Float32Array} w
 * @property {Float32Array} h
 * @property {Int32Array} within the open group around an item that is closed in the emptier scene, outermost; -1: none is
 * @property {number[]} growing those groups
 * @property {import("../lens/camera.js").Rect} whole the emptier scene
 */

/**
 * @param {Drawing} full @param {Drawing} bare the emptier one @param {Point} shift to add to places in `bare`
 * @returns {Boxes}
 */
export function boxesIn(full, bare, shift) {
  const { items } = full.scene;
  const { x, y, w, h } = items;
  const whole = { x: shift.x, y: shift.y, w: bare.scene.width, h: bare.scene.height };
  /** @type {Boxes} */
  const boxes = { x: x.slice(), y: y.slice(), w: w.slice(), h: h.slice(), within: new Int32Array(items.count).fill(-1), growing: [], whole };
  for (let i = 0; i < items.count; i++) {
    const around = items.parent[i];
    const group = around < 0 ? -1 : boxes.within[around] >= 0 ? boxes.within[around] : isGrowing(full, bare, around) ? around : -1;
    const own = group < 0 ? sameIn(full, bare, i) : -1;
    boxes.within[i] = group;
    if (own >= 0) takePlace(boxes, i, bare, own, shift);
    else if (group >= 0) goWith(boxes, full, i, group, true);
    else if (around >= 0) goWith(boxes, full, i, around, false);
    if (group < 0 && isGrowing(full, bare, i)) boxes.growing.push(i);
  }
  return boxes;
}

/** The same thing in another scene, or -1. @param {Drawing} full @param {Drawing} bare @param {number} item */
function sameIn(full, bare, item) {
  const ref = full.scene.items.ref[item];
  const there = full.isNode(item) ? bare.itemOfNode[ref] : bare.itemOfGroup[ref];
  return there >= 0 && full.isNode(item) === bare.isNode(there) ? there : -1;
}

/** Is it open here and closed there? @param {Drawing} full @param {Drawing} bare @param {number} item */
function isGrowing(full, bare, item) {
  const there = full.scene.items.kind[item] === ITEM.OPEN ? sameIn(full, bare, item) : -1;
  return there >= 0 && bare.scene.items.kind[there] === ITEM.CLOSED;
}

/** @param {Boxes} boxes @param {number} item @param {Drawing} bare @param {number} there @param {Point} shift */
function takePlace({ x, y, w, h }, item, bare, there, shift) {
  const { items } = bare.scene;
  x[item] = items.x[there] + shift.x;
  y[item] = items.y[there] + shift.y;
  w[item] = items.w[there];
  h[item] = items.h[there];
}

/**
 * Moves with a group: what a growing one holds keeps to the end at which its lines come in and to the middle of its other side, so that
 * what is seen first is where one enters.
 * @param {Boxes} boxes @param {Drawing} full @param {number} item @param {number} group @param {boolean} grows
 */
function goWith({ x, y, w, h }, full, item, group, grows) {
  const { items, flow } = full.scene;
  const wide = grows && flow !== "right" ? (w[group] - items.w[group]) / 2 : 0;
  const high = grows && flow === "right" ? (h[group] - items.h[group]) / 2 : 0;
  x[item] = items.x[item] + x[group] - items.x[group] + wide;
  y[item] = items.y[item] + y[group] - items.y[group] + high;
}
