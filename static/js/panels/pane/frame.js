// A pane: its toolbar, and below it either the canvas or words. Knows nothing of the canvas; main/pane.js joins the two.

import { graphOf, parseShow, stageOf, targetOf, trailOf } from "../../model/capture.js";
import { hasBoth, isMirror, mirrorOf } from "../../model/mirror/shows.js";
import { isStory } from "../../model/story/shows.js";
import { button, el, fill, refill } from "../dom.js";
import { MOST_PANES } from "../../state.js";
import { icon } from "../icon.js";
import { graphMark } from "../replay/mark.js";
import { arrangeMenu } from "./arrange.js";
import { exportMenu } from "./out/exports.js";
import { KinHead } from "./head/kinhead.js";
import { More } from "./head/more.js";
import { graphPicker } from "./picker.js";
import { Rough } from "./head/rough.js";
import { Strip } from "./head/strip.js";

/**
 * @typedef {object} PaneCalls
 * @property {(show: string) => void} onShow
 * @property {(from: string, to: string) => void} onLeave back from a body to a graph around it
 * @property {(factor: number) => void} onZoom
 * @property {() => void} onFit
 * @property {(open: boolean) => void} onAll opens or closes every group
 * @property {() => void} onLegend
 * @property {(change: Partial<import("../../state.js").PaneView>) => void} onArrange groups or directs the drawing otherwise
 * @property {() => void} onSplit
 * @property {() => void} onClose
 * @property {() => void} onLock pans and zooms all panes together, or each alone again
 * @property {(by: number) => void} onSteps draws so many steps more around what alone is drawn
 * @property {() => void} onOnly draws nothing but what is traced
 * @property {() => void} onWhole draws all of the graph again
 * @property {() => void} onList lists what is traced
 * @property {() => void} onClear nothing is traced any more
 * @property {() => void} onActivate
 * @property {() => import("./out/picture.js").Pictures|null} pictures what is drawn, to be saved as pictures
 */

/** A narrower pane has most of its head behind "More"; one that is narrower still the zoom too. */
const ROOM = 640;
const LITTLE_ROOM = 360;

/** The DOM of one pane. */
export class PaneFrame {
  /** @param {PaneCalls} calls */
  constructor(calls) {
    this.calls = calls;
    this.shown = "";
    this.picker = graphPicker(calls.onShow);
    this.trail = el("nav", { class: "trail", "aria-label": "Enclosing graphs" });
    /** How the graph did when it was run again. */
    this.replay = el("span", { class: "pane-replay" });
    this.kin = new KinHead();
    this.strip = new Strip(calls);
    this.rough = new Rough();
    this.legendButton = tool("legend", "Colours", calls.onLegend);
    this.zoom = zoomTools(calls);
    this.tools = groupTools(calls, this.legendButton);
    /** Other ways to look at this graph. */
    this.offers = el("div", { class: "pane-ends" });
    this.side = el("div", { class: "pane-ends" });
    this.exports = exportMenu(calls.pictures);
    this.arrange = arrangeMenu(calls.onArrange);
    this.more = new More([
      { element: this.arrange.element, room: ROOM },
      { element: this.zoom, room: LITTLE_ROOM },
      { element: this.tools, room: ROOM },
      { element: this.exports.element, room: ROOM },
      { element: this.offers, room: ROOM },
    ]);
    /** For a content that has something to say above its canvas. */
    this.above = el("div", { class: "pane-above", hidden: true });
    this.host = el("div", { class: "graph-host", tabindex: "-1" });
    this.words = el("div", { class: "pane-words", tabindex: "-1" });
    this.banner = el("div", { class: "pane-banner" });
    this.legend = el("div", { class: "legend", hidden: true });
    this.note = el("p", { class: "pane-note", role: "note", hidden: true });
    this.busy = el("div", { class: "pane-busy", role: "status", hidden: true });
    this.element = el(
      "section",
      { class: "pane" },
      el(
        "header",
        { class: "pane-bar" },
        this.picker.element,
        this.trail,
        this.replay,
        this.kin.element,
        el("span", { class: "spring" }),
        this.more.element,
        this.side,
      ),
      el(
        "div",
        { class: "pane-body" },
        this.banner,
        this.strip.element,
        this.rough.element,
        this.above,
        el("div", { class: "pane-stage" }, this.host, this.note, this.legend, this.busy, this.words),
      ),
    );
    this.more.arrange(ROOM);
    this.more.watch(this.element);
    this.element.addEventListener("pointerdown", calls.onActivate, true);
    this.element.addEventListener("focusin", calls.onActivate);
  }

