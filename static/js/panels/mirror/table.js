// Saved tensors as rows that can be put in order by any column.

import { REASONS, memory, size, title } from "../../model/mirror/words.js";
import { graphs } from "../../state.js";
import { selectNodes } from "../../state/kin.js";
import { nodeLink } from "../details/parts.js";
import { button, el } from "../dom.js";

/**
 * @typedef {import("../../model/mirror/types.js").Cut} Cut
 * @typedef {import("../../model/mirror/types.js").Saved} Saved
 * @typedef {import("../drawer/filter.js").Item} Item
 */

/**
 * @template T
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: T) => number|string} key what rows are put in order by: numbers the largest first
 * @property {(row: T) => import("../dom.js").Child} cell
 * @property {string} [look] class of its cells
 */

/** @param {Cut} cut */
export function savedTable(cut) {
  return sortedTable("facts-table mirror-rows", columnsOf(cut), cut.saved, 1, (each) =>
    [title(each), each.name, each.module, each.kind, ...each.reasons.map((reason) => REASONS[reason])].join(" "),
  );
}

/** @param {Cut} cut @returns {Column<Saved>[]} */
function columnsOf(cut) {
  return [
    {
      title: "Tensor",
      key: (each) => each.label,
      cell: (each) =>
        el(
          "span",
          {},
          nodeLink(cut.forward, each.name),
          each.label !== each.name && el("span", { class: "muted" }, ` ${each.label}`),
        ),
    },
    {
      title: "Bytes",
      key: (each) => each.bytes ?? -1,
      cell: (each) => (each.storage < 0 ? "" : size(each.bytes)),
      look: "number",
    },
    { title: "Type", key: (each) => each.type, cell: (each) => el("code", {}, each.type) },
    { title: "Module", key: (each) => each.module, cell: (each) => each.module || el("span", { class: "muted" }, "(root)") },
    { title: "Memory", key: (each) => each.storage, cell: (each) => el("span", { class: "muted" }, memory(cut, each)) },
    { title: "Read by", key: (each) => each.readers.length, cell: (each) => readersOf(cut, each) },
    {
      title: "Why not recomputed",
      key: (each) => each.reasons[0],
      cell: (each) => el("span", { title: each.said && `torch: ${each.said}` }, REASONS[each.reasons[0]]),
    },
  ];
}

/** @param {Cut} cut @param {Saved} saved */
function readersOf(cut, { readers }) {
  if (readers.length === 0) return el("span", { class: "muted" }, "nothing");
  const name = graphs.get().get(cut.backward)?.name[readers[0]];
  const words = readers.length === 1 && name ? name : `${readers.length} node${readers.length === 1 ? "" : "s"}`;
  return button(words, {
    class: "link node-link",
    title: "Select what reads it",
    onclick: () => selectNodes(cut.backward, readers),
  });
}

/**
 * A table whose heads put its rows in order; the rows are listed by whoever is given them.
 * @template T
 * @param {string} look @param {readonly Column<T>[]} columns @param {readonly T[]} rows @param {number} first column to order by
 * @param {(row: T) => string} text what a filter looks in
 */
export function sortedTable(look, columns, rows, first, text) {
  let by = first;
  let turned = false;
  /** @type {(items: Item[]) => void} */
  let list = () => {};
  const heads = columns.map((column, i) =>
    el(
      "th",
      { scope: "col", class: column.look ?? null },
      button(column.title, {
        class: "link mirror-order",
        onclick: () => {
          turned = by === i && !turned;
          by = i;
          order();
        },
      }),
    ),
  );
  const items = rows.map((row) => ({
    row,
    text: text(row),
    make: () => el("tr", {}, ...columns.map((column) => el("td", { class: column.look ?? null }, column.cell(row)))),
  }));
  const body = el("tbody", {});
  const order = () => {
    const { key } = columns[by];
    const sign = turned ? -1 : 1;
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== by ? "none" : turned ? "ascending" : "descending"));
    list([...items].sort((a, b) => sign * before(key(a.row), key(b.row))));
  };
  return {
    element: el("table", { class: look }, el("thead", {}, el("tr", {}, ...heads)), body),
    body,
    /** @param {(items: Item[]) => void} use */
    onOrder: (use) => {
      list = use;
      order();
    },
  };
}

/** Numbers the largest first, words by the alphabet. @param {number|string} a @param {number|string} b */
function before(a, b) {
  return typeof a === "number" && typeof b === "number" ? b - a : String(a).localeCompare(String(b), "en", { numeric: true });
}
