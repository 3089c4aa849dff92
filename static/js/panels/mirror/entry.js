// The ways into a mirror: an entry of the rail behind the stages, and where it stands there.

import { fragmentsOf, parseShow, targetOf, targetsOf } from "../../model/capture.js";
import { forwardOf, isMirror, mirrorOf, mirrorsOf } from "../../model/mirror/shows.js";
import { activeShow, capture, showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { counted } from "../format.js";
import { icon } from "../icon.js";

/** What it is, for the line below the rail. */
export const ABOUT = "Forward and backward side by side: what is saved between them, and what is computed twice.";

/** What decides how the entry looks. @param {Api.Target} target */
export function mirrorFacts(target) {
  return [mirrorsOf(target), isMirror(activeShow())];
}

/** The entry of the rail; null where no fragment has both halves. @param {Api.Target} target @returns {HTMLElement|null} */
export function mirrorEntry(target) {
  const shows = mirrorsOf(target);
  if (!shows.length) return null;
  const item = button("", {
    class: "rail-stage is-done is-mirror",
    "data-stage": "mirror",
    "aria-current": isMirror(activeShow()) ? "step" : null,
    title: `${ABOUT} (key ${target.stages.length + 1})`,
    onclick: () => showIn(nearest(shows)),
  });
  item.append(
    el("span", { class: "rail-name" }, icon("mirror"), "Mirror"),
    el(
      "span",
      { class: "rail-counts" },
      el("span", { class: "cut" }, shows.length > 1 ? counted(shows.length, "fragment") : "forward | backward"),
    ),
  );
  return el("li", {}, item);
}

/** The mirror of the fragment that is shown, where it has one, else the first. @param {string[]} shows */
function nearest(shows) {
  const fragment = /\.(\d+)/.exec(activeShow())?.[1];
  return (
    shows.find((show) => show === mirrorOf(activeShow())) ??
    shows.find((show) => /\.(\d+)/.exec(show)?.[1] === fragment) ??
    shows[0]
  );
}

/** Shows the mirror in the active pane. @returns {boolean} false: there is none */
export function showMirror() {
  const now = capture.get();
  const target = now && (targetOf(now, parseShow(activeShow()).target) ?? targetsOf(now)[0]);
  const shows = target ? mirrorsOf(target) : [];
  if (shows.length) showIn(nearest(shows));
  return shows.length > 0;
}

/** The mirrors of a target as the list of graphs of a pane has them. @param {Api.Target} target @param {string} label @returns {HTMLElement|null} */
export function mirrorOptions(target, label) {
  const shows = mirrorsOf(target);
  if (!shows.length) return null;
  const forward = target.stages.find((stage) => stage.id === "forward");
  const fragments = new Map((forward ? fragmentsOf(forward) : []).map((graph) => [graph.id, graph.fragment]));
  return el(
    "optgroup",
    { label },
    ...shows.map((show) =>
      el("option", { value: show }, shows.length > 1 ? `${label} ${(fragments.get(forwardOf(show)) ?? 0) + 1}` : label),
    ),
  );
}

/** Fragments that have a mirror, as buttons; nothing where there is one only. @param {Api.Target} target @returns {HTMLElement[]} */
export function mirrorParts(target) {
  const shows = mirrorsOf(target);
  if (shows.length < 2) return [];
  return shows.map((show) => {
    const fragment = Number(/\.(\d+)/.exec(show)?.[1] ?? 0);
    return button(`Fragment ${fragment + 1}`, {
      class: "fragment",
      "aria-current": activeShow().replace(/\.compared$/, "") === show ? "true" : null,
      onclick: () => showIn(show),
    });
  });
}
