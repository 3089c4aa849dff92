/** Joins a view with what a person's hands do on its canvas. */
import { describeGroup, describeNode } from "../../model/outline/words.js";
import { ITEM } from "../../base/scene/scene.js";
import * as actions from "./actions.js";
import { Gestures } from "./hands/gestures.js";
import { press } from "./keyboard.js";
import { pick } from "./pick.js";
import { tipOf } from "../tips.js";
import { Visible } from "../visible.js";
import { Walker } from "./walker.js";

/**
 * @typedef {import("../graphview.js").GraphView} GraphView
 * @typedef {import("./pick.js").Hit} Hit
 * @typedef {{x: number, y: number}} Point CSS pixels in the canvas
 */

/** Edges answer to the pointer only where they can be told apart. */
const EDGE_ZOOM = 0.3;
/** Zoom of a double click beside the graph. */
const LEAP = 2;
/** @type {Hit} */
const NOTHING = Object.freeze({ item: -1, part: "none" });

/** Lives as long as its view. */
export class Controls {
  /** @param {GraphView} view */
  constructor(view) {
    this.view = view;
    this.hovered = { node: -1, key: "" };
    this.walker = new Walker(this);
    const { port } = view;
    this.gestures = new Gestures(port.surface.canvas, {
      pan: (dx, dy) => this.moving(() => port.pan(dx, dy)),
      zoom: (at, factor) => this.moving(() => port.zoom(factor, at)),
      click: (at, how) => this.click(at, how),
      leap: (at, factor) => this.moving(() => port.leap(factor, at)),
      fling: (vx, vy) => this.moving(() => port.glide(vx, vy)),
      hold: () => port.halt(),
      doubleClick: (at, { back }) => this.doubleClick(at, back),
      hover: (at) => this.hover(at),
      drag: (dragging) => this.drag(dragging),
    });
    const keys = this.keys();
    this.stop = new AbortController();
    const key = (/** @type {KeyboardEvent} */ event) => {
      // Esc is the page's too: it ends what was last begun, the selection or a trace, the search, the drawer
      if (view.drawing && press(event, keys) && event.key !== "Escape") event.preventDefault();
    };
    port.surface.canvas.addEventListener("keydown", key, { signal: this.stop.signal });
  }

  /** @param {() => void} move */
  moving(move) {
    this.view.tooltip.hide();
    if (this.view.drawing) move();
  }

  /** @param {Point} at @param {{add: boolean, again: boolean}} how */
  click(at, how) {
    this.view.tooltip.hide();
    if (this.view.drawing) actions.click(this.view.drawing, this.hitAt(at), how, this.doer());
  }

  /** On nothing it zooms in there, or out. @param {Point} at @param {boolean} back */
  doubleClick(at, back) {
    const { drawing, port } = this.view;
    const hit = this.hitAt(at);
    if (hit.part === "none") this.moving(() => port.leap(back ? 1 / LEAP : LEAP, at));
    else if (drawing) actions.doubleClick(drawing, hit, this.doer());
  }

  /** @param {Point} at @returns {Hit} */
  hitAt(at) {
    const seen = this.seen();
    return seen ? pick(seen, this.view.port.toWorld(at)) : NOTHING;
  }

  /** What there is on the screen; while groups open or close, what will be. @returns {import("./pick.js").Seen | null} */
  seen() {
    const { drawing, port, visible, mover } = this.view;
    if (!drawing) return null;
    const [view, { k }] = [port.view(), port.at];
    if (!mover.passage) return { drawing, visible, view, k };
    const soon = new Visible();
    soon.collect(drawing.scene, view, k);
    return { drawing, visible: soon, view, k };
  }

  /** @returns {import("./actions.js").Doer} */
  doer() {
    const { callbacks } = this.view;
    return {
      selectNode: (node, add) => {
        this.view.setCursorNode(node);
        callbacks.onSelect?.([node], { add });
      },
      selectGroup: (item) => this.select(item, false),
      clear: () => callbacks.onSelect?.([], { add: false }),
      follow: (item) => {
        this.select(item, false);
        this.view.revealItem(item);
      },
      toggle: (group) => callbacks.onToggle?.(group),
      enterBody: (gid) => callbacks.onEnterBody?.(gid),
    };
  }

