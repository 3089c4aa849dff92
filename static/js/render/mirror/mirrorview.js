/** A canvas that draws a mirror: a graph view of both halves, with bridges and marks of its own. */
import { GraphView } from "../graphview.js";
import * as lens from "../lens/camera.js";
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
    /** Of the scene before, which is drawn while groups close. @type {Overlay|null} */
    this.before = null;
    this.port.initial = () => this.initial();
  }

  /** @override */
  makeControls() {
    return new MirrorControls(this);
  }

  /**
   * @param {MirrorModel} mirror @param {MirrorScene} mirrored
   * @param {{keep?: import("../graphview.js").Keep, compared: boolean}} options
   */
  setMirror(mirror, mirrored, { keep, compared }) {
    this.before = this.overlay;
    this.setGraph(mirror.model, mirror.tree, mirrored.scene, { keep });
    if (!this.drawing) return;
    this.overlay = new Overlay(this.drawing, mirror, mirrored, compared);
    this.port.surface.canvas.setAttribute(
      "aria-label",
      `Mirror: ${mirror.forward} on the left, ${mirror.backward} on the right. ${HELP}`,
    );
    this.port.frames.request();
  }

  /**
   * While groups open or close the bridges go with their boxes.
   * @param {import("../draw/ink.js").Ink} ink @param {lens.Rect} view @param {number} k @param {import("../visible.js").Visible} visible @override
   */
  frame(ink, view, k, visible) {
    const frame = super.frame(ink, view, k, visible);
    const { passage } = this.mover;
    const { before, overlay, drawing } = this;
    if (!frame || !overlay || !drawing) return frame;
    if (!passage || !before) {
      if (before) overlay.moveTo(drawing.scene.items, overlay.mirrored);
      this.before = null;
      return frame;
    }
    const shown = passage.opens ? overlay : before;
    shown.moveTo(passage.ends(), between(before.mirrored, overlay.mirrored, passage));
    return { ...frame, overlay: shown };
  }

  /** The first look: all of it where that is readable, else its top, as wide as can be read, around the bridges. @override */
  initial() {
    const { rect } = this.port;
    const whole = this.whole();
    if (!this.overlay || whole.k >= READABLE) return whole;
    const { left, right } = this.overlay.mirrored;
    const { clientWidth: width, clientHeight: height } = this.host;
    const k = Math.min(1, Math.max(READABLE, (width - 2 * MARGIN) / Math.max(rect.w, 1)));
    const wide = rect.w * k > width - 2 * MARGIN;
    return { x: wide ? (left + right) / 2 : rect.x + rect.w / 2, y: rect.y + (height / 2 - MARGIN) / k, k };
  }

  /** All of it. */
  whole() {
    const at = lens.fit(this.port.rect, { width: this.host.clientWidth, height: Math.max(1, this.host.clientHeight) });
    return { ...at, k: Math.min(at.k, 1) };
  }

  /** Goes to one of the halves. @param {"forward"|"backward"} half */
  lookAt(half) {
    if (!this.overlay) return;
    const { left, right } = this.overlay.mirrored;
    this.port.fly({ ...this.port.camera(), x: half === "forward" ? left / 2 : (right + this.port.rect.w) / 2 });
  }

  /** Together with where its bridges lead, as far as that can be read. @param {number} item @override */
  revealItem(item) {
    const { drawing, overlay, port } = this;
    if (!drawing || !overlay || item < 0) return;
    const ends = overlay.bridges
      .endingAt([item])
      .slice(0, MOST_ENDS)
      .flatMap(({ from, to }) => (to < 0 ? [from] : [from, to]));
    const around = [item, ...ends].map((each) => drawing.rectOf(each)).reduce(lens.around);
    const k = Math.min(port.at.k, lens.fit(around, port.surface.size).k);
    if (k < READABLE) return port.reveal(drawing.rectOf(item));
    const seen = lens.reveal({ ...port.at, k }, around, port.surface.size, k);
    if (seen.x !== port.at.x || seen.y !== port.at.y || k !== port.at.k) port.fly(seen);
  }

  /** @param {number[]} nodes @param {number} [group] @override */
  setSelection(nodes, group = -1) {
    super.setSelection(nodes, group);
    if (this.drawing) this.overlay?.choose(this.drawing, nodes, group);
  }
}

/** Labels of boxes can be read, types hardly. */
const READABLE = 0.48;
const MARGIN = 20;
/** More bridges than this lead everywhere. */
const MOST_ENDS = 6;

const HELP =
  "Arrow keys follow edges, left and right also lead across the bridges; Enter opens a module in both halves, plus and minus zoom, f fits, Escape clears.";

/** @typedef {{left: number, right: number}} Gutter between the halves */

/** @param {Gutter} a before @param {Gutter} b now @param {import("../motion/passage.js").Passage} passage @returns {Gutter} */
function between(a, b, { moved, time }) {
  const at = (/** @type {number} */ from, /** @type {number} */ to) => from + moved.x + (to - from - moved.x) * time;
  return { left: at(a.left, b.left), right: at(a.right, b.right) };
}
