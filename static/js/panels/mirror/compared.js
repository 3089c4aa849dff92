// Both partitioners side by side: their sums, and every value with what each does with it.

import { PARTITIONERS, size, sizes } from "../../model/mirror/words.js";
import { bytes, count } from "../format.js";
import { nodeLink } from "../details/parts.js";
import { el } from "../dom.js";
import { sortedTable } from "./table.js";

/**
 * @typedef {import("../../model/mirror/types.js").MirrorAnswer} MirrorAnswer
 * @typedef {import("../../model/mirror/types.js").Cut} Cut
 * @typedef {import("../../model/mirror/types.js").Difference} Difference
 */

/** @param {MirrorAnswer} answer whose other cut is there */
export function comparedTable({ cut, other, difference }) {
  const there = /** @type {Cut} */ (other);
  const mine = PARTITIONERS[cut.partitioner];
  const theirs = PARTITIONERS[there.partitioner];
  const fate = (/** @type {Difference} */ each, /** @type {boolean} */ own) => fateOf(each, own, own ? cut : there);
  const onlyIn = (/** @type {Difference} */ each) =>
    each.here < 0 ? (each.there < 0 ? "" : theirs) : each.there < 0 ? mine : "both";
  const table = sortedTable(
    "facts-table mirror-rows mirror-compared",
    [
      { title: "Value", key: (each) => each.name, cell: (each) => nodeLink(cut.forward, each.name) },
      { title: "Type", key: (each) => each.type, cell: (each) => el("code", {}, each.type) },
      { title: mine, key: (each) => weightOf(each.here, cut), cell: (each) => fate(each, true) },
      { title: theirs, key: (each) => weightOf(each.there, there), cell: (each) => fate(each, false) },
      {
        title: "Saved by",
        key: (each) => ({ "": 0, both: 1 })[onlyIn(each)] ?? (each.same_memory ? 2 : 3),
        cell: (each) => onlyWords(onlyIn(each), each.same_memory),
      },
    ],
    difference,
    4,
    (each) =>
      [
        each.name,
        each.type,
        onlyIn(each) === "both" ? "both" : `only ${onlyIn(each)}`,
        each.again_here || each.again_there ? "recomputed" : "",
      ].join(" "),
  );
  return { ...table, element: el("div", { class: "mirror-both" }, sums(cut, there), table.element) };
}

/** @param {string} who @param {boolean} same memory */
function onlyWords(who, same) {
  if (who === "") return el("span", { class: "muted" }, "neither");
  if (who === "both") return el("span", { class: "muted" }, "both");
  return same ? el("span", {}, `${who}; the other keeps the same memory by another view`) : el("strong", {}, `only ${who}`);
}

/** @param {number} saved index, or -1 @param {Cut} cut */
function weightOf(saved, cut) {
  return saved < 0 ? -1 : (cut.saved[saved].bytes ?? 0);
}

/** @param {Difference} each @param {boolean} own @param {Cut} cut */
function fateOf(each, own, cut) {
  const saved = own ? each.here : each.there;
  if (saved >= 0) return el("span", { class: "mirror-fate is-saved" }, `saved, ${size(cut.saved[saved].bytes)}`);
  const again = own ? each.again_here : each.again_there;
  return again ? el("span", { class: "mirror-fate is-again" }, "↻ recomputed") : el("span", { class: "muted" }, "—");
}

/** @param {Cut} cut @param {Cut} other */
function sums(cut, other) {
  const row = (/** @type {string} */ name, /** @type {(cut: Cut) => string} */ of) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      el("td", { class: "number" }, of(cut)),
      el("td", { class: "number" }, of(other)),
    );
  return el(
    "table",
    { class: "facts-table mirror-sums" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("td", {}),
        ...[cut, other].map((each) => el("th", { scope: "col", class: "number" }, PARTITIONERS[each.partitioner])),
      ),
    ),
    el(
      "tbody",
      {},
      row("Saved tensors", ({ totals }) => count(totals.saved)),
      row("Bytes", ({ totals }) => sizes(totals.bytes, totals.unknown)),
      row("of these activations", ({ totals }) => bytes(totals.bytes - totals.held_bytes)),
      row("Recomputed", ({ totals }) => count(totals.recomputed)),
      row("of these no views", ({ totals }) => count(totals.recomputed - totals.free)),
      row("Gradients", ({ totals }) => count(totals.gradients)),
    ),
  );
}
