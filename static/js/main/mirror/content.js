// A mirror in a pane: joins the frame, both graphs, the layout worker and the canvas.

import { mirrorScene } from "../../layout/mirror/mirror.js";
import { parseShow, stageOf, targetOf } from "../../model/capture.js";
import { allClosed, allOpen, openDifference, openPathTo, openPathToGroup, sameOpen } from "../../model/groups.js";
import { hasBoth, isCompared, withCompared } from "../../model/mirror/shows.js";
import { roundCamera } from "../../model/viewhash.js";
import { counted } from "../../panels/format.js";
import { nothingToMirror } from "../../panels/mirror/nothing.js";
import { MirrorStrip } from "../../panels/mirror/strip.js";
import { mirrorLegend } from "../../panels/mirror/legend.js";
import { MirrorView } from "../../render/mirror/mirrorview.js";
import { capture, panes, selectGroup, selection, setPane, showIn } from "../../state.js";
import { hover } from "../../state/kin.js";
import { noteDrawn, openOfMirror, toggleInMirror } from "../../state/mirror.js";
import { choose, lookAsSent, Words } from "../drawn.js";
import { litIn, previewedIn } from "./lit.js";
import { hasOther, wantMirrorModel } from "./load.js";

/** @typedef {import("../../model/mirror/mirror.js").MirrorModel} MirrorModel */

/** What a pane shows of a mirror. */
export class MirrorContent {
  /** @param {import("../pane.js").Place} place */
  constructor({ index, frame, layout, travelled }) {
    this.index = index;
    this.frame = frame;
    this.layout = layout;
    this.travelled = travelled;
    /** @type {MirrorView|null} */
    this.view = null;
    /** @type {MirrorModel|null} */
    this.mirror = null;
    /** What was asked for last, and whether the other partitioner was there then. */
    this.wanted = "";
    /** The open groups that are drawn, or being laid out. @type {Uint8Array|null} */
    this.open = null;
    /** @type {import("../../layout/mirror/mirror.js").MirrorScene|null} */
    this.mirrored = null;
    this.compared = false;
    this.camera = /** @type {import("../../model/viewhash.js").Camera|null} */ (null);
    this.kept = /** @type {{group?: number}} */ ({});
    this.selected = /** @type {unknown} */ (undefined);
    this.own = false;
    this.afresh = true;
    this.words = new Words(frame);
    this.legendOpen = false;
    this.strip = new MirrorStrip({ onCompare: (on) => this.compare(on), onHalf: (half) => this.view?.lookAt(half) });
    frame.above.replaceChildren(this.strip.element);
    frame.arrange.hide();
    frame.kin.say(null);
    frame.strip.say(null);
    frame.banner.hidden = true;
  }

  /** @param {import("../../state.js").PaneView} pane @param {Api.Capture} now */
  update(pane, now) {
    const show = withCompared(pane.show, false);
    if (!hasBoth(targetOf(now, parseShow(show).target), show)) return this.explain(now, show);
    const wanted = `${show} ${hasOther(show.replace("mirror", "forward"))}`;
    if (wanted !== this.wanted) this.begin(show, wanted);
    else if (this.mirror) this.updateMirror(pane, this.mirror);
  }

  /** Words where there is no backward. @param {Api.Capture} now @param {string} show */
  explain(now, show) {
    const key = JSON.stringify([show, stageOf(now, show), now.status]);
    if (key === this.wanted) return;
    this.wanted = key;
    this.mirror = null;
    this.frame.above.hidden = true;
    this.words.say(nothingToMirror(now, show));
  }

  /** @param {string} show @param {string} wanted */
  async begin(show, wanted) {
    this.wanted = wanted;
    this.mirror = null;
    this.open = null;
    this.mirrored = null;
    this.selected = undefined;
    this.words.busy("Loading both graphs…");
    try {
      const mirror = await wantMirrorModel(show);
      if (this.wanted !== wanted) return;
      this.mirror = mirror;
      noteDrawn(show, mirror);
      this.afresh = true;
      this.again();
    } catch (error) {
      if (this.wanted === wanted) this.fail(error);
    }
  }

  /** @param {import("../../state.js").PaneView} pane @param {MirrorModel} mirror */
  updateMirror(pane, mirror) {
    const open = openOfMirror(mirror, pane);
    if (!this.open || !sameOpen(this.open, open)) this.draw(mirror, open);
    else if (this.mirrored) this.settle(pane, mirror);
  }

