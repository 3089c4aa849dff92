// One row of the outline.

import { nodeWords } from "../../../model/outline/words.js";
import { nodeTitle } from "../../details/several.js";
import { el } from "../../dom.js";
import { swatch } from "../../pane/swatch.js";

/**
 * @typedef {{drawn: import("./shown.js").Drawn, rows: import("../../../model/outline/rows.js").Rows, chosen: ReadonlySet<number>,
 *   group: number, found: ReadonlySet<number>, at: number}} Shown `chosen`: selected nodes; `group`: the selected one; `found`: by the
 *   search; `at`: the current row
 */

/** @param {Shown} shown @param {number} row */
export function outlineRow(shown, row) {
  const { rows, at, chosen, group: selected } = shown;
  const [node, group] = [rows.node[row], rows.group[row]];
  const item = el("li", {
    role: "treeitem",
    id: `outline-${row}`,
    class: row === at ? "is-at" : null,
    "aria-level": rows.level[row],
    "aria-posinset": rows.place[row],
    "aria-setsize": rows.size[row],
    "aria-selected": String(node >= 0 ? chosen.has(node) : group === selected),
    "data-row": row,
  });
  const line = el(
    "div",
    { class: "outline-line" },
    ...(node >= 0 ? nodeParts(item, shown, node) : groupParts(item, shown, group)),
  );
  line.style.paddingLeft = `${8 + (rows.level[row] - 1) * 14}px`;
  item.append(line);
  return item;
}

/** @param {HTMLElement} item @param {Shown} shown @param {number} group */
function groupParts(item, { drawn: { texts, open } }, group) {
  const { title, detail } = texts(group);
  item.dataset.group = String(group);
  item.setAttribute("aria-expanded", String(open[group] === 1));
  return [
    el("span", { class: "chevron" }),
    el("strong", { class: "cut" }, title),
    unseen(", "),
    el("span", { class: "muted cut" }, detail),
  ];
}

/** @param {HTMLElement} item @param {Shown} shown @param {number} node */
function nodeParts(item, { drawn: { model }, found }, node) {
  const { is, type, links } = nodeWords(model, node);
  item.dataset.node = String(node);
  item.classList.toggle("is-found", found.has(node));
  return [
    swatch(model.kindOf(node)),
    el("span", { class: "cut", title: model.name[node] }, nodeTitle(model, node)),
    unseen(`, ${is}${type && "; "}`),
    el("code", { class: "muted cut" }, type),
    unseen(`; ${links}.${found.has(node) ? " Found." : ""}`),
  ];
}

/** For those who hear the row. @param {string} text */
function unseen(text) {
  return el("span", { class: "visually-hidden" }, text);
}
