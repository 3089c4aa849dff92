/**
 * Pass 9: the scene. Before: a layout per slot. After: absolute boxes, and every edge as one polyline joined from its hops.
 */

import { Float32List } from "../../base/growable.js";

/**
 * @typedef {import("../../base/scene/scene.js").Scene} Scene
 * @typedef {import("./problems.js").LaidOut} LaidOut
 */

/** Of a stub: how long its two ends are, and how far from the middle of its box. */
const TAIL = Object.freeze({ length: 12, aside: 18 });

/**
 * @param {import("./problems.js").Whole} whole
 * @param {import("./lift.js").VisibleEdges} edges @param {Uint8Array} reversed @param {Uint8Array} stub
 * @param {(LaidOut|null)[]} done
 * @returns {Scene}
 */
export function composeScene(whole, edges, reversed, stub, done) {
  const { items } = whole;
  const boxes = absoluteBoxes(whole, done);
  const scene = {
    flow: whole.flow,
    rough: done.reduce((sum, each) => sum + (each?.layout.rough ? 1 : 0), 0),
    wrapped: done.reduce((sum, each) => sum + (each?.layout.wrapped ? 1 : 0), 0),
    width: boxes.width,
    height: boxes.height,
    items: { count: items.count, kind: items.kind, ref: items.ref, ...boxes.items, parent: items.parent, end: items.end },
  };
  const start = new Uint32Array(edges.count + 1);
  const stubs = stub.slice();
  const points = new Float32List(edges.count * 8);
  const line = new Polyline(points);
  for (let e = 0; e < edges.count; e++) {
    if (!stubs[e] && !joinHops(whole, boxes, done, e, line)) stubs[e] = 1;
    if (stubs[e]) tails(boxes.items, edges.from[e], edges.to[e], reversed[e] === 1, line);
    line.end();
    start[e + 1] = points.length / 2;
  }
  return {
    ...scene,
    edges: {
      count: edges.count,
      from: edges.from.slice(),
      to: edges.to.slice(),
      owner: edges.owner,
      weight: Uint32Array.from(edges.weight),
      edge: edges.edge.slice(),
      stub: stubs,
      start,
      points: points.take(),
    },
  };
}

/** @param {import("./problems.js").Whole} whole @param {(LaidOut|null)[]} done */
function absoluteBoxes({ items, slots, flow }, done) {
  const { count, parent } = items;
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const w = new Float32Array(count);
  const h = new Float32Array(count);
  const top = /** @type {LaidOut} */ (done[0]);
  const turned = flow === "right";
  for (let item = 0; item < count; item++) {
    const around = parent[item];
    const { layout, problem } = /** @type {LaidOut} */ (done[around + 1]);
    const place = slots.place[item];
    const [across, along] = [layout.x[place], layout.y[place]];
    x[item] = (turned ? along : across) + (around < 0 ? 0 : x[around]);
    y[item] = (turned ? across : along) + (around < 0 ? 0 : y[around]);
    w[item] = (turned ? problem.h : problem.w)[place];
    h[item] = (turned ? problem.w : problem.h)[place];
  }
  const { w: width, h: height } = top.layout;
  return { width: turned ? height : width, height: turned ? width : height, items: { x, y, w, h } };
}

/** @typedef {ReturnType<typeof absoluteBoxes>} Boxes */

/**
 * Appends an edge's hops from its source on; false, with nothing appended, where a group had no room for one of them.
 * @param {import("./problems.js").Whole} whole
 * @param {Boxes} boxes
 * @param {(LaidOut|null)[]} done
 * @param {number} e
 * @param {Polyline} line
 */
function joinHops({ hops, slots, flow }, { items }, done, e, line) {
  for (let i = hops.start[e]; i < hops.start[e + 1]; i++) {
    const hop = hops.path[i];
    if (/** @type {LaidOut} */ (done[hops.slot[hop]]).layout.cut[slots.edge[hop]]) return false;
  }
  const across = flow === "right" ? 1 : 0;
  for (let i = hops.start[e]; i < hops.start[e + 1]; i++) {
    const hop = hops.path[i];
    const slot = hops.slot[hop];
    const { start, points } = /** @type {LaidOut} */ (done[slot]).layout;
    const dx = slot === 0 ? 0 : items.x[slot - 1];
    const dy = slot === 0 ? 0 : items.y[slot - 1];
    const first = start[slots.edge[hop]];
    const last = start[slots.edge[hop] + 1] - 1;
    const up = hops.reversed[hop] === 1;
    for (let p = up ? last : first; up ? p >= first : p <= last; p += up ? -1 : 1)
      line.add(points[2 * p + across] + dx, points[2 * p + 1 - across] + dy);
  }
  return true;
}

/**
 * The four points of a stub. Also where lines run to the right its ends stand below and above their boxes: its labels have room there.
 * @param {Boxes["items"]} items @param {number} from @param {number} to @param {boolean} upwards @param {Polyline} line
 */
function tails({ x, y, w, h }, from, to, upwards, line) {
  const out = x[from] + w[from] / 2 + Math.min(TAIL.aside, w[from] / 4);
  const into = x[to] + w[to] / 2 - Math.min(TAIL.aside, w[to] / 4);
  const y1 = upwards ? y[from] : y[from] + h[from];
  const y2 = upwards ? y[to] + h[to] : y[to];
  const tail = upwards ? -TAIL.length : TAIL.length;
  line.add(out, y1);
  line.corner(out, y1 + tail);
  line.corner(into, y2 - tail);
  line.add(into, y2);
}

/** Appends points; those that lie on a straight line between their neighbours are left out. */
class Polyline {
  /** @param {Float32List} points */
  constructor(points) {
    this.points = points;
    this.first = 0;
    this.fixed = 0;
  }

  /** @param {number} x @param {number} y */
  add(x, y) {
    const { points } = this;
    const { data } = points;
    const n = points.length;
    if (n > this.first && data[n - 2] === x && data[n - 1] === y) return;
    if (n >= this.fixed + 4) {
      const vertical = data[n - 4] === data[n - 2] && data[n - 2] === x;
      const horizontal = data[n - 3] === data[n - 1] && data[n - 1] === y;
      if (vertical || horizontal) points.length = n - 2;
    }
    points.pushPair(x, y);
  }

  /** A point that stays. @param {number} x @param {number} y */
  corner(x, y) {
    this.points.pushPair(x, y);
    this.fixed = this.points.length;
  }

  end() {
    this.first = this.fixed = this.points.length;
  }
}
