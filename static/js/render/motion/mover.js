/** Runs the passage from one drawing of a graph to the next one. */
import { Passage } from "./passage.js";

/**
 * @typedef {import("../drawing.js").Drawing} Drawing
 * @typedef {import("../paint.js").Paint} Paint
 * @typedef {import("../marked.js").Marked} Marked
 * @typedef {{drawing: Drawing, paint: Paint, marked: Marked}} Look a drawing as it is seen
 */

const PASSAGE_MS = 260;
/** Scenes with more boxes or lines than this are not moved through every frame. */
const MOST = 120_000;

/** One for each canvas. */
export class Mover {
  /** @param {import("../lens/frames.js").Frames} frames */
  constructor(frames) {
    this.frames = frames;
    /** @type {Passage | null} */
    this.passage = null;
    /** How the drawing before looked: it is drawn while groups close. @type {Look | null} */
    this.before = null;
  }

  /**
   * Begins a passage, where motion is welcome and there is not too much to be moved.
   * @param {Look} before @param {Drawing} now @param {{x: number, y: number}} shift how far what stays on the screen has moved in the world
   */
  begin(before, now, shift) {
    this.end();
    if (isStill() || isMuch(before.drawing) || isMuch(now) || before.drawing.tree !== now.tree || before.drawing.model !== now.model) return;
    const passage = new Passage(before.drawing, now, shift);
    this.passage = passage;
    this.before = before;
    let start = -1;
    this.frames.transition = (time) => {
      if (start < 0) start = time;
      const t = Math.min(1, (time - start) / PASSAGE_MS);
      passage.at(eased(t));
      if (t === 1) this.passage = this.before = null;
      return t < 1;
    };
    this.frames.move();
  }

  /** What to draw in place of a look, and what to veil. @param {Look} now */
  between(now) {
    const { passage, before } = this;
    if (!passage || !before) return { ...now, veils: [] };
    return { ...(passage.opens ? now : before), drawing: passage.drawing, veils: passage.veils };
  }

  /** What is drawn is what there is. */
  end() {
    this.frames.transition = null;
    this.passage = this.before = null;
  }
}

/** Motion is unwelcome. */
const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Drawing} drawing */
const isMuch = ({ scene: { items, edges } }) => items.count > MOST || edges.count > MOST;

/** Slow at both ends. @param {number} t */
const eased = (t) => (t < 0.5 ? 4 * t ** 3 : 1 - 4 * (1 - t) ** 3);
