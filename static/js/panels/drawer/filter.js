// A search field over a long list: only what fits the words is made into rows, and only so many at once.

import { button, el, fill } from "../dom.js";
import { count } from "../format.js";

const SHOWN = 300;

/** @typedef {{text: string, make: () => HTMLElement}} Item */

/**
 * @param {string} label @param {HTMLElement} host of the rows
 * @param {() => void} [onShown] after rows were put into the host
 * @returns {{field: HTMLElement, over: (items: Item[]) => void}} `over` says what is listed now
 */
export function filterField(label, host, onShown = () => {}) {
  /** @type {(Item & {lower: string})[]} */
  let all = [];
  let most = SHOWN;
  const input = el("input", { type: "search", class: "filter", placeholder: label, "aria-label": label });
  const said = el("span", { class: "muted", role: "status" });
  const more = button("", { class: "link", onclick: () => showAll() });
  const show = (/** @type {number} */ limit) => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = all.filter(({ lower }) => words.every((word) => lower.includes(word)));
    fill(host, ...fitting.slice(0, limit).map(({ make }) => make()));
    said.textContent = words.length ? `${count(fitting.length)} of ${count(all.length)}` : "";
    more.hidden = fitting.length <= limit;
    more.textContent = `Show all ${count(fitting.length)}, not only the first ${count(SHOWN)}`;
    onShown();
  };
  const showAll = () => {
    show((most = Infinity));
    input.focus(); // the button is gone
  };
  input.addEventListener("input", () => show(most));
  return {
    field: el("div", { class: "filter-row" }, input, said, more),
    over: (items) => {
      all = items.map((item) => ({ ...item, lower: item.text.toLowerCase() }));
      show(most);
    },
  };
}
