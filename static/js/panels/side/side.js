// The left side: source, outline, operators and text of the active graph, as tabs. Folds to a strip.

import { side } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { icon } from "../icon.js";
import { tabRow } from "../tabs.js";
import { mountOperators } from "./operators.js";
import { mountOutline } from "./outline/outline.js";
import { mountSource } from "./source.js";
import { mountText } from "./text.js";

/** @type {[string, string, (host: HTMLElement) => unknown][]} a tab is one line here and one file */
const TABS = [
  ["source", "Source", mountSource],
  ["modules", "Outline", mountOutline],
  ["operators", "Operators", mountOperators],
  ["text", "Text", mountText],
];

/** @param {HTMLElement} host */
export function mountSide(host) {
  const tabs = TABS.map(([id, title]) => ({ id, title, panel: el("div", { class: `side-panel side-${id}` }) }));
  const fold = button("", {
    class: "icon-button side-fold",
    onclick: () => {
      const open = side.get();
      side.set("");
      marks.focus(open); // the button is gone
    },
  });
  fold.title = "Fold this side away";
  fold.setAttribute("aria-label", "Fold this side away");
  fold.append(icon("close"));
  const row = el("div", { class: "tab-row" }, fold);
  fill(host, row, ...tabs.map((tab) => tab.panel));
  const marks = tabRow(row, tabs, { label: "Source, outline, operators, text", onPick: (id) => side.set(id) });
  TABS.forEach(([, , mount], i) => mount(tabs[i].panel));
  const show = () => {
    const id = TABS.some(([each]) => each === side.get()) ? side.get() : "";
    host.classList.toggle("is-folded", id === "");
    document.body.classList.toggle("side-folded", id === "");
    fold.hidden = id === "";
    marks.show(id);
  };
  side.subscribe(show);
  show();
}
