// The drawer's tab on saved tensors: all of them as a table, or both partitioners side by side.

import { backwardOf, forwardOf, hasBoth, isCompared, mirrorOf, mirrorsOf } from "../../model/mirror/shows.js";
import { parseShow, targetOf, targetsOf } from "../../model/capture.js";
import { active, activeShow, capture, drawer, panes } from "../../state.js";
import { mirrors } from "../../state/mirror.js";
import { button, el, fill } from "../dom.js";
import { filterField } from "../drawer/filter.js";
import { comparedTable } from "./compared.js";
import { wantMirror } from "./load.js";
import { savedTable } from "./table.js";

/** @param {HTMLElement} host */
export function mountSaved(host) {
  let shown = "";
  let side = /** @type {"saved"|"compared"} */ ("saved");
  const show = () => {
    if (!drawer.get().startsWith("saved")) return;
    const forward = subject();
    if (!forward) return say(host, (shown = "nothing"), "Nothing is saved: there is no forward with a backward here.");
    const answer = mirrors.get().get(forward);
    if (answer instanceof Error) return say(host, (shown = "failed"), answer.message, "error-text");
    if (!answer) {
      say(host, (shown = "loading"), "Loading what is saved…");
      wantMirror(forward).catch(() => {});
      return;
    }
    if (isCompared(activeShow()) && !shown.endsWith("compared")) side = "compared";
    if (!answer.other) side = "saved";
    const key = `${forward} ${answer.other !== null} ${side}`;
    if (key === shown) return;
    shown = key;
    const table = side === "saved" ? savedTable(answer.cut) : comparedTable(answer);
    const filter = filterField(side === "saved" ? "Filter the saved tensors" : "Filter the differences", table.body);
    table.onOrder(filter.over);
    if (answer.other) filter.field.prepend(sides(side, (chosen) => ((side = chosen), show())));
    fill(host, filter.field, table.element);
  };
  for (const each of [mirrors, drawer, panes, active, capture]) each.subscribe(show);
  show();
}

/** @param {HTMLElement} host @param {string} key @param {string} words @param {string} [look] */
function say(host, key, words, look = "muted") {
  host.dataset.said = key;
  fill(host, el("p", { class: `empty ${look}` }, words));
}

/** The forward that is meant: of the mirror, forward or backward in the active pane, else the first one there is. */
function subject() {
  const now = capture.get();
  if (!now) return "";
  const show = activeShow();
  const target = targetOf(now, parseShow(show).target) ?? targetsOf(now)[0];
  const meant = mirrorOf(show) || show;
  if (forwardOf(meant) && backwardOf(meant) && hasBoth(target, meant)) return forwardOf(meant);
  return forwardOf(mirrorsOf(target)[0] ?? "");
}

/** @param {"saved"|"compared"} side @param {(side: "saved"|"compared") => void} onPick */
function sides(side, onPick) {
  const one = (/** @type {"saved"|"compared"} */ id, /** @type {string} */ words) =>
    button(words, { class: "small", "aria-pressed": String(id === side), onclick: () => onPick(id) });
  return el(
    "span",
    { class: "mirror-sides", role: "group", "aria-label": "What to list" },
    one("saved", "Saved tensors"),
    one("compared", "Partitioners compared"),
  );
}
