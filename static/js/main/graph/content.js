// A graph in a pane, or words in its place: joins the frame, the graphs, the layout worker and the canvas.

import { TIDY_MS } from "../../layout/budget.js";
import { graphOf, stageOf } from "../../model/capture.js";
import { allClosed, allOpen, openDifference, outermostChanged, sameOpen } from "../../model/groups.js";
import { foldFacts } from "../../model/folding/facts.js";
import { nodeOfRefolded } from "../../model/folding/folded.js";
import { roundCamera } from "../../model/viewhash.js";
import { stepsOf, traceKey, traceWords } from "../../model/trace/trace.js";
import { count } from "../../panels/format.js";
import { explainStage, failureBanner, nothingTraced } from "../../panels/pane/explain.js";
import { button } from "../../panels/dom.js";
import { withoutCalls } from "../../panels/pane/nothing.js";
import { GraphView } from "../../render/graphview.js";
import {
  capture,
  graphs,
  isGrouped,
  keepTree,
  openIn,
  panes,
  selectedIn,
  selection,
  setPane,
  showIn,
  trace,
  treeOf,
} from "../../state.js";
import { isAround, leaveBody } from "../../state/bodies.js";
import { hover, kinOfMiddle } from "../../state/kin.js";
import { answers, drawnIn, isolate, toggleGroup, tracedIn } from "../../state/trace.js";
import { lookAsSent, Words } from "../drawn.js";
import { Lit } from "./lit.js";
import { wantGraph } from "../fetch/loader.js";
import { Painted } from "./painted.js";
import { choseGroup, choseNodes, followSelection, selectedGroup } from "./selected.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/types.js").GroupTree} GroupTree
 * @typedef {import("../../model/viewhash.js").Trace} Trace
 */

/** Nodes: grouping fewer takes no longer than asking. */
const LARGE = 2000;

/** What a pane shows of a graph. */
export class GraphContent {
  /** @param {import("../pane.js").Place} place */
  constructor({ index, frame, layout, travelled }) {
    this.index = index;
    this.frame = frame;
    this.layout = layout;
    /** @type {GraphView|null} */
    this.view = null;
    this.travelled = travelled;
    this.words = new Words(frame);
    this.show = "";
    /** What alone is drawn of it; "": everything. */
    this.only = "";
    /** The graph, and what is drawn of it. @type {GraphModel|null} */
    this.whole = null;
    /** The graph that is drawn, which may be only a part. @type {GraphModel|null} */
    this.model = null;
    /** @type {import("../../model/trace/submodel.js").SubModel|null} */
    this.part = null;
    this.lit = new Lit(this);
    this.frame.kin.onBring = () => this.lit.bring();
    /** The open groups that are drawn, or being laid out. @type {Uint8Array|null} */
    this.open = null;
    this.drawn = false;
    /** The graph whose groups were asked for. @type {GraphModel|null} */
    this.grouping = null;
    this.camera = /** @type {import("../../model/viewhash.js").Camera|null} */ (null);
    /** The group that is to stay where it is on the screen, or -1. */
    this.kept = -1;
    /** Laid out neatly, however long it takes. */
    this.thorough = false;
    this.selected = /** @type {unknown} */ (undefined);
    this.own = false;
    this.explained = "";
    this.by = panes.get()[index]?.by ?? "module";
    this.flow = panes.get()[index]?.flow ?? "down";
    this.wrap = panes.get()[index]?.wrap ?? true;
    this.folds = panes.get()[index]?.folds.join() ?? "";
    this.painted = new Painted(this);
    /** The next scene is looked at as if it were the first. */
    this.afresh = false;
  }

  /** The canvas, made when the first graph is there. */
  makeView() {
    this.view ??= new GraphView(this.frame.host, {
      onSelect: (nodes, { add }) => choseNodes(this, nodes, add),
      onSelectGroup: (group) => choseGroup(this, group),
      onToggle: (group) => {
        if (this.model) {
          toggleGroup(this.model.id, this.treeOf(this.model).path[group]);
        }
      },
      onEnterBody: (gid) => (isAround(gid, this.show) ? leaveBody(this.show, gid, this.index) : showIn(gid, this.index)),
      onHover: (node) => hover(this.show, node < 0 ? [] : [this.part ? this.part.whole[node] : node]),
      onTravel: (before, after) => this.travelled(before, after),
      onCamera: (camera) => {
        this.camera = roundCamera(camera);
        setPane(this.index, { camera: this.camera });
        this.lit.head();
      },
    });
    return this.view;
  }

  /** @param {GraphModel} model */
  treeOf(model) {
    return treeOf(model, this.by);
  }

  /** @param {import("../../state.js").PaneView} pane @param {Api.Capture} now */
  update(pane, now) {
    const only = pane.only ? traceKey(pane.only) : "";
    if (pane.show !== this.show || only !== this.only) this.begin(pane.show, only);
    if (graphOf(now, pane.show) || graphs.get().has(pane.show)) this.updateGraph(pane);
    else this.explain(now, pane.show);
    this.banner(now, pane.show);
  }

