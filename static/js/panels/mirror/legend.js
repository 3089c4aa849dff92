// The legend of a mirror: what bridges and marks mean, then the colours of the nodes.

import { PARTITIONERS } from "../../model/mirror/words.js";
import { el, fill } from "../dom.js";
import { count } from "../format.js";
import { drawingKey } from "../pane/key.js";
import { swatch } from "../pane/swatch.js";

/** @param {HTMLElement} host @param {import("../../model/mirror/mirror.js").MirrorModel} mirror @param {boolean} compared */
export function mirrorLegend(host, { model, answer: { cut, other } }, compared) {
  const counts = new Uint32Array(model.kinds.length);
  for (const kind of model.kind) counts[kind]++;
  const [mine, theirs] = [cut, other].map((each) => (each ? PARTITIONERS[each.partitioner] : ""));
  fill(
    host,
    el("h3", {}, "Mirror"),
    el(
      "ul",
      { class: "plain mirror-legend" },
      ...(compared
        ? [sample("kept", `saved by ${mine} only`), sample("ghost", `saved by ${theirs} only`), sample("held", "saved by both")]
        : [sample("kept", "saved activation"), sample("held", "saved parameter or input, there anyway")]),
      sample("width", "thicker: more bytes, by their logarithm"),
      sample("again", "computed again in the backward"),
      sample("free", "computed again, but a view: free"),
      sample("gradient", "gives a gradient"),
    ),
    el("h3", {}, "Colours"),
    el(
      "ul",
      { class: "plain" },
      ...[...counts.keys()]
        .filter((kind) => counts[kind] > 0)
        .map((kind) =>
          el(
            "li",
            { class: "legend-row" },
            swatch(model.kinds[kind]),
            model.kinds[kind],
            el("span", { class: "muted" }, count(counts[kind])),
          ),
        ),
    ),
    drawingKey(),
  );
}

/** @param {string} what @param {string} words */
function sample(what, words) {
  const sign = { again: "↻", free: "↻", gradient: "∇" }[what] ?? "";
  return el(
    "li",
    { class: "legend-row" },
    el("span", { class: `mirror-sample is-${what}`, "aria-hidden": "true" }, sign),
    words,
  );
}
