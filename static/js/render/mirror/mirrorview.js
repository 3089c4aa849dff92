/** A canvas that draws a mirror: a graph view of both halves, with bridges and marks of its own. */
import { GraphView } from "../graphview.js";
import { MirrorControls } from "./controls.js";
import { Overlay } from "./overlay.js";

/**
 * @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel
 * @typedef {import("../../layout/mirror/mirror.js").MirrorScene} MirrorScene
 * @typedef {import("../graphview.js").Callbacks & {onSelectSaved?: (saved: number[], how: {add: boolean, ghost: boolean}) => void}} Callbacks
 *   `onSelectSaved`: a bridge was chosen, by what it carries; `ghost`: of the other partitioner
 */

export class MirrorView extends GraphView {
  /** @param {HTMLElement} host @param {Callbacks} callbacks */
  constructor(host, callbacks) {
    super(host, callbacks);
    this.saved = callbacks.onSelectSaved;
    /** @type {Overlay|null} */
    this.overlay = null;
  }

  /** @override */
  makeControls() {
    return new MirrorControls(this);
  }

  /**
   * @param {MirrorModel} mirror @param {MirrorScene} mirrored
   * @param {{keep?: import("../graphview.js").Keep, compared: boolean, heads: {forward: string, backward: string}}} options
   */
  setMirror(mirror, mirrored, { keep, compared, heads }) {
    this.setGraph(mirror.model, mirror.tree, mirrored.scene, { keep });
    if (!this.drawing) return;
    this.overlay = new Overlay(this.drawing, mirror, mirrored, compared);
    this.overlay.heads = heads;
    this.port.surface.canvas.setAttribute("aria-label", `Mirror: ${heads.forward}, ${heads.backward}. ${HELP}`);
    this.port.frames.request();
  }

  /** @param {number[]} nodes @param {number} [group] @override */
  setSelection(nodes, group = -1) {
    super.setSelection(nodes, group);
    if (this.drawing) this.overlay?.choose(this.drawing, nodes, group);
  }
}

const HELP =
  "Arrow keys follow edges, left and right also lead across the bridges; Enter opens a module in both halves, plus and minus zoom, f fits, Escape clears.";