  /** @param {string} show @param {string} only */
  begin(show, only) {
    this.show = show;
    this.only = only;
    this.whole = this.model = this.part = this.grouping = null;
    this.frame.kin.say(null);
    this.frame.strip.say(null);
    this.open = null;
    this.thorough = false;
    this.frame.rough.say(null, () => {});
    this.drawn = false;
    this.explained = "";
    this.selected = undefined;
    this.painted.begin(panes.get()[this.index]);
  }

  /** Words where there is no graph. @param {Api.Capture} now @param {string} show */
  explain(now, show) {
    const key = JSON.stringify([show, stageOf(now, show), now.status]);
    if (key === this.explained) return;
    this.explained = key;
    this.words.say(explainStage(now, show));
  }

  /** A stage that failed may have kept graphs: then a line above the canvas says so. @param {Api.Capture} now @param {string} show */
  banner(now, show) {
    const stage = stageOf(now, show);
    const wanted = stage?.status === "failed" && graphOf(now, show) !== null;
    if (this.frame.banner.hidden === !wanted && this.frame.banner.dataset.show === show) return;
    this.frame.banner.hidden = !wanted;
    this.frame.banner.dataset.show = show;
    if (!wanted || !stage) return;
    this.frame.banner.replaceChildren(failureBanner(stage, now));
  }

  /** @param {import("../../state.js").PaneView} pane */
  updateGraph(pane) {
    if (!graphs.get().has(pane.show)) {
      this.fetch(pane.show);
      return;
    }
    const drawn = drawnIn(pane);
    if (pane.only && !drawn?.model.count) return this.untraced(pane.only, drawn !== null);
    if (!drawn) return;
    const { whole, model, part } = drawn;
    if (!this.isGrouped(model, pane.by)) return;
    this.whole = whole;
    this.part = part;
    this.frame.strip.say(this.traced(pane, whole, model));
    const open = openIn(pane, model);
    if (this.by !== pane.by || this.flow !== pane.flow || this.wrap !== pane.wrap || this.folds !== pane.folds.join()) this.rearrange(pane);
    if (this.model !== model || !this.open || !sameOpen(this.open, open)) this.draw(model, open);
    else if (this.drawn) this.settle(pane, model);
  }

  /** Whether the groups are known. Those of a large graph are asked for of the worker. @param {GraphModel} model @param {GroupTree["by"]} by */
  isGrouped(model, by) {
    if (model.count < LARGE || isGrouped(model, by)) return true;
    if (this.grouping !== model) this.group(model, by);
    return false;
  }

  /** @param {GraphModel} model @param {GroupTree["by"]} by */
  async group(model, by) {
    this.grouping = model;
    this.words.busy(`Grouping ${count(model.count)} nodes…`);
    const tree = await this.layout.groups(model, by).catch(() => null);
    if (this.grouping !== model) return; // another graph is shown, or nothing any more
    keepTree(model, tree ?? treeOf(model, by)); // a worker that fails says so at the layout
    this.grouping = null;
    this.again();
  }

  /** What the strip under the head says. @param {import("../../state.js").PaneView} pane @param {GraphModel} whole @param {GraphModel} model */
  traced(pane, whole, model) {
    const lit = trace.get();
    if (pane.only) return { only: true, words: traceWords(pane.only), nodes: model.count, of: whole.count, steps: stepsOf(pane.only) };
    const nodes = lit && tracedIn(lit, whole);
    return lit && nodes?.length ? { only: false, words: traceWords(lit), nodes: nodes.length, of: whole.count, steps: null } : null;
  }

  /** Nothing of what alone is to be drawn is here. @param {Trace} only @param {boolean} known it was looked for */
  untraced(only, known) {
    const answer = answers.get().get(traceKey(only));
    if (!known && !(answer instanceof Error)) return this.words.busy(`Looking for the ${traceWords(only)}…`);
    const why = answer instanceof Error ? answer.message : "";
    if (this.explained === `untraced ${why}`) return;
    this.explained = `untraced ${why}`;
    this.words.say(nothingTraced(traceWords(only), why, () => isolate(this.index, null)));
  }

  /** Other groups, another direction, other folds: another drawing, looked at as if it were the first. @param {import("../../state.js").PaneView} pane */
  rearrange({ by, flow, wrap, folds }) {
    this.by = by;
    this.flow = flow;
    this.wrap = wrap;
    this.folds = folds.join();
    this.open = null;
    this.afresh = true;
  }

  /** @param {string} gid */
  async fetch(gid) {
    if (this.explained === `fetch ${gid}`) return;
    this.explained = `fetch ${gid}`;
    this.words.busy("Loading the graph…");
    try {
      await wantGraph(gid); // the atom's change comes back to update()
    } catch (error) {
      if (this.show === gid)
        this.words.fail(error, () => {
          this.explained = "";
          this.again();
        });
    }
  }