  /** @param {number} item @param {boolean} add */
  select(item, add) {
    const { drawing, callbacks } = this.view;
    if (!drawing) return;
    this.view.cursor = item;
    const ref = drawing.scene.items.ref[item];
    if (drawing.isNode(item)) callbacks.onSelect?.([ref], { add });
    else callbacks.onSelectGroup?.(ref);
  }

  /** @returns {import("./keyboard.js").Keys} */
  keys() {
    const { port } = this.view;
    return {
      walk: (direction, add) => this.walk(direction, add),
      turn: (by) => this.walker.turn(by),
      end: (last) => this.walker.end(last),
      out: () => this.walker.out(),
      chip: () => this.walker.next(),
      page: (pages) => this.moving(() => this.walker.page(pages)),
      zoom: (factor) => this.moving(() => port.leap(factor)),
      pan: (dx, dy) => this.moving(() => port.pan(dx, dy)),
      fit: () => this.moving(() => port.fit()),
      enter: () => this.enter(),
      clear: () => this.view.tooltip.hide(),
    };
  }

  enter() {
    const { drawing, cursor, callbacks } = this.view;
    const body = this.walker.body();
    if (body) callbacks.onEnterBody?.(body);
    else if (drawing && cursor >= 0) actions.enter(drawing, cursor, this.doer());
  }

  /** @param {import("./keyboard.js").Direction} direction @param {boolean} add */
  walk(direction, add) {
    this.walker.walk(direction, add);
  }

  /** To those who do not see the canvas. @param {number} item @param {string} [more] */
  say(item, more = "") {
    const { drawing, live } = this.view;
    if (!drawing) return;
    const { kind, ref } = drawing.scene.items;
    if (kind[item] === ITEM.NODE) return this.sayNode(ref[item], more);
    live.textContent = [describeGroup(drawing.tree, ref[item], kind[item] === ITEM.OPEN), more].filter(Boolean).join(" ");
  }

  /** @param {number} node @param {string} more */
  sayNode(node, more) {
    const { drawing, live } = this.view;
    if (drawing) live.textContent = [describeNode(drawing.model, node), more].filter(Boolean).join(" ");
  }

  /** @param {boolean} dragging */
  drag(dragging) {
    this.view.tooltip.hide();
    this.view.port.surface.canvas.dataset.over = dragging ? "drag" : "";
  }

  /** @param {Point | null} at null: the pointer left */
  hover(at) {
    const { drawing, marked, port, callbacks, tooltip } = this.view;
    if (!drawing) return;
    const hit = at ? this.hitAt(at) : NOTHING;
    const item = hit.part === "inside" ? -1 : hit.item;
    const edge = at && item < 0 ? this.edgeAt(at) : -1;
    const chip = hit.chip?.node ?? -1;
    const key = `${item} ${edge} ${chip} ${hit.part} ${hit.chip?.text ?? hit.stub?.leaves ?? ""}`;
    if (key === this.hovered.key) return;
    const node = chip >= 0 ? chip : item >= 0 && drawing.isNode(item) ? drawing.scene.items.ref[item] : -1;
    if (node !== this.hovered.node) callbacks.onHover?.(node);
    this.hovered = { node, key };
    marked.item = item;
    marked.edge = edge;
    port.surface.canvas.dataset.over = item >= 0 ? "item" : "";
    tooltip.hide();
    if (at && (item >= 0 || edge >= 0)) tooltip.show(tipOf(drawing, hit, edge), at);
    port.frames.request();
  }

  /** @param {Point} at @returns {number} scene edge, or -1 */
  edgeAt(at) {
    const { edgePicker, port } = this.view;
    const seen = this.seen();
    return seen && edgePicker && seen.k >= EDGE_ZOOM ? edgePicker.pick(seen, port.toWorld(at)) : -1;
  }

  /** Forgets what was under the pointer: another drawing. */
  forget() {
    if (this.hovered.node >= 0) this.view.callbacks.onHover?.(-1);
    this.hovered = { node: -1, key: "" };
    this.view.tooltip.hide();
  }

  end() {
    this.gestures.end();
    this.stop.abort();
  }
}
