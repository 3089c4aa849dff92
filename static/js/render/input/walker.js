/** Walks a view by keys: along edges, to other ends of them, out of groups, through what is folded into a box. */
import { toScreen } from "../lens/camera.js";
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
    /** The box whose folded values and bodies are gone through, and which of them it is at. */
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

  /** To the next thing inside the box: what is folded into it is selected, into a body Enter leads. */
  next() {
    const { view } = this.controls;
    const { drawing, cursor } = view;
    if (!drawing || cursor < 0 || !drawing.isNode(cursor)) return;
    const node = drawing.scene.items.ref[cursor];
    const folded = drawing.model.chipsOf(node);
    const bodies = drawing.model.bodies.get(node) ?? [];
    const all = folded.length + bodies.length;
    if (all === 0) return void (view.live.textContent = "Nothing is folded into it.");
    const at = this.chip.item === cursor ? (this.chip.at + 1) % all : 0;
    this.chip = { item: cursor, at };
    const which = all > 1 ? `${at + 1} of ${all} in it.` : "";
    if (at < folded.length) this.fold(folded[at], which);
    else this.offer(bodies[at - folded.length], which);
  }

  /** Selects a folded value, and stays at its box. @param {number} node @param {string} which */
  fold(node, which) {
    const { view } = this.controls;
    const { cursor } = view;
    view.callbacks.onSelect?.([node], { add: false });
    view.cursor = cursor;
    this.controls.sayNode(node, which);
  }

  /** Says that Enter leads into a body, to those who see the box too. @param {string} gid @param {string} which */
  offer(gid, which) {
    const { view } = this.controls;
    const words = `Enter goes into ${gid.slice(gid.lastIndexOf("/") + 1)}`;
    view.live.textContent = `${words}. ${which}`;
    const { x, y, h } = /** @type {import("../drawing.js").Drawing} */ (view.drawing).rectOf(view.cursor);
    view.tooltip.put([{ text: words, look: "" }], toScreen(view.port.at, view.port.surface.size, x, y + h));
  }

  /** Where one went to a body of a box, Enter leads into that one. @returns {string} its GID, or "" */
  body() {
    const { drawing, cursor } = this.controls.view;
    if (!drawing || this.chip.item !== cursor || cursor < 0 || !drawing.isNode(cursor)) return "";
    const node = drawing.scene.items.ref[cursor];
    return drawing.model.bodies.get(node)?.[this.chip.at - drawing.model.chipsOf(node).length] ?? "";
  }

  /** @param {number} pages downwards */
  page(pages) {
    const { port } = this.controls.view;
    port.pan(0, -pages * (1 - OVERLAP) * port.surface.size.height);
  }

  /** @param {number} item @param {boolean} add @param {string} words said behind what it is */
  go(item, add, words) {
    const { view } = this.controls;
    this.chip = { item: -1, at: -1 };
    view.tooltip.hide();
    if (item !== view.cursor) this.controls.select(item, add);
    view.revealItem(item);
    this.controls.say(item, words);
  }
}
