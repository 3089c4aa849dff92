// The menu of how a pane groups its nodes: by module, and in the modules by the op they were decomposed from.

import { button, el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { menu } from "../menu.js";

/** @typedef {import("../../state.js").Grouping} Grouping */

/** @type {{by: Grouping, title: string, what: string}[]} */
const CHOICES = [
  { by: "module", title: "By module", what: "every node in its nn.Module" },
  { by: "op", title: "By original op", what: "in its module, each op opens into what it was decomposed into" },
];

/** @param {(by: Grouping) => void} onGroup */
export function groupingMenu(onGroup) {
  const word = el("span", { class: "roomy-only" });
  const list = el("div", { class: "menu-list grouping-list", role: "group", "aria-label": "Group nodes" });
  const { element, close } = menu("grouping", "How nodes are grouped", [icon("group"), word], list);
  element.hidden = true;
  let shown = "";
  /** @param {Grouping} by */
  const choose = (by) => {
    close();
    onGroup(by);
  };
  return {
    element,
    /** @param {Grouping} by @param {boolean} decomposed whether torch recorded what nodes were decomposed from */
    update(by, decomposed) {
      element.hidden = false;
      const key = `${by} ${decomposed}`;
      if (key === shown) return;
      shown = key;
      word.textContent = by === "op" && decomposed ? "By op" : "By module";
      fill(
        list,
        ...CHOICES.map((choice) => {
          const off = choice.by === "op" && !decomposed;
          const item = button("", { "aria-pressed": String(decomposed ? choice.by === by : !off), disabled: off, onclick: () => choose(choice.by) });
          item.append(
            el("span", {}, choice.title),
            el("span", { class: "muted" }, off ? "nothing in this graph was decomposed" : choice.what),
          );
          return item;
        }),
      );
    },
    hide() {
      element.hidden = true;
    },
  };
}