  /** @param {MirrorModel} mirror @param {Uint8Array} open */
  async draw(mirror, open) {
    this.open = open;
    this.words.busy(`Laying out ${counted(mirror.model.count, "node")}…`);
    const { forward, backward } = mirror.halves(open);
    try {
      const scenes = await Promise.all([
        this.layout.layout(`pane${this.index}`, mirror.sides.forward, forward, { wrap: false }),
        this.layout.layout(`pane${this.index} backward`, mirror.sides.backward, backward, { wrap: false }),
      ]);
      if (!scenes[0] || !scenes[1] || this.mirror !== mirror || this.open !== open) return;
      this.mirrored = mirrorScene(scenes[0], scenes[1], mirror.offsets, mirror.partner);
      this.words.say(null);
      this.put(mirror);
      const pane = panes.get()[this.index];
      if (pane) this.settle(pane, mirror);
    } catch (error) {
      if (this.mirror === mirror) this.fail(error);
    }
  }

  /** Shows the scene. @param {MirrorModel} mirror */
  put(mirror) {
    if (!this.mirrored) return;
    this.compared = isCompared(panes.get()[this.index]?.show ?? "") && mirror.answer.other !== null;
    this.frame.above.hidden = false; // first: it takes of the canvas's height
    this.strip.update(mirror.answer, this.compared, mirror.counts);
    this.makeView().setMirror(mirror, this.mirrored, { keep: this.kept, compared: this.compared });
    this.kept = {};
    if (this.afresh) this.place(mirror);
    this.afresh = false;
    this.showLegend();
  }

  makeView() {
    this.view ??= new MirrorView(this.frame.host, {
      onSelect: (nodes, { add }) => this.chose(nodes, add),
      onSelectGroup: (group) => {
        if (!this.mirror) return;
        this.own = true;
        const { gid, path } = this.mirror.groupAt(group);
        selectGroup(gid, path);
      },
      onSelectSaved: (saved, how) => this.choseSaved(saved, how),
      onToggle: (group) => this.toggle(group),
      onEnterBody: (gid) => showIn(gid, this.index),
      onHover: (node) => {
        const at = node < 0 ? null : this.mirror?.nodeAt(node);
        hover(at?.gid ?? "", at ? [at.index] : []);
      },
      onTravel: (before, after) => this.travelled(before, after),
      onCamera: (camera) => {
        this.camera = roundCamera(camera);
        setPane(this.index, { camera: this.camera });
      },
    });
    return this.view;
  }

  /** The first look: the camera of the address, else the canvas's own. @param {MirrorModel} mirror */
  place(mirror) {
    const camera = panes.get()[this.index]?.camera ?? null;
    this.camera = camera;
    this.view?.setCamera(camera ?? this.view.initial());
    this.selected = camera ? selection.get() : undefined; // a camera that was sent along is not moved to the selection
    if (camera) this.showSelection(mirror);
  }

  /** Camera, selection and highlights. @param {import("../../state.js").PaneView} pane @param {MirrorModel} mirror */
  settle(pane, mirror) {
    const { view } = this;
    if (!view || !this.mirrored) return;
    if ((isCompared(pane.show) && mirror.answer.other !== null) !== this.compared) this.put(mirror);
    lookAsSent(this, pane.camera);
    view.setMap(pane.map);
    this.follow(mirror);
    this.preview();
  }

  /** @param {MirrorModel} mirror @returns {{nodes: number[], group: number}} what is selected of it, as it numbers it */
  selectedIn(mirror) {
    const now = selection.get();
    if (!now) return { nodes: [], group: -1 };
    if (now.group !== null) return { nodes: [], group: mirror.groupOf(now.gid, now.group) };
    return { nodes: now.names.map((name) => mirror.indexOf(now.gid, name)).filter((node) => node >= 0), group: -1 };
  }

  /** @param {MirrorModel} mirror */
  showSelection(mirror) {
    const { nodes, group } = this.selectedIn(mirror);
    this.view?.setSelection(nodes, group);
    return { nodes, group };
  }

