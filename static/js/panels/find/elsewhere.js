// Where a search finds nothing: the other graphs that are here and have what is searched for.

import { placeCount, search as find } from "../../model/search/search.js";
import { capture, graphs, showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { count, graphTitle } from "../format.js";

const MOST = 6;

/** @param {import("../../model/graph.js").GraphModel} model of the active pane @param {string} text */
export function elsewhere(model, text) {
  const now = capture.get();
  const others = [...graphs.get().values()].filter((each) => each.id !== model.id && each.targetId === model.targetId);
  const having = others.map((each) => ({ each, places: placeCount(find(each, text)) })).filter(({ places }) => places > 0);
  const where = having.slice(0, MOST).map(({ each, places }) =>
    button(`${now ? graphTitle(now, each.id) : each.id} ${count(places)}`, {
      class: "small",
      title: `Show ${each.id}, which has ${count(places)} of these`,
      onclick: () => showIn(each.id),
    }),
  );
  return [
    el("p", {}, "Nothing of that name, operator, type or module in this graph."),
    where.length > 0 && el("p", { class: "search-others" }, "Of the graphs that were opened these have some:", ...where),
  ];
}
