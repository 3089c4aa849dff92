// What a graph and a mirror have in common as contents of a pane: words while something is under way, the camera of the address,
// and a selection made on the canvas.

import { wordsOf } from "../base/errors.js";
import { notShown } from "../panels/pane/explain.js";
import { pick, selection } from "../state.js";

const BUSY_AFTER_MS = 200;

/**
 * @typedef {import("../model/viewhash.js").Camera} Camera
 *
 * @typedef {object} Drawn
 * @property {import("../panels/pane/frame.js").PaneFrame} frame
 * @property {{setCamera: (camera: Camera) => void, initial: () => Camera, reveal: (node: number) => void}|null} view
 * @property {Camera|null} camera as the address has it
 * @property {unknown} selected the selection that was gone to; undefined: it is gone to once more
 * @property {boolean} own the selection comes from this canvas, which is not moved for it
 */

/** @type {(value: void) => void} */
let looked;
/** Resolves once a pane shows something: its drawing, or why there is none. @type {Promise<void>} */
export const firstLook = new Promise((resolve) => (looked = resolve));

/** What a pane says in place of its drawing. */
export class Words {
  /** @param {import("../panels/pane/frame.js").PaneFrame} frame */
  constructor(frame) {
    this.frame = frame;
    this.timer = 0;
  }

  /** Only what takes long is worth words. @param {string} text */
  busy(text) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.frame.sayBusy(text), BUSY_AFTER_MS);
  }

  /** Whatever it was is over. */
  stop() {
    clearTimeout(this.timer);
    this.frame.sayBusy("");
  }

  /** @param {HTMLElement|null} words null: the drawing is there */
  say(words) {
    this.stop();
    this.frame.say(words);
    looked();
  }

  /** @param {unknown} error @param {() => void} again @param {HTMLElement[]} [others] what else can be done */
  fail(error, again, others) {
    this.say(notShown(wordsOf(error), again, others));
  }
}

/** Moves to the camera of the address where another one is sent. @param {Drawn} drawn @param {Camera|null} camera */
export function lookAsSent(drawn, camera) {
  const { view } = drawn;
  if (!view || JSON.stringify(camera) === JSON.stringify(drawn.camera)) return;
  drawn.camera = camera;
  view.setCamera(camera ?? view.initial());
  if (camera) drawn.selected = selection.get(); // Back restores a camera, which the selection does not move
}

/**
 * Selects what was chosen on the canvas. On a phone the details open below the drawing and take half of it: then the node
 * chosen stays in sight.
 * @param {Drawn} drawn @param {string} gid @param {string[]} names @param {boolean} add @param {number} node of the drawing; -1: none
 */
export function choose(drawn, gid, names, add, node) {
  const { host } = drawn.frame;
  const height = host.clientHeight;
  drawn.own = true;
  drawn.own = pick(gid, names, add);
  if (node < 0 || host.clientHeight >= height) return;
  const revealed = () => drawn.view?.reveal(node);
  requestAnimationFrame(() => requestAnimationFrame(revealed)); // the canvas has its new size after the next frame
}
