// The colours of a pane: its mode, its filter and its legend, kept in step with the canvas.

import { wordsOf } from "../../base/errors.js";
import { graphOf } from "../../model/capture.js";
import { nodesOf } from "../../model/colouring/classes.js";
import { isReady, modeFor, modesFor } from "../../model/colouring/modes.js";
import { DEFAULT_LOOK } from "../../model/viewhash.js";
import { Legend } from "../../panels/pane/legend.js";
import { capture, graphs, panes, select, setPane, tell } from "../../state.js";
import { wantGraph } from "../fetch/loader.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/colouring/types.js").Around} Around
 * @typedef {import("../../model/colouring/types.js").Colouring} Colouring
 * @typedef {import("../../model/colouring/types.js").Mode} Mode
 */

/** @type {Around} */
const AROUND = {
  has: (gid) => {
    const now = capture.get();
    return now !== null && graphOf(now, gid) !== null;
  },
  graph: (gid) => graphs.get().get(gid) ?? null,
};

/** Belongs to one `GraphContent`. */
export class Painted {
  /** @param {import("./content.js").GraphContent} content */
  constructor(content) {
    this.content = content;
    /** What was coloured last, and how. @type {{model: GraphModel, mode: string, colouring: Colouring}|null} */
    this.last = null;
    /** The modes that fit. @type {{model: GraphModel, now: Api.Capture|null, modes: Mode[]}|null} */
    this.fitting = null;
    this.shownFilter = "";
    this.open = false;
    this.begun = false;
    this.legend = new Legend(content.frame.legend, {
      onMode: (colour) => setPane(content.index, { colour, filter: [] }),
      onFilter: (filter) => setPane(content.index, { filter }),
      onSelect: (at) => this.select(at),
    });
  }

  /** Another graph begins; at the first, who was sent colours is told what they mean. @param {import("../../state.js").PaneView|undefined} pane */
  begin(pane) {
    this.last = null;
    const first = !this.begun;
    this.begun = true;
    if (first && pane && (pane.colour !== DEFAULT_LOOK.colour || pane.filter.length)) this.setOpen(true);
  }

  /** @param {import("../../state.js").PaneView} pane @param {GraphModel} model the graph that is drawn */
  update(pane, model) {
    const mode = modeFor(pane.colour, model, AROUND);
    const ready = isReady(mode, model, AROUND);
    const colouring = ready ? this.colour(model, mode) : null;
    if (!ready) this.fetch(mode, model);
    const filter = JSON.stringify(pane.filter);
    const view = this.content.view;
    if (view && (view.colouring !== colouring || this.shownFilter !== filter)) {
      view.setColouring(colouring, colouring && pane.filter.length ? nodesOf(colouring, pane.filter) : null);
      this.shownFilter = filter;
    }
    if (this.open) this.legend.show({ modes: this.modesOf(model), mode, colouring, filter: pane.filter });
    this.content.frame.legend.hidden = !this.open;
  }

  /** Looked for again only when the graph or the capture is another: this is asked at every selection. @param {GraphModel} model */
  modesOf(model) {
    const now = capture.get();
    if (this.fitting?.model !== model || this.fitting.now !== now) this.fitting = { model, now, modes: modesFor(model, AROUND) };
    return this.fitting.modes;
  }

  /** @param {GraphModel} model @param {Mode} mode */
  colour(model, mode) {
    if (this.last?.model !== model || this.last.mode !== mode.id)
      this.last = { model, mode: mode.id, colouring: mode.colour(model, AROUND) };
    return this.last.colouring;
  }

  /** The graphs a mode needs; once they are here the atom's change comes back to `update`. @param {Mode} mode @param {GraphModel} model */
  async fetch(mode, model) {
    try {
      await Promise.all((mode.needs?.(model) ?? []).map(wantGraph));
    } catch (error) {
      tell(wordsOf(error));
      setPane(this.content.index, { colour: DEFAULT_LOOK.colour, filter: [] });
    }
  }

  /** Selects all nodes of a class. @param {number} at */
  select(at) {
    if (!this.last) return;
    const { model, colouring } = this.last;
    select(
      model.id,
      model.name.filter((_, node) => colouring.of[node] === at),
    );
  }

  toggleLegend() {
    this.setOpen(!this.open);
    const pane = panes.get()[this.content.index];
    if (pane && this.content.model && this.content.drawn) this.update(pane, this.content.model);
    this.content.frame.legend.hidden = !this.open || !this.content.drawn;
  }

  end() {
    this.setOpen(false);
    this.content.frame.legend.hidden = true;
    this.content.frame.arrange.hide();
  }

  /** @param {boolean} open */
  setOpen(open) {
    this.open = open;
    this.content.frame.legendButton.setAttribute("aria-pressed", String(open));
  }
}
