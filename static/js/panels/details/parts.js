// What the details are made of: sections, rows, links to nodes.

import { select } from "../../state.js";
import { button, el, stops } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/** @param {string} title @param {Child[]} children @returns {HTMLElement|null} null when there is nothing in it */
export function section(title, ...children) {
  const present = children.filter((child) => child !== null && child !== undefined && child !== false && child !== "");
  return present.length ? el("section", { class: "fact" }, el("h3", {}, title), ...present) : null;
}

/** Names with values; rows without a value are left out. @param {[string, Child][]} rows @returns {HTMLElement|null} */
export function pairs(rows) {
  const present = rows.filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
  if (!present.length) return null;
  return el("dl", { class: "pairs" }, ...present.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

/** @param {string} gid @param {string} name */
export function nodeLink(gid, name) {
  return button(name, { class: "link node-link", title: `Select ${name}`, onclick: () => select(gid, [name]) });
}

/**
 * An argument as Python writes it, each node name in it a link.
 * @param {string} gid @param {string} text @param {readonly string[]} refs
 */
export function linkedText(gid, text, refs) {
  const names = new Set(refs);
  const parts = text.split(/([A-Za-z_]\w*)/);
  return el("code", { class: "argument" }, ...parts.map((part) => (names.has(part) ? nodeLink(gid, part) : part)));
}

/** A list that shows its first entries and the rest on demand. @template T @param {readonly T[]} items @param {number} first @param {(item: T) => HTMLElement} row */
export function longList(items, first, row) {
  const list = el("ul", { class: "plain long-list" });
  const add = (/** @type {number} */ from, /** @type {number} */ to) =>
    list.append(...items.slice(from, to).map((item) => el("li", {}, row(item))));
  add(0, first);
  if (items.length > first) {
    const more = el(
      "li",
      {},
      button(`Show all ${items.length}`, {
        class: "link",
        onclick: () => {
          more.remove();
          add(first, items.length);
          stops(list.children[first])[0]?.focus(); // the button is gone
        },
      }),
    );
    list.append(more);
  }
  return list;
}
