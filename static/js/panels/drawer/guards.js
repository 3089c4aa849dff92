// Guards: what is checked before a compiled fragment is used again.

import { targetsOf } from "../../model/capture.js";
import { capture, drawer, goToSource, tell } from "../../state.js";
import { placeOf } from "../../state/places.js";
import { button, el, fill } from "../dom.js";
import { guards, wantGuards } from "./facts.js";
import { filterField } from "./filter.js";

/** @param {HTMLElement} host */
export function mountGuards(host) {
  const body = el("tbody", {});
  const filter = filterField("Filter the guards", body);
  const table = el(
    "table",
    { class: "facts-table guards" },
    el("thead", {}, el("tr", {}, ...["Fragment", "Kind", "Of", "Checks"].map((name) => el("th", { scope: "col" }, name)))),
    body,
  );
  const show = () => {
    const all = guards.get();
    if (!all) return fill(host, el("p", { class: "empty muted" }, "Loading the guards…"));
    if (!all.length) return fill(host, el("p", { class: "empty muted" }, "No guards: Dynamo compiled nothing."));
    fill(host, filter.field, table);
    filter.over(all.map((guard) => ({ text: [guard.kind, guard.source, ...guard.code].join(" "), make: () => rowOf(guard) })));
  };
  const want = () => {
    if (drawer.get() === "guards")
      wantGuards().catch((error) => {
        fill(host, el("p", { class: "empty error-text" }, error.message));
        tell(error.message);
      });
  };
  guards.subscribe(show);
  drawer.subscribe(want);
  capture.subscribe(want);
  show();
}

/** @param {Api.Guard} guard */
function rowOf(guard) {
  const { frame } = guard;
  const now = capture.get();
  const target = now && targetsOf(now).length > 1 ? `${guard.target} · ` : "";
  return el(
    "tr",
    {},
    el("td", { class: "number" }, `${target}${guard.fragment + 1}`),
    el("td", {}, el("code", {}, guard.kind)),
    el(
      "td",
      {},
      el("code", {}, guard.source || "(global state)"),
      frame?.user && button(` ${placeOf(frame.file, frame.line)}`, { class: "link", onclick: () => goToSource(frame.file, frame.line) }),
    ),
    el("td", {}, ...guard.code.map((line) => el("pre", {}, line))),
  );
}
