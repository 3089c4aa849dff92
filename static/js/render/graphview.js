/** A canvas that draws a `Scene` and reports what is done to it. The only door of this room. */
import { ITEM } from "../base/scene/scene.js";
import { describeNode } from "../model/outline/words.js";
import { mostEdges } from "./draw/lines/edges.js";
import { Fitter, hasTitles } from "./draw/text.js";
import { titleRect } from "./draw/titles.js";
import { Visible } from "./visible.js";
import { Drawing } from "./drawing.js";
import { Controls } from "./input/controls.js";
import { EdgePicker } from "./input/pick.js";
import * as lens from "./lens/camera.js";
import { Viewport } from "./lens/viewport.js";
import { Marked } from "./marked.js";
import { Minimap } from "./minimap/minimap.js";
import { Mover } from "./motion/mover.js";
import { Paint } from "./paint.js";
import { Painter } from "./picture/painter.js";
import { Pictures } from "./out/pictures.js";
import { readTheme, watchTheme } from "./theme.js";
import { Tooltip } from "./tooltip.js";

/**
 * @typedef {import("./drawing.js").GraphModel} GraphModel
 * @typedef {import("./drawing.js").GroupTree} GroupTree
 * @typedef {import("./drawing.js").Scene} Scene
 * @typedef {import("./lens/camera.js").Camera} Camera
 * @typedef {import("./marked.js").Highlight} Highlight
 *
 * @typedef {object} Callbacks all are optional
 * @property {(nodes: number[], how: {add: boolean}) => void} [onSelect] a node was chosen, or nothing ([])
 * @property {(group: number) => void} [onSelectGroup]
 * @property {(group: number) => void} [onToggle] to open or to close this group
 * @property {(node: number) => void} [onHover] -1: none
 * @property {(gid: string) => void} [onEnterBody]
 * @property {(camera: Camera) => void} [onCamera] the camera came to rest, moved otherwise than by `setCamera`
 * @property {(before: Camera, after: Camera) => void} [onTravel] one step of a move that began on this canvas
 *
 * @typedef {{nodes: number[], at: {x: number, y: number}}} Middle the nodes of a box, and its middle in CSS pixels from that of the canvas
 * @typedef {{group?: number, node?: number}} Keep what stays where it is on the screen while the scene changes
 */

/** Zoom at which marked boxes can still be told apart. */
const APART = 0.2;

/** One per pane. Selection and highlights are what the page sets; the view only reports clicks. */
export class GraphView {
  /** @param {HTMLElement} host gets the canvas as a child; its size is the canvas's @param {Callbacks} [callbacks] */
  constructor(host, callbacks = {}) {
    this.host = host;
    this.callbacks = callbacks;
    host.classList.add("graph-host");
    this.port = new Viewport(host, (coarse, moving) => this.paint(coarse, moving), (camera) => callbacks.onCamera?.(camera),
      (before, after) => callbacks.onTravel?.(before, after));
    this.tooltip = new Tooltip(host);
    this.live = document.createElement("div");
    this.live.className = "graph-live";
    this.live.setAttribute("aria-live", "polite");
    host.append(this.live);
    this.theme = readTheme(host);
    this.stopTheme = watchTheme(() => this.setTheme());
    this.fitter = new Fitter();
    this.visible = new Visible();
    this.marked = new Marked();
    /** @type {Drawing | null} */
    this.drawing = null;
    /** How nodes are coloured; null: by kind. @type {import("./paint.js").Colouring | null} */
    this.colouring = null;
    /** Of this drawing. @type {Paint | null} */
    this.painted = null;
    /** @type {EdgePicker | null} */
    this.edgePicker = null;
    /** Item from which the arrow keys go on, or -1. */
    this.cursor = -1;
    /** What is drawn beside the graph. @type {import("./draw/draw.js").Frame["overlay"]} */
    this.overlay = null;
    this.mover = new Mover(this.port.frames);
    this.painter = new Painter(this);
    this.map = new Minimap(this);
    this.controls = this.makeControls();
  }

  makeControls() {
    return new Controls(this);
  }

  /**
   * Shows a scene. Another graph begins at its first look; the same graph keeps its camera, and what `keep` names stays
   * where it is on the screen.
   * @param {GraphModel} model
   * @param {GroupTree} tree
   * @param {Scene} scene
   * @param {{keep?: Keep}} [options]
   */
  setGraph(model, tree, scene, { keep = {} } = {}) {
    const before = this.drawing && isSameGraph(this.drawing.model, model) ? this.drawing : null;
    const drawing = new Drawing(model, tree, scene);
    const look = before && this.painted && !this.painter.heavy ? { drawing: before, paint: this.painted, marked: this.marked.copy() } : null;
    this.mover.end();
    this.drawing = drawing;
    this.painter.forget();
    this.edgePicker = new EdgePicker(drawing);
    this.controls.forget();
    if (!before) {
      this.marked.clear();
      this.colouring = null;
    } else if (before.tree !== tree) this.marked.group = groupOf(before, drawing, this.marked.group);
    this.painted = new Paint(drawing, this.colouring);
    this.marked.find(drawing);
    this.cursor = before ? sameItem(before, drawing, this.cursor) : -1;
    const top = scene.items.count ? scene.items.x[0] + scene.items.w[0] / 2 : 0;
    const shift = before ? shiftOf(before, drawing, keep, this.port) : { x: 0, y: 0 };
    if (before) this.port.change(drawing.rect, top, shift);
    else this.port.open(drawing.rect, top);
    if (look) this.mover.begin(look, drawing, shift);
    this.port.surface.canvas.setAttribute("aria-label", label(model));
  }

