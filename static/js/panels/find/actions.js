// What can be done with everything that a search found.

import { activeShow, active, drawer, select } from "../../state.js";
import { follow, isolate } from "../../state/trace.js";
import { button } from "../dom.js";
import { count } from "../format.js";

/**
 * @param {import("../../model/graph.js").GraphModel} model @param {string} text of the search
 * @param {import("../../model/search/search.js").Found} found @param {() => void} done closes the list
 */
export function foundActions(model, text, { nodes }, done) {
  const wanted = text.trim();
  const act = (/** @type {string} */ title, /** @type {string} */ what, /** @type {() => void} */ run) =>
    button(title, {
      class: "small",
      title: what,
      onclick: () => {
        run();
        done();
      },
    });
  const alone = (/** @type {string} */ to) => isolate(active.get(), { how: "found", gid: model.id, from: wanted, to });
  return [
    act(`Select all ${count(nodes.length)}`, "Selects every node that was found", () =>
      select(
        model.id,
        nodes.map((node) => model.name[node]),
      ),
    ),
    act("List", "Keeps them as a list in the drawer, and lights them in the drawing", () => {
      follow({ how: "found", gid: model.id, from: wanted, to: "" });
      drawer.set("trace");
    }),
    ...(activeShow() === model.id
      ? [
          act("Only these", "Draws nothing but these nodes", () => alone("0")),
          act("With neighbours", "Draws nothing but these nodes and what is one step around them", () => alone("1")),
        ]
      : []),
  ];
}
