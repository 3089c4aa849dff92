/**
 * The way from one scene of a graph to another, group by group opened or closed: what is in both moves over, a group that opens grows
 * out of its closed box, and one that closes goes back into it.
 */
import { Drawing } from "../drawing.js";
import { boxesIn } from "./boxes.js";
import { linesAway } from "./lines.js";

/**
 * @typedef {import("./boxes.js").Point} Point
 * @typedef {{item: number, strength: number}} Veil a growing group, and how much of what it holds is still hidden, 0 to 1
 */

/** Where nobody looks. */
const FAR = 1e9;

/** Changes its drawing in place. */
export class Passage {
  /** @param {Drawing} before @param {Drawing} now @param {Point} shift how far what stays on the screen has moved in the world */
  constructor(before, now, shift) {
    /** The fuller scene is the one that moves: it has a box for all that is seen before or afterwards. */
    this.opens = now.scene.items.count >= before.scene.items.count;
    const full = this.opens ? now : before;
    /** How far what stays on the screen has moved in the world. */
    this.moved = shift;
    this.full = full;
    this.boxes = boxesIn(full, this.opens ? before : now, this.opens ? shift : { x: -shift.x, y: -shift.y });
    this.away = linesAway(full, this.boxes);
    /** What has to be added to the places of the fuller scene. */
    this.shift = this.opens ? { x: 0, y: 0 } : shift;
    /** The lines inside a growing group: seen only between boxes that are. */
    this.inner = innerLines(full, this.boxes);
    this.drawing = movingOf(full, this.boundsAll());
    /** How far it is, from 0, before, to 1, now. */
    this.time = 0;
    /** @type {Veil[]} */
    this.veils = [];
    this.at(0);
  }

  /** Moves everything. @param {number} t from 0, before, to 1, now */
  at(t) {
    this.time = t;
    const part = this.opens ? 1 - t : t;
    this.moveBoxes(part);
    this.moveLines(part);
    this.veils = this.boxes.growing.map((item) => ({ item, strength: part }));
  }

  /** @param {number} part 0: as in the fuller scene, 1: as in the emptier one */
  moveBoxes(part) {
    const { boxes, full, drawing, shift } = this;
    const [own, moved] = [full.scene.items, drawing.scene.items];
    for (let i = 0; i < own.count; i++) {
      moved.x[i] = own.x[i] + (boxes.x[i] - own.x[i]) * part + shift.x;
      moved.y[i] = own.y[i] + (boxes.y[i] - own.y[i]) * part + shift.y;
      moved.w[i] = own.w[i] + (boxes.w[i] - own.w[i]) * part;
      moved.h[i] = own.h[i] + (boxes.h[i] - own.h[i]) * part;
      if (boxes.within[i] >= 0 && !holds(moved, boxes.within[i], i)) moved.x[i] = FAR;
    }
  }

  /** @param {number} part */
  moveLines(part) {
    const { away, full, drawing, shift, inner } = this;
    const [own, moved] = [full.scene.edges, drawing.scene.edges];
    const { x } = drawing.scene.items;
    for (let at = 0; at < away.length; at += 2) {
      moved.points[at] = own.points[at] + away[at] * part + shift.x;
      moved.points[at + 1] = own.points[at + 1] + away[at + 1] * part + shift.y;
    }
    for (const e of inner) if (x[own.from[e]] === FAR || x[own.to[e]] === FAR) moved.points.fill(FAR, 2 * own.start[e], 2 * own.start[e + 1]);
  }

  /** The boxes now; one that is still hidden in its group stands for the group. @returns {import("../../base/scene/scene.js").SceneItems} */
  ends() {
    const { items } = this.drawing.scene;
    const { within } = this.boxes;
    const [x, y, w, h] = [items.x.slice(), items.y.slice(), items.w.slice(), items.h.slice()];
    for (let i = 0; i < items.count; i++) {
      if (x[i] !== FAR) continue;
      const group = within[i];
      [x[i], y[i], w[i], h[i]] = [x[group], y[group], w[group], h[group]];
    }
    return { ...items, x, y, w, h };
  }

  /** Of every edge, in the drawing's order: around all the way that it goes. */
  boundsAll() {
    const { full, away, shift } = this;
    const { order, scene: { edges: { start, points } } } = full;
    const bounds = full.bounds.slice();
    for (let at = 0; at < order.length; at++) {
      for (let point = start[order[at]]; point < start[order[at] + 1]; point++) {
        for (const axis of [0, 1]) {
          const value = points[2 * point + axis] + away[2 * point + axis];
          bounds[4 * at + axis] = Math.min(bounds[4 * at + axis], value);
          bounds[4 * at + 2 + axis] = Math.max(bounds[4 * at + 2 + axis], value);
        }
      }
      for (let side = 0; side < 4; side++) bounds[4 * at + side] += side % 2 ? shift.y : shift.x;
    }
    return bounds;
  }
}

/** A drawing with places of its own. @param {Drawing} full @param {Float32Array} bounds @returns {Drawing} */
function movingOf(full, bounds) {
  const { items, edges } = full.scene;
  const { x, y, w, h } = items;
  const scene = { ...full.scene, items: { ...items, x: x.slice(), y: y.slice(), w: w.slice(), h: h.slice() }, edges: { ...edges, points: edges.points.slice() } };
  return Object.assign(Object.create(Drawing.prototype), full, { scene, bounds });
}

/** @param {Drawing} full @param {import("./boxes.js").Boxes} boxes */
function innerLines({ scene: { edges } }, { within }) {
  const found = [];
  for (let e = 0; e < edges.count; e++) if (within[edges.from[e]] >= 0 && within[edges.from[e]] === within[edges.to[e]]) found.push(e);
  return found;
}

/** @param {import("../../base/scene/scene.js").SceneItems} items @param {number} group @param {number} item */
function holds({ x, y, w, h }, group, item) {
  return x[item] >= x[group] && y[item] >= y[group] && x[item] + w[item] <= x[group] + w[group] && y[item] + h[item] <= y[group] + h[group];
}