  /** @returns {Camera} */
  camera() {
    return this.port.camera();
  }

  /** @param {Camera} camera */
  setCamera(camera) {
    this.mover.end();
    this.port.setCamera(camera);
  }

  /** The first look at this graph: all of it where that is readable, else its top. @returns {Camera} */
  initial() {
    return this.port.initial();
  }

  /** Goes to see all of the graph. */
  fit() {
    this.port.fit();
  }

  /** Zooms around the middle, at once. @param {number} factor */
  zoomBy(factor) {
    this.port.zoom(factor);
  }

  /** Zooms around the middle, in a short flight. @param {number} factor */
  leapBy(factor) {
    this.port.leap(factor);
  }

  /** Brings a node, or the closed group that holds it, into sight. @param {number} node */
  reveal(node) {
    this.revealItem(this.drawing?.itemsOf(node)[0] ?? -1);
  }

  /**
   * Brings some nodes into sight: all of them where they can be told apart then, else one, and the next one when asked again.
   * @param {ArrayLike<number>} nodes @param {number} turn how often it was asked before
   */
  revealAll(nodes, turn = 0) {
    const rects = this.rectsOf(nodes);
    if (rects.length === 0) return;
    const whole = rects.reduce(lens.around);
    if (lens.fit(whole, this.port.surface.size).k >= APART) this.port.frame(whole);
    else this.port.reveal(rects[turn % rects.length]);
  }

  /** How many of some nodes, or of what stands for them, are on the screen. @param {ArrayLike<number>} nodes @returns {{seen: number, all: number}} */
  inSight(nodes) {
    const rects = this.rectsOf(nodes);
    const view = this.port.view();
    return { seen: rects.filter((rect) => lens.meet(rect, view)).length, all: rects.length };
  }

  /** Of every item that shows one of some nodes, once. @param {ArrayLike<number>} nodes */
  rectsOf(nodes) {
    const { drawing } = this;
    if (!drawing) return [];
    /** @type {Set<number>} */
    const items = new Set();
    for (let i = 0; i < nodes.length; i++) for (const item of drawing.itemsOf(nodes[i])) items.add(item);
    return Array.from(items, (item) => drawing.rectOf(item));
  }

  /** Moves as another view did. @param {Camera} before @param {Camera} after of the other */
  follow(before, after) {
    this.port.follow(before, after);
  }

  /** What is drawn nearest to the middle of the canvas. @returns {Middle|null} null: nothing is seen */
  middle() {
    const { drawing, visible, port } = this;
    if (!drawing) return null;
    const { x, y, k } = port.at;
    let [best, nearest] = [-1, Infinity];
    for (const item of [...visible.nodes, ...visible.closed, ...visible.solid]) {
      const rect = drawing.rectOf(item);
      const away = Math.hypot(rect.x + rect.w / 2 - x, rect.y + rect.h / 2 - y);
      if (away < nearest) [best, nearest] = [item, away];
    }
    if (best < 0) return null;
    const rect = drawing.rectOf(best);
    return { nodes: drawing.nodesOf(best), at: { x: (rect.x + rect.w / 2 - x) * k, y: (rect.y + rect.h / 2 - y) * k } };
  }

  /**
   * Puts what shows a node where another view shows its kin.
   * @param {number} node @param {{x: number, y: number}} at CSS pixels from the middle of the canvas @param {number} factor of zoom
   */
  hold(node, at, factor) {
    const [rect] = this.rectsOf([node]);
    if (rect) this.port.hold(rect, at, factor);
  }

  /** @param {number} group */
  revealGroup(group) {
    this.revealItem(this.drawing?.itemOfGroup[group] ?? -1);
  }

  /** @param {number} item -1: nothing happens */
  revealItem(item) {
    if (this.drawing && item >= 0) this.port.reveal(this.drawing.rectOf(item));
  }

  /** @param {number[]} nodes @param {number} [group] the selected group, -1 for none */
  setSelection(nodes, group = -1) {
    if (!this.drawing) return;
    this.marked.setSelection(this.drawing, nodes, group);
    if (group >= 0) this.cursor = this.drawing.itemOfGroup[group];
    else if (nodes.length) this.setCursorNode(nodes[nodes.length - 1]);
    this.port.frames.request();
  }

  /** What is folded into several boxes is at the one where the cursor is. @param {number} node */
  setCursorNode(node) {
    const items = this.drawing?.itemsOf(node) ?? [];
    if (!items.includes(this.cursor)) this.cursor = items[0] ?? -1;
  }

