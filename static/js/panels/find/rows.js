// Rows of the list under the search field: what was found, and what may be typed.

import { el } from "../dom.js";
import { count, counted } from "../format.js";
import { nodeTitle } from "../details/several.js";
import { swatch } from "../pane/swatch.js";

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/search/suggest.js").Suggestion} Suggestion
 */

/** @param {number} index among all rows @param {boolean} current @param {string} look */
function option(index, current, look) {
  return el("li", { role: "option", id: `hit-${index}`, class: look, "data-row": index, "aria-selected": String(current) });
}

/** @param {GraphModel} model @param {readonly number[]} nodes one, or one for every step of a pattern @param {number} index @param {boolean} current */
export function placeRow(model, nodes, index, current) {
  if (nodes.length > 1) return patternRow(model, nodes, index, current);
  const [node] = nodes;
  const row = option(index, current, "is-node");
  row.append(
    swatch(model.kindOf(node)),
    el("span", { class: "hit-name cut", title: model.name[node] }, nodeTitle(model, node)),
    el("span", { class: "muted cut" }, model.modulePathOf(node) || model.targetOf(node)),
    el("code", { class: "muted cut" }, model.typeOf(node)),
  );
  return row;
}

/** @param {GraphModel} model @param {readonly number[]} nodes @param {number} index @param {boolean} current */
function patternRow(model, nodes, index, current) {
  const row = option(index, current, "is-pattern");
  row.title = nodes.map((node) => model.name[node]).join(", ");
  nodes.forEach((node, step) => {
    const arrow = step && (node > nodes[step - 1] ? "→" : "←"); // a node reads what stands before it
    if (arrow) row.append(el("span", { class: "muted" }, arrow));
    row.append(
      el("span", { class: "hit-step" }, swatch(model.kindOf(node)), el("span", { class: "hit-name" }, nodeTitle(model, node))),
    );
  });
  row.append(el("span", { class: "muted cut hit-where" }, model.modulePathOf(nodes[0])));
  return row;
}

/** @param {Suggestion} suggestion @param {number} index @param {boolean} current */
export function suggestionRow({ text, what, count: nodes }, index, current) {
  const row = option(index, current, "is-hint");
  row.append(
    el("code", { class: "cut" }, text),
    el("span", { class: "muted cut", title: what }, nodes < 0 ? what : counted(nodes, "node")),
  );
  return row;
}

/** What the field says of its list. @param {number} at -1: at no row @param {number} all @param {boolean} more */
export function foundWords(at, all, more) {
  const many = `${count(all)}${more ? "+" : ""}`;
  return at >= 0 ? `${count(at + 1)} of ${many}` : `${many} found`;
}
