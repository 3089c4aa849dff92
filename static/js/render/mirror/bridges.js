/** The saved values of a mirror as bridges between its halves: one for all that run between the same two boxes. */

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 * @typedef {import("../../layout/mirror/mirror.js").MirrorScene} MirrorScene
 *
 * @typedef {object} Bridge
 * @property {number} from item of the forward
 * @property {number} to item of the backward; -1: of what only the other partitioner saves, and no node of the backward is it
 * @property {number[]} saved indices into `saved` of the cut, or of the other cut where `ghost`
 * @property {number} bytes of the storages, each once
 * @property {number} unknown storages of symbolic size
 * @property {boolean} held all of it are inputs of the graph, which are there anyway
 * @property {boolean} ghost only the other partitioner keeps that memory
 * @property {boolean} fresh the other partitioner does not keep that memory
 * @property {number} width world units
 * @property {number} x0
 * @property {number} y0
 * @property {number} x1
 * @property {number} y1
 */

/** Thickness by the logarithm of the bytes: 256 bytes 2 units, each factor of four one unit more, at most so many. */
const LEAST = 1.6;
const MOST = 13;
/** Ends keep so far from the corners of their box. */
const INSET = 8;
/** How far a bridge that leads nowhere goes, as part of the gutter. */
const NOWHERE = 0.3;

/** @param {number} bytes @returns {number} world units */
export function thickness(bytes) {
  return Math.min(MOST, LEAST + Math.max(0, Math.log2(Math.max(bytes, 1) / 256)) / 2);
}

/** All bridges of one drawing. */
export class Bridges {
  /** @param {Drawing} drawing @param {MirrorModel} mirror @param {{left: number, right: number}} gutter @param {boolean} compared */
  constructor(drawing, mirror, { left, right }, compared) {
    this.left = left;
    this.right = right;
    /** @type {Map<string, Bridge>} */
    const found = new Map();
    const { cut, other, difference } = mirror.answer;
    const itemOf = (/** @type {number} */ node) => drawing.itemsOf(node)[0] ?? -1;
    const fresh = new Set(
      compared
        ? difference.filter((each) => each.here >= 0 && each.there < 0 && !each.same_memory).map((each) => each.here)
        : [],
    );
    cut.saved.forEach((each, i) => {
      const from = itemOf(each.forward);
      const to = itemOf(each.backward + mirror.offset);
      if (from >= 0 && to >= 0) add(found, from, to, i, false, fresh.has(i));
    });
    for (const each of compared && other ? difference : []) {
      if (each.there < 0 || each.here >= 0 || each.same_memory || !other) continue;
      const node = mirror.indexOf(mirror.forward, each.name);
      const twin = mirror.indexOf(mirror.backward, each.name);
      const from = node < 0 ? -1 : itemOf(node);
      if (from >= 0) add(found, from, twin < 0 ? -1 : itemOf(twin), each.there, true, false);
    }
    /** The thick ones first, so that the thin ones lie on top. @type {Bridge[]} */
    this.all = [...found.values()];
    for (const bridge of this.all) weigh(bridge, bridge.ghost && other ? other : cut);
    this.all.sort((a, b) => b.width - a.width);
    this.place(drawing.scene.items);
    /** By item: its bridges. @type {Map<number, Bridge[]>} */
    this.at = new Map();
    for (const bridge of this.all) for (const item of [bridge.from, bridge.to]) push(this.at, item, bridge);
  }

  /** Spreads the ends over the sides of the boxes, in the order of where they lead. @param {import("../../base/scene/scene.js").SceneItems} items */
  place(items) {
    const middle = (/** @type {number} */ item) => items.y[item] + items.h[item] / 2;
    const ends = new Map();
    for (const bridge of this.all) {
      push(ends, bridge.from, bridge);
      if (bridge.to >= 0) push(ends, bridge.to, bridge);
    }
    for (const [item, list] of ends) {
      const other = (/** @type {Bridge} */ bridge) => (bridge.from === item ? bridge.to : bridge.from);
      list.sort(
        (/** @type {Bridge} */ a, /** @type {Bridge} */ b) =>
          middle(other(a)) - middle(other(b)) || a.from - b.from || a.to - b.to,
      );
      const room = Math.max(0, items.h[item] - 2 * INSET);
      list.forEach((/** @type {Bridge} */ bridge, /** @type {number} */ i) => {
        const y = items.y[item] + (items.h[item] - room) / 2 + (room * (i + 0.5)) / list.length;
        if (bridge.from === item) [bridge.x0, bridge.y0] = [items.x[item] + items.w[item], y];
        else [bridge.x1, bridge.y1] = [items.x[item], y];
      });
    }
    for (const bridge of this.all) {
      if (bridge.to < 0) [bridge.x1, bridge.y1] = [this.left + (this.right - this.left) * NOWHERE, bridge.y0];
    }
  }

  /** The bridges that end at some items, each once. @param {Iterable<number>} items @returns {Bridge[]} */
  endingAt(items) {
    const found = new Set();
    for (const item of items) for (const bridge of this.at.get(item) ?? []) found.add(bridge);
    return [...found];
  }

  /** The bridges on which some values of the cut run. @param {ReadonlySet<number>} saved @returns {Bridge[]} */
  carrying(saved) {
    return this.all.filter((bridge) => !bridge.ghost && bridge.saved.some((each) => saved.has(each)));
  }
}

/** @param {Map<string, Bridge>} found @param {number} from @param {number} to @param {number} saved @param {boolean} ghost @param {boolean} fresh */
function add(found, from, to, saved, ghost, fresh) {
  const key = `${from} ${to} ${ghost} ${fresh}`;
  const known = found.get(key);
  if (known) {
    known.saved.push(saved);
    return;
  }
  const place = { x0: 0, y0: 0, x1: 0, y1: 0, width: 0, bytes: 0, unknown: 0, held: false };
  found.set(key, { from, to, saved: [saved], ghost, fresh, ...place });
}

/** @param {Bridge} bridge changed in place @param {import("../../model/mirror/types.js").Cut} cut */
function weigh(bridge, { saved, storages }) {
  const own = new Set(bridge.saved.map((i) => saved[i].storage).filter((storage) => storage >= 0));
  const list = [...own].map((storage) => storages[storage]);
  bridge.bytes = list.reduce((sum, storage) => sum + (storage.bytes ?? 0), 0);
  bridge.unknown = list.filter((storage) => storage.bytes === null).length;
  bridge.held = list.every((storage) => storage.held);
  bridge.width = thickness(bridge.bytes);
}

/** @template K, V @param {Map<K, V[]>} map @param {K} key @param {V} value */
function push(map, key, value) {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
