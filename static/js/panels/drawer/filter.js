// A search field over a list of rows: rows without the words are hidden.

import { el } from "../dom.js";

/**
 * @param {string} label
 * @returns {{field: HTMLElement, over: (rows: {row: HTMLElement, text: string}[]) => void}} `over` says which rows it filters now
 */
export function filterField(label) {
  /** @type {{row: HTMLElement, text: string}[]} */
  let now = [];
  const input = el("input", { type: "search", class: "filter", placeholder: label, "aria-label": label });
  const said = el("span", { class: "muted" });
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const { row, text } of now) {
      const fits = words.every((word) => text.includes(word));
      row.hidden = !fits;
      left += fits ? 1 : 0;
    }
    said.textContent = words.length ? `${left} of ${now.length}` : "";
  };
  input.addEventListener("input", apply);
  return {
    field: el("div", { class: "filter-row" }, input, said),
    over: (rows) => {
      now = rows.map(({ row, text }) => ({ row, text: text.toLowerCase() }));
      apply();
    },
  };
}
