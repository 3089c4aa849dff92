// What is lit on the canvas of one graph: the kin of a selection made elsewhere, what a trace finds, search hits, and more lightly
// what the pointer is over. The pane's head says how many they are, and offers to bring them into sight.

import { openPathTo } from "../../model/groups.js";
import { searchNodes } from "../../model/search/search.js";
import { traceKey } from "../../model/trace/trace.js";
import { active, locked, openedByHand, search, selection, setOpen, trace } from "../../state.js";
import { kinIn, previewIn } from "../../state/kin.js";
import { tracedIn } from "../../state/trace.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../render/marked.js").Highlight} Highlight
 * @typedef {import("../../state/kin.js").Found} Found
 */

/** Groups around so many nodes are opened to show them; more would open half of the graph. */
export const MOST_OPENED = 12;

/** Belongs to one `GraphContent`. */
export class Lit {
  /** @param {import("./content.js").GraphContent} content */
  constructor(content) {
    this.content = content;
    /** What is lit without the pointer. @type {Highlight[]} */
    this.steady = [];
    /** The kin are to be brought into sight as soon as they are known. */
    this.wanted = false;
    /** They are, once their groups are laid out. */
    this.opening = false;
    /** How often the same kin were brought into sight. */
    this.turn = 0;
    this.selection = /** @type {unknown} */ (null);
  }

  /** Another graph. Opened by hand it is looked at where the kin of the selection are; an address says itself what is looked at. */
  begin() {
    const { show } = this.content;
    this.wanted = openedByHand.delete(show) && selection.get() !== null && selection.get()?.gid !== show;
    this.selection = selection.get();
  }

  /** Brings the canvas and the pane's head in line with the atoms. */
  update() {
    const { whole, view } = this.content;
    if (!whole || !view) return;
    const now = selection.get();
    if (now !== this.selection) this.wanted = locked.get() && now !== null && now.gid !== whole.id;
    if (now !== this.selection) this.turn = 0;
    this.selection = now;
    const found = kinIn(whole);
    view.setFocus(this.focus(whole));
    this.steady = [...this.kinMarks(found), ...this.hits()];
    this.preview();
    this.head();
    if (this.opening || (this.wanted && found && found.by !== "waiting")) this.bring();
  }

  /** What a trace finds here; null where it finds nothing, or where nothing else is drawn. @param {GraphModel} whole @returns {number[]|null} */
  focus(whole) {
    const followed = trace.get();
    if (!followed || traceKey(followed) === this.content.only) return null;
    const nodes = tracedIn(followed, whole);
    return nodes?.length ? this.drawn(nodes) : null;
  }

  /** The numbers that these nodes of the graph have in what is drawn of it. @param {ArrayLike<number>} nodes @returns {number[]} */
  drawn(nodes) {
    const { part } = this.content;
    const all = Array.from(nodes);
    return part ? all.map((node) => part.part[node]).filter((node) => node >= 0) : all;
  }

  /** @param {Found|null} found @returns {Highlight[]} */
  kinMarks(found) {
    if (!found) return [];
    return [
      { nodes: this.drawn(found.kin.line), style: /** @type {const} */ ("line") },
      { nodes: this.drawn(found.kin.exact), style: /** @type {const} */ ("exact") },
    ].filter((mark) => mark.nodes.length);
  }

  /** Only the pane in use is searched. @returns {Highlight[]} */
  hits() {
    const { whole, index } = this.content;
    if (!whole || active.get() !== index || !search.get().trim()) return [];
    const nodes = this.drawn(searchNodes(whole, search.get()));
    return nodes.length ? [{ nodes, style: "search" }] : [];
  }

  /** Lights what the pointer is over, without moving anything. */
  preview() {
    const { whole, view } = this.content;
    if (!whole || !view) return;
    const { exact, line } = previewIn(whole);
    view.setHighlights([
      ...this.steady,
      ...(line.length ? [{ nodes: this.drawn(line), style: /** @type {const} */ ("near-line") }] : []),
      ...(exact.length ? [{ nodes: this.drawn(exact), style: /** @type {const} */ ("near") }] : []),
    ]);
  }

  /** What the pane's head says. */
  head() {
    const { whole, frame, view } = this.content;
    const found = whole && kinIn(whole);
    if (!found || !view || !this.content.drawn) return frame.kin.say(null);
    const { exact, line } = found.kin;
    const own = whole.id === selection.get()?.gid;
    if (own && exact.length + line.length === 0) return frame.kin.say(null);
    const all = this.drawn(exact.length ? exact : line);
    frame.kin.say({
      from: found.from,
      exact: exact.length,
      line: line.length,
      by: found.by,
      own,
      hidden: all.length === 0 && exact.length + line.length > 0,
      away: all.length > 0 && view.inSight(all).seen === 0,
    });
  }

  /** A pane that comes to be shown has its size after the next frame; on a phone others are not shown at all. */
  later() {
    this.wanted = true;
    if (this.content.frame.host.clientWidth > 0) requestAnimationFrame(() => requestAnimationFrame(() => this.update()));
  }

  /** Brings the kin into sight; the groups around a few of them are opened first. */
  bring() {
    const { whole, model, view, open, index, drawn } = this.content;
    const found = whole && kinIn(whole);
    if (!drawn || !model || !view || !open) return;
    this.wanted = false;
    this.opening = false;
    if (view.port.surface.size.width === 0) return this.later();
    const nodes = found ? this.drawn(found.kin.exact.length ? found.kin.exact : found.kin.line) : [];
    if (nodes.length === 0) return;
    const tree = this.content.treeOf(model);
    const wide = nodes.length <= MOST_OPENED ? nodes.reduce((now, node) => openPathTo(tree, now, node), open) : open;
    if (wide === open) return view.revealAll(nodes, this.turn++);
    this.opening = true; // again once it is laid out
    setOpen(index, model, wide);
  }
}