  /** @param {GraphModel} model @param {Uint8Array} open */
  async draw(model, open) {
    const first = this.model?.base !== model.base;
    const refolded = this.model && !first ? nodeOfRefolded(this.model, model) : -1;
    const same = this.model === model;
    this.model = model;
    if (same && this.open) this.kept = outermostChanged(this.treeOf(model), this.open, open);
    this.open = open;
    this.words.busy(`Laying out ${count(model.count)} nodes…`);
    try {
      const { by, flow, wrap, thorough } = this;
      const scene = await this.layout.layout(`pane${this.index}`, model, open, { by, flow, wrap, thorough }, this.treeOf(model));
      if (scene === null || this.model !== model || this.open !== open) return;
      this.words.say(null);
      this.makeView().setGraph(model, this.treeOf(model), scene, { keep: this.kept >= 0 ? { group: this.kept } : refolded >= 0 ? { node: refolded } : {} });
      this.frame.drawn();
      this.kept = -1;
      this.drawn = true;
      this.sayRough(model, scene.rough ?? 0);
      this.frame.sayNote(this.part ? "" : withoutCalls(model));
      if (first || this.afresh) this.place(model);
      this.afresh = false;
      this.settle(panes.get()[this.index], model);
    } catch (error) {
      if (this.model === model)
        this.words.fail(
          error,
          () => this.layOutAgain(),
          open.includes(1, 1) ? [button("Close all groups", { onclick: () => this.openAll(false) })] : [],
        );
    }
  }

  layOutAgain() {
    this.open = null;
    this.again();
  }

  /** Whether time was up before all groups were laid out neatly. @param {GraphModel} model @param {number} groups that are not neat */
  sayRough(model, groups) {
    this.frame.rough.say(groups ? { nodes: model.count, groups, seconds: TIDY_MS / 1000 } : null, () => {
      this.thorough = true;
      this.layOutAgain();
    });
  }

  /** The first look: the camera of the address, else the canvas's own. @param {GraphModel} model */
  place(model) {
    const camera = panes.get()[this.index]?.camera ?? null;
    this.camera = camera;
    if (camera) this.view?.setCamera(camera);
    else if (this.afresh) this.view?.setCamera(this.view.initial());
    this.lit.begin();
    this.selected = camera ? selection.get() : undefined; // a camera that was sent along is not moved to the selection
    if (camera) this.view?.setSelection(selectedIn(model), selectedGroup(this, model));
  }

  /** Camera, selection and highlights of a drawn graph. @param {import("../../state.js").PaneView|undefined} pane @param {GraphModel} model */
  settle(pane, model) {
    const { view } = this;
    if (!pane || !view || pane.show !== model.id) return;
    lookAsSent(this, pane.camera);
    view.setMap(pane.map);
    followSelection(this, model);
    this.lit.update();
    this.painted.update(pane, model);
    const folds = { ...foldFacts(model.base), part: this.part !== null };
    this.frame.arrange.update(pane, { decomposed: model.calls.length > 0, folds });
  }

  /** @param {boolean} open */
  openAll(open) {
    if (!this.model) return;
    const tree = this.treeOf(this.model);
    this.afresh = true;
    setPane(this.index, { camera: null, ...openDifference(tree, open ? allOpen(tree) : allClosed(tree)) });
  }

  toggleLegend() {
    this.painted.toggleLegend();
  }

  /** What is looked at. @returns {import("../pane.js").Middle|null} */
  middle() {
    const seen = this.drawn ? this.view?.middle() : null;
    const { part } = this;
    return seen ? { gid: this.show, nodes: part ? seen.nodes.map((node) => part.whole[node]) : seen.nodes, at: seen.at } : null;
  }

  /**
   * Moves as another pane's canvas did: so that the kin of what is looked at there stand where that stands, else by as many pixels.
   * @param {import("../../model/viewhash.js").Camera} before @param {import("../../model/viewhash.js").Camera} after
   * @param {import("../pane.js").Middle|null} middle
   */
  moveLike(before, after, middle) {
    if (!this.drawn || !this.view || !this.whole) return;
    const kin = middle ? this.lit.drawn(kinOfMiddle(middle, this.whole)) : [];
    const held = kin[kin.length >> 1];
    if (middle && held !== undefined) this.view.hold(held, middle.at, after.k / before.k);
    else this.view.follow(before, after);
  }

  bring() {
    if (this.drawn && selection.get()?.gid !== this.show) this.lit.bring();
  }

  /** Lights what the pointer is over. */
  preview() {
    if (this.drawn) this.lit.preview();
  }

  /** Once more, after something failed. */
  again() {
    const now = capture.get();
    const pane = panes.get()[this.index];
    if (now && pane) this.update(pane, now);
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.view?.leapBy(factor);
  }

  fit() {
    this.view?.fit();
  }

  pictures() {
    return this.drawn && this.view ? this.view.pictures() : null;
  }

  destroy() {
    this.words.stop();
    this.model = this.grouping = null; // a layout under way finds nobody
    this.show = "";
    this.view?.destroy();
    this.painted.end();
  }
}
