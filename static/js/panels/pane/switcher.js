// On a phone one pane is shown at a time: a row of buttons says which panes there are.

import { active, capture, panes } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { graphTitle } from "../format.js";

/** @returns {HTMLElement} */
export function paneSwitcher() {
  const element = el("div", { class: "pane-switcher", role: "group", "aria-label": "Panes", hidden: true });
  let shown = "";
  const show = () => {
    const now = capture.get();
    const all = panes.get();
    const key = JSON.stringify([all.map((pane) => pane.show), active.get(), now?.status]);
    if (key === shown || !now) return;
    shown = key;
    element.hidden = all.length < 2;
    fill(
      element,
      ...all.map((pane, i) =>
        button(graphTitle(now, pane.show), {
          class: "pane-tab",
          "aria-pressed": String(i === active.get()),
          onclick: () => active.set(i),
        }),
      ),
    );
  };
  for (const each of [panes, active, capture]) each.subscribe(show);
  return element;
}
