// One pane: its frame, and in it what its `show` asks for. What draws what is one line of CONTENTS.

import { isMirror } from "../model/mirror/shows.js";
import { isStory } from "../model/story/shows.js";
import { PaneFrame } from "../panels/pane/frame.js";
import { active, capture, closePane, counterpart, drawer, locked, panes, setPane, showIn, split, trace } from "../state.js";
import { isolate, isolateWider } from "../state/trace.js";
import { leaveBody } from "../state/bodies.js";
import { Words } from "./drawn.js";
import { GraphContent } from "./graph/content.js";

/**
 * @typedef {import("../model/viewhash.js").Camera} Camera
 *
 * @typedef {object} Place where a content stands
 * @property {number} index
 * @property {PaneFrame} frame
 * @property {import("../layout/client.js").LayoutClient} layout
 * @property {(before: Camera, after: Camera) => void} travelled to be told of every step of its camera: locked panes follow
 *
 * @typedef {{gid: string, nodes: number[], at: {x: number, y: number}}} Middle nodes of a graph that are looked at, and where: CSS pixels from the middle of the canvas
 *
 * @typedef {object} Content what stands in a frame
 * @property {(pane: import("../state.js").PaneView, now: Api.Capture) => void} update brings it in line with the atoms
 * @property {() => void} destroy
 * @property {(factor: number) => void} [zoomBy]
 * @property {() => void} [fit]
 * @property {(open: boolean) => void} [openAll] opens or closes every group
 * @property {() => void} [toggleLegend]
 * @property {() => import("../panels/pane/out/picture.js").Pictures|null} [pictures] what is drawn, to be saved; null: nothing
 * @property {() => Middle|null} [middle] what stands in the middle of its canvas
 * @property {(before: Camera, after: Camera, middle: Middle|null) => void} [moveLike] moves its camera as that of another pane, whose middle is given
 * @property {() => void} [bring] brings the kin of what is selected elsewhere into sight
 * @property {() => void} [preview] the pointer is over something else, here or elsewhere
 */

/** @typedef {new (place: Place) => Content} Kind */

/** The first that says yes to a `show` makes the content; what few open first is fetched then. @type {[(show: string) => boolean, () => Kind | Promise<Kind>][]} */
const CONTENTS = [
  [isMirror, async () => (await import("./mirror/content.js")).MirrorContent],
  [isStory, async () => (await import("./story/content.js")).StoryContent],
  [() => true, () => GraphContent],
];

/** One of the panes, by its place. */
export class Pane {
  /**
   * @param {number} index @param {import("../layout/client.js").LayoutClient} layout
   * @param {(from: Pane, before: Camera, after: Camera) => void} travelled
   */
  constructor(index, layout, travelled) {
    this.index = index;
    /** Which of CONTENTS stands in the frame; -1: none yet. */
    this.kind = -1;
    /** @type {Content|null} */
    this.content = null;
    this.frame = new PaneFrame({
      onShow: (show) => showIn(show, index),
      onLeave: (from, to) => leaveBody(from, to, index),
      onZoom: (factor) => this.content?.zoomBy?.(factor),
      onFit: () => this.fit(),
      onAll: (open) => this.content?.openAll?.(open),
      onLegend: () => this.content?.toggleLegend?.(),
      onArrange: (change) => setPane(index, "map" in change ? change : { camera: null, ...change }), // what is drawn stays the same
      onSplit: () => split(counterpart()),
      onClose: () => closePane(index),
      onLock: () => locked.set(!locked.get()),
      onSteps: (by) => isolateWider(by, index),
      onOnly: () => isolate(index, trace.get()),
      onWhole: () => isolate(index, null),
      onList: () => drawer.set("trace"),
      onClear: () => trace.set(null),
      onActivate: () => active.set(index),
      pictures: () => this.content?.pictures?.() ?? null,
    });
    this.place = {
      index,
      frame: this.frame,
      layout,
      travelled: (/** @type {Camera} */ before, /** @type {Camera} */ after) => travelled(this, before, after),
    };
  }

  /** Brings everything in line with the atoms. */
  update() {
    const now = capture.get();
    const pane = panes.get()[this.index];
    if (!now || !pane) return;
    this.frame.update(now, pane.show, {
      current: active.get() === this.index,
      index: this.index,
      count: panes.get().length,
      locked: locked.get(),
    });
    const kind = CONTENTS.findIndex(([fits]) => fits(pane.show));
    if (kind !== this.kind) {
      this.content?.destroy();
      this.content = null;
      this.kind = kind;
      this.make(kind);
    }
    this.content?.update(pane, now);
  }

  /** @param {number} kind */
  make(kind) {
    const made = CONTENTS[kind][1]();
    if (made instanceof Promise) made.then((late) => this.take(kind, late), (error) => this.lost(error));
    else this.content = new made(this.place);
  }

  /** What was fetched, unless something else is wanted by now. @param {number} kind @param {Kind} made */
  take(kind, made) {
    if (this.kind !== kind || this.content) return;
    this.content = new made(this.place);
    this.update();
  }

  /** @param {unknown} error */
  lost(error) {
    new Words(this.frame).fail(error, () => {
      this.kind = -1;
      this.update();
    });
  }

  fit() {
    this.content?.fit?.();
  }

  /** Gives the focus to the drawing, or to the words in its place. */
  focus() {
    this.frame.focus();
  }

  destroy() {
    this.content?.destroy();
    this.kind = -1; // what is still being fetched finds nobody
    this.frame.element.remove();
  }
}