  /** @param {readonly Highlight[]} highlights */
  setHighlights(highlights) {
    if (!this.drawing) return;
    this.marked.setHighlights(this.drawing, highlights);
    this.port.frames.request();
  }

  /** Veils all but some nodes. @param {readonly number[] | null} nodes null: nothing is veiled */
  setFocus(nodes) {
    if (!this.drawing || (nodes === null && this.marked.focused === null)) return;
    this.marked.setFocus(this.drawing, nodes);
    this.port.frames.request();
  }

  /**
   * Colours the nodes of the graph that is shown, and veils those that a filter leaves out.
   * @param {import("./paint.js").Colouring | null} colouring null: by kind @param {readonly number[] | null} shown null: all
   */
  setColouring(colouring, shown) {
    if (!this.drawing) return;
    if (colouring !== this.colouring) this.painted = new Paint(this.drawing, colouring);
    this.colouring = colouring;
    this.marked.setFilter(this.drawing, shown);
    this.port.frames.request();
  }

  /** One sentence on a node, for a live region. @param {number} node @returns {string} */
  describe(node) {
    return this.drawing ? describeNode(this.drawing.model, node) : "";
  }

  /** The whole drawing as an SVG document, nothing selected. @returns {string} */
  toSVG() {
    return this.pictures().svg({ area: "whole", theme: "", marks: false });
  }

  /** What is drawn, as pictures to be kept. */
  pictures() {
    return new Pictures(this);
  }

  /** @param {boolean} shown whether there is a map of the graph, where it is not all in sight */
  setMap(shown) {
    this.map.show(shown);
  }

  /** @param {boolean} coarse @param {boolean} moving */
  paint(coarse, moving) {
    this.painter.paint(coarse, moving);
    this.map.update();
  }

  setTheme() {
    this.theme = readTheme(this.host);
    this.painter.forget();
    this.port.frames.request();
  }

  /**
   * What to draw of a part of the world, or null: nothing.
   * @param {import("./draw/ink.js").Ink} ink in world units @param {import("./lens/camera.js").Rect} view @param {number} k @param {Visible} visible
   * @returns {import("./draw/draw.js").Frame | null}
   */
  frame(ink, view, k, visible) {
    const { drawing, port, painted, theme, marked, fitter, overlay } = this;
    if (!drawing || !painted || port.unplaced) return null;
    const look = this.mover.between({ drawing, paint: painted, marked });
    return { ...look, ink, theme, view, k, mostEdges: mostEdges(k), visible, fitter, overlay };
  }

  /** Removes everything from the host. */
  destroy() {
    this.controls.end();
    this.stopTheme();
    this.tooltip.end();
    this.map.end();
    this.live.remove();
    this.port.end();
    this.host.classList.remove("graph-host");
  }
}

/** @param {GraphModel} model */
function label(model) {
  return `Graph ${model.title || model.id}, ${model.count} nodes. Arrow keys follow edges, brackets turn to their other ends, Enter opens a group, Backspace leads out of it, plus and minus zoom, f fits, Escape clears; question mark lists all keys.`;
}

/** The same one, or differently folded. @param {GraphModel} a @param {GraphModel} b */
function isSameGraph(a, b) {
  return a === b || (a.base !== undefined && a.base === b.base);
}

/** The item that stands for the same node or group. @param {Drawing} before @param {Drawing} now @param {number} item @returns {number} */
function sameItem(before, now, item) {
  if (item < 0) return -1;
  const ref = before.scene.items.ref[item];
  return before.isNode(item) ? now.itemOfNode[ref] : now.itemOfGroup[groupOf(before, now, ref)] ?? -1;
}

/** The group of the same path, in another tree. @param {Drawing} before @param {Drawing} now @param {number} group @returns {number} -1: none */
function groupOf(before, now, group) {
  return before.tree === now.tree || group < 0 ? group : now.tree.path.indexOf(before.tree.path[group]);
}

/**
 * How far what is to be kept has moved. Of a group that closes it is the title that was
 * seen, which may have stood at the edge of the screen.
 * @param {Drawing} before @param {Drawing} now @param {Keep} keep @param {Viewport} port
 */
function shiftOf(before, now, { group, node }, port) {
  const itemIn = (/** @type {Drawing} */ drawing) => (group !== undefined ? drawing.itemOfGroup[group] : node !== undefined ? drawing.itemOfNode[node] : -1);
  const [a, b] = [itemIn(before), itemIn(now)];
  if (!(a >= 0 && b >= 0)) return { x: 0, y: 0 };
  const closes = before.scene.items.kind[a] === ITEM.OPEN && now.scene.items.kind[b] === ITEM.CLOSED;
  const from = closes && hasTitles(port.at.k) ? titleRect(before, a, port.view(), port.at.k) : before.rectOf(a);
  const to = now.rectOf(b);
  return { x: to.x - from.x, y: to.y - from.y };
}