  /** Shows the selection, and goes to it when it was made elsewhere. @param {MirrorModel} mirror */
  follow(mirror) {
    const now = selection.get();
    const { nodes, group } = this.showSelection(mirror);
    if (now === this.selected) return;
    this.selected = now;
    const own = this.own;
    this.own = false;
    if (own || !this.open || (nodes.length === 0 && group < 0)) return;
    const wide =
      group >= 0
        ? openPathToGroup(mirror.tree, this.open, group)
        : nodes.length === 1
          ? openPathTo(mirror.tree, this.open, nodes[0])
          : this.open;
    if (wide !== this.open) {
      this.selected = undefined; // again once it is laid out
      return this.setOpen(
        mirror,
        mirror.paired(wide, (a, b) => a | b),
      );
    }
    if (nodes.length) this.view?.reveal(nodes[0]);
    else this.view?.revealGroup(group);
  }

  /** Lights the kin of what is selected and of what the pointer is over, and what is searched for. */
  preview() {
    if (!this.mirror || !this.view || !this.mirrored) return;
    this.view.setHighlights([...litIn(this.mirror, this.index), ...previewedIn(this.mirror)]);
  }

  /** @param {number[]} nodes @param {boolean} add */
  chose(nodes, add) {
    const { mirror } = this;
    if (!mirror) return;
    if (nodes.length === 0) return this.pick("", [], false);
    const { gid } = mirror.nodeAt(nodes[0]);
    this.pick(
      gid,
      nodes.map((node) => mirror.nodeAt(node).name),
      add,
    );
  }

  /** @param {number[]} saved @param {{add: boolean, ghost: boolean}} how */
  choseSaved(saved, { add, ghost }) {
    if (!this.mirror) return;
    const { cut, other } = this.mirror.answer;
    const values = (ghost && other ? other : cut).saved;
    this.pick(
      this.mirror.forward,
      saved.map((each) => values[each].name),
      add,
    );
  }

  /** @param {string} gid @param {string[]} names @param {boolean} add to what is selected, or take away from it */
  pick(gid, names, add) {
    choose(this, gid, names, add, names.length && this.mirror ? this.mirror.indexOf(gid, names[0]) : -1);
  }

  /** Opens or closes a module in both halves. @param {number} group */
  toggle(group) {
    const { mirror } = this;
    if (!mirror) return;
    this.kept = { group: mirror.tree.shown[group] };
    toggleInMirror(mirror, this.index, group);
  }

  /** @param {MirrorModel} mirror @param {Uint8Array} open */
  setOpen(mirror, open) {
    setPane(this.index, openDifference(mirror.rows, open));
  }

  /** @param {boolean} open */
  openAll(open) {
    const { mirror } = this;
    if (!mirror) return;
    this.afresh = true;
    setPane(this.index, { camera: null, ...openDifference(mirror.rows, open ? allOpen(mirror.rows) : allClosed(mirror.rows)) });
  }

  /** @param {boolean} on marks what the other partitioner would do */
  compare(on) {
    const pane = panes.get()[this.index];
    if (pane) setPane(this.index, { show: withCompared(pane.show, on) });
  }

  toggleLegend() {
    this.legendOpen = !this.legendOpen;
    this.frame.legendButton.setAttribute("aria-pressed", String(this.legendOpen));
    this.showLegend();
  }

  showLegend() {
    this.frame.legend.hidden = !this.legendOpen || !this.mirrored;
    if (this.legendOpen && this.mirror) mirrorLegend(this.frame.legend, this.mirror, this.compared);
  }

  /** @param {unknown} error */
  fail(error) {
    this.frame.above.hidden = true;
    this.words.fail(error, () => {
      this.wanted = "";
      this.again();
    });
  }

  again() {
    const now = capture.get();
    const pane = panes.get()[this.index];
    if (now && pane) this.update(pane, now);
  }

  /** @param {import("../../model/viewhash.js").Camera} before @param {import("../../model/viewhash.js").Camera} after */
  moveLike(before, after) {
    if (this.mirrored) this.view?.follow(before, after);
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.view?.leapBy(factor);
  }

  fit() {
    this.view?.fit();
  }

  pictures() {
    return this.mirrored && this.view ? this.view.pictures() : null;
  }

  destroy() {
    this.words.stop();
    this.mirror = null; // a layout under way finds nobody
    this.wanted = "";
    this.view?.destroy();
    this.frame.above.hidden = true;
    this.frame.above.replaceChildren();
    this.frame.legend.hidden = true;
    this.frame.legendButton.setAttribute("aria-pressed", "false");
  }
}
