/** What a mirror draws beside the graph itself, made once for each scene; and which bridges are chosen or under the pointer. */
import { PARTITIONERS } from "../../model/mirror/words.js";
import { Bridges } from "./bridges.js";
import { drawBridges, drawLabels, drawMarks, drawRows } from "./draw.js";
import { markItems } from "./marked.js";
import { distanceTo } from "./path.js";

/**
 * @typedef {import("../draw/draw.js").Frame} Frame
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 * @typedef {import("../../layout/mirror/mirror.js").MirrorScene} MirrorScene
 * @typedef {import("./bridges.js").Bridge} Bridge
 */

/** A bridge is under the pointer when it is no further than this many pixels. */
const NEAR_PX = 4;

export class Overlay {
  /** @param {Drawing} drawing @param {MirrorModel} mirror @param {MirrorScene} mirrored @param {boolean} compared */
  constructor(drawing, mirror, mirrored, compared) {
    this.mirror = mirror;
    this.mirrored = mirrored;
    this.compared = compared;
    this.bridges = new Bridges(drawing, mirror, mirrored, compared);
    this.marks = markItems(drawing, mirror, compared);
    /** @type {Set<Bridge>} */
    this.chosen = new Set();
    /** @type {Bridge|null} */
    this.hovered = null;
  }

  /**
   * Chooses the bridges at the selected nodes or group, and those of the selected saved values.
   * @param {Drawing} drawing @param {readonly number[]} nodes @param {number} group
   */
  choose(drawing, nodes, group) {
    const { cut } = this.mirror.answer;
    const values = new Set(nodes);
    const saved = new Set();
    cut.saved.forEach((each, i) => {
      if (values.has(each.forward) || values.has(each.backward + this.mirror.offset)) saved.add(i);
    });
    const items = new Set(nodes.map((node) => drawing.itemOfNode[node]).filter((item) => item >= 0 && drawing.isNode(item)));
    const closed = group < 0 ? -1 : drawing.itemOfGroup[group];
    if (closed >= 0) for (let item = closed; item < drawing.scene.items.end[closed]; item++) items.add(item);
    this.chosen = new Set([...this.bridges.carrying(saved), ...this.bridges.endingAt(items)]);
  }

  /** The bridge at a point, or null; of several the thinnest. @param {number} x @param {number} y @param {number} k pixels a unit @returns {Bridge|null} */
  bridgeAt(x, y, k) {
    const { all, left, right } = this.bridges;
    const reach = NEAR_PX / k;
    for (let i = all.length - 1; i >= 0; i--) {
      const bridge = all[i];
      const near = reach + bridge.width / 2;
      if (
        x < bridge.x0 ||
        x > bridge.x1 ||
        y < Math.min(bridge.y0, bridge.y1) - near ||
        y > Math.max(bridge.y0, bridge.y1) + near
      )
        continue;
      if (distanceTo(bridge, left, right, x, y) <= near) return bridge;
    }
    return null;
  }

  /** The partitioner that alone saves what a bridge carries; "" where both do, or nothing is compared. @param {Bridge} bridge */
  whoAlone({ ghost, fresh }) {
    const { cut, other } = this.mirror.answer;
    const who = !this.compared || !other ? null : ghost ? other : fresh ? cut : null;
    return who ? PARTITIONERS[who.partitioner] : "";
  }

  /** Puts the bridges where their boxes are. @param {import("../../base/scene/scene.js").SceneItems} items @param {{left: number, right: number}} gutter */
  moveTo(items, { left, right }) {
    this.bridges.left = left;
    this.bridges.right = right;
    this.bridges.place(items);
  }

  /** @param {Frame} frame */
  under(frame) {
    drawRows(frame, this);
    drawBridges(frame, this);
  }

  /** @param {Frame} frame */
  over(frame) {
    drawMarks(frame, this);
    drawLabels(frame, this);
  }
}
