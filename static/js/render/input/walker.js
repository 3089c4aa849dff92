/** Walks a view by keys: along edges, to other ends of them, out of groups, through what is folded into a box. */
import { Trail } from "./trail.js";
import { alongFlow, extreme } from "./walk.js";

/**
 * @typedef {import("./controls.js").Controls} Controls
 * @typedef {import("./keyboard.js").Direction} Direction
 */

/** What stays in sight of a window when one scrolls by one. */
const OVERLAP = 0.15;

/** Belongs to the controls of a view. */
export class Walker {
  /** @param {Controls} controls */
  constructor(controls) {
    this.controls = controls;
    /** @type {Trail | null} */
    this.known = null;
    /** The box whose folded values are gone through, and which of them it is at. */
    this.chip = { item: -1, at: -1 };
  }

  /** The way through the drawing that is shown. @returns {Trail | null} */
  trail() {
    const { drawing } = this.controls.view;
    if (drawing && this.known?.drawing !== drawing) this.known = new Trail(drawing);
    return drawing ? this.known : null;
  }

  /** @param {Direction} direction @param {boolean} add */
  walk(direction, add) {
    const trail = this.trail();
    const { cursor } = this.controls.view;
    if (!trail) return;
    const item = trail.walk(cursor, alongFlow(trail.drawing, direction));
    if (item >= 0) this.go(item, add, this.which(trail, item));
  }

  /** @param {1 | -1} by */
  turn(by) {
    const trail = this.trail();
    const { cursor } = this.controls.view;
    if (!trail || cursor < 0) return;
    const item = trail.turn(cursor, by);
    this.go(item, false, this.which(trail, item) || "There is no other end to turn to");
  }

  /** Which of several ends of edges it is. @param {Trail} trail @param {number} item */
  which(trail, item) {
    const { of, all, leg } = trail.choice(item);
    if (!leg || all.length < 2) return "";
    const from = trail.drawing.nameOf(leg.from);
    return `${of + 1} of ${all.length} ${leg.side === "out" ? `that read ${from}` : `that ${from} reads`}`;
  }

  /** @param {boolean} last */
  end(last) {
    const { drawing } = this.controls.view;
    const item = drawing ? extreme(drawing, last) : -1;
    if (item >= 0) this.go(item, false, "");
  }

  /** To the group around, from the top to the graph around. */
  out() {
    const { drawing, cursor, callbacks } = this.controls.view;
    if (!drawing) return;
    const around = cursor < 0 ? -1 : drawing.scene.items.parent[cursor];
    if (around >= 0) this.go(around, false, "");
    else if (drawing.model.parent) callbacks.onEnterBody?.(drawing.model.parent);
    else this.controls.view.live.textContent = "There is nothing around it.";
  }

  /** Selects the next value that is folded into the box. */
  next() {
    const { view } = this.controls;
    const { drawing, cursor } = view;
    if (!drawing || cursor < 0 || !drawing.isNode(cursor)) return;
    const folded = drawing.model.chipsOf(drawing.scene.items.ref[cursor]);
    if (folded.length === 0) return void (view.live.textContent = "Nothing is folded into it.");
    const at = this.chip.item === cursor ? (this.chip.at + 1) % folded.length : 0;
    this.chip = { item: cursor, at };
    view.callbacks.onSelect?.([folded[at]], { add: false });
    view.cursor = cursor;
    this.controls.sayNode(folded[at], folded.length > 1 ? `${at + 1} of ${folded.length} folded into it` : "");
  }

  /** @param {number} pages downwards */
  page(pages) {
    const { port } = this.controls.view;
    port.pan(0, -pages * (1 - OVERLAP) * port.surface.size.height);
  }

  /** @param {number} item @param {boolean} add @param {string} words said behind what it is */
  go(item, add, words) {
    const { view } = this.controls;
    if (item !== view.cursor) this.controls.select(item, add);
    view.revealItem(item);
    this.controls.say(item, words);
  }
}