  /**
   * @param {Api.Capture} now @param {string} show
   * @param {{current: boolean, index: number, count: number, locked: boolean}} place
   */
  update(now, show, { current, index, count, locked }) {
    const graph = graphOf(now, show);
    this.picker.update(now, show);
    this.exports.update(now, graph || isMirror(show) ? show : "");
    this.element.classList.toggle("is-current", current && count > 1);
    this.element.setAttribute("aria-label", graph ? `Graph ${show}` : isMirror(show) ? `Mirror ${show}` : isStory(show) ? "Story" : `Stage ${show}`);
    const mirror = mirrorOf(show);
    const mirrored = mirror !== "" && hasBoth(targetOf(now, parseShow(show).target), mirror);
    const key = `${show} ${index} ${count} ${locked} ${mirrored} ${graph?.replay?.status}`;
    if (key === this.shown) return; // a button under the pointer must not be replaced between press and release
    this.shown = key;
    const trail = trailOf(now, show);
    fill(
      this.trail,
      ...trail.slice(0, -1).map((each) =>
        button(each.title || each.id, {
          class: "link",
          title: `Back to ${each.id}, to what runs this body`,
          onclick: () => this.calls.onLeave(show, each.id),
        }),
      ),
      trail.length > 1 && el("span", { "aria-current": "page" }, trail[trail.length - 1].title),
    );
    this.trail.hidden = trail.length < 2;
    const stage = graph && stageOf(now, show);
    refill(this.replay, stage && graphMark(stage, graph));
    const held = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    fill(
      this.offers,
      mirrored && tool("mirror", "Mirror: forward and backward side by side", () => this.calls.onShow(mirror)),
      index === count - 1 &&
        count < MOST_PANES &&
        tool("split", `Show a ${count === 1 ? "second" : "third"} graph beside this one`, this.calls.onSplit),
    );
    fill(
      this.side,
      index === 0 && count > 1 && lockTool(locked, this.calls.onLock),
      count > 1 && tool("close", "Close this pane", this.calls.onClose),
    );
    if (held && !this.element.contains(document.activeElement)) this.again(held);
  }

  /** A button of the head that was made anew keeps the focus. @param {string} label */
  again(label) {
    for (const part of [this.offers, this.side])
      /** @type {HTMLElement|null} */ (part.querySelector(`[aria-label="${CSS.escape(label)}"]`))?.focus();
  }

  /** Shows words in place of the canvas, or the canvas. @param {Node|null} words */
  say(words) {
    const held = this.words.contains(document.activeElement);
    this.words.hidden = words === null;
    this.host.hidden = words !== null;
    for (const tools of [this.zoom, this.tools]) tools.classList.toggle("is-idle", words !== null);
    if (words) this.legend.hidden = true;
    if (words) this.sayNote("");
    if (words) this.arrange.hide();
    fill(this.words, words);
    if (held && !this.words.contains(document.activeElement)) this.focus();
  }

  /** Gives the focus to the drawing or to the words in its place; while there is neither, to where the drawing will be. */
  focus() {
    const canvas = this.host.hidden ? null : this.host.querySelector("canvas");
    (canvas ?? this.words).focus();
    if (!this.element.contains(document.activeElement)) this.host.focus();
  }

  /** The drawing is there. */
  drawn() {
    if (document.activeElement === this.host) this.focus();
  }

  /** @param {string} text above the drawing, for as long as it is there; "": nothing */
  sayNote(text) {
    this.note.hidden = text === "";
    this.note.textContent = text;
  }

  /** @param {string} text "" when nothing is under way */
  sayBusy(text) {
    this.busy.hidden = text === "";
    this.busy.textContent = text;
  }
}

/** @param {PaneCalls} calls */
function zoomTools(calls) {
  return el(
    "div",
    { class: "pane-tools", role: "toolbar", "aria-label": "Zoom" },
    tool("minus", "Zoom out", () => calls.onZoom(1 / 1.4)),
    tool("plus", "Zoom in", () => calls.onZoom(1.4)),
    tool("fit", "Fit to the window (f)", calls.onFit),
  );
}

/** @param {PaneCalls} calls @param {HTMLElement} legend */
function groupTools(calls, legend) {
  return el(
    "div",
    { class: "pane-tools", role: "toolbar", "aria-label": "Drawing" },
    tool("expand", "Open all groups", () => calls.onAll(true)),
    tool("collapse", "Close all groups", () => calls.onAll(false)),
    legend,
  );
}

/** @param {import("../icon.js").IconName} name @param {string} label @param {() => void} onclick */
function tool(name, label, onclick) {
  const item = button("", { class: `icon-button tool-${name}`, title: label, "aria-label": label, onclick });
  item.append(icon(name));
  return item;
}

/** @param {boolean} locked @param {() => void} onclick */
function lockTool(locked, onclick) {
  const item = tool(locked ? "locked" : "unlocked", "Pan and zoom the panes together", onclick);
  item.setAttribute("aria-pressed", String(locked));
  return item;
}
