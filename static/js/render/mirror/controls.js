/** What a person's hands do on a mirror: as on a graph, and bridges may be pointed at, chosen and crossed. */
import { Controls } from "../input/controls.js";
import { ITEM } from "../../base/scene/scene.js";
import { bridgeTip } from "./tips.js";

/**
 * @typedef {import("./mirrorview.js").MirrorView} MirrorView
 * @typedef {import("../input/controls.js").Point} Point
 * @typedef {import("../input/keyboard.js").Direction} Direction
 */

/** @type {Record<Direction, Direction>} */
const TURNED = { up: "down", down: "up", left: "left", right: "right" };

export class MirrorControls extends Controls {
  /** @param {MirrorView} view */
  constructor(view) {
    super(view);
    this.mirrorView = view;
  }

  /** The bridge at a point where no box is. @param {Point} at */
  bridgeAt(at) {
    const { overlay, port } = this.mirrorView;
    const { part } = this.hitAt(at);
    if (!overlay || (part !== "none" && part !== "inside")) return null;
    const { x, y } = port.toWorld(at);
    return overlay.bridgeAt(x, y, port.at.k);
  }

  /** @param {Point} at @param {{add: boolean, again: boolean}} how @override */
  click(at, how) {
    const bridge = this.bridgeAt(at);
    if (!bridge) return super.click(at, how);
    this.view.tooltip.hide();
    this.mirrorView.saved?.(bridge.saved, { add: how.add, ghost: bridge.ghost });
  }

  /** @param {Point | null} at @override */
  hover(at) {
    const { overlay, port, tooltip } = this.mirrorView;
    const bridge = at ? this.bridgeAt(at) : null;
    if (overlay && bridge !== overlay.hovered) {
      overlay.hovered = bridge;
      this.hovered.key = "";
      port.frames.request();
    }
    super.hover(bridge ? null : at);
    port.surface.canvas.dataset.over = bridge ? "item" : port.surface.canvas.dataset.over;
    if (bridge && at && overlay) tooltip.show(bridgeTip(overlay.mirror, bridge), at);
  }

  /** The backward flows up; left and right lead across where nothing stands beside. @param {Direction} direction @param {boolean} add @override */
  walk(direction, add) {
    const { drawing, cursor, overlay } = this.mirrorView;
    if (!drawing || !overlay || cursor < 0) return super.walk(direction, add);
    const { kind } = drawing.scene.items;
    const back = cursor >= overlay.mirrored.items;
    const across = direction === (back ? "left" : "right") ? this.across(cursor, back) : -1;
    if (across >= 0) return this.go(across, add);
    super.walk(back && kind[cursor] !== ITEM.OPEN ? TURNED[direction] : direction, add);
  }

  /** @param {number} cursor @param {boolean} back @returns {number} item on the other side, or -1 */
  across(cursor, back) {
    const bridge = this.mirrorView.overlay?.bridges.at.get(cursor)?.find((each) => each.to >= 0);
    return bridge ? (back ? bridge.from : bridge.to) : -1;
  }

  /** @param {number} item @param {boolean} add */
  go(item, add) {
    this.select(item, add);
    this.view.revealItem(item);
    this.say(item);
  }
}
