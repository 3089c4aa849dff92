// A row of tabs over one panel, as ARIA asks: arrow keys move between tabs, one tab stop for the row.

import { el } from "./dom.js";

/**
 * @typedef {{id: string, title: string, panel: HTMLElement}} Tab
 */

/**
 * @param {HTMLElement} row @param {Tab[]} tabs
 * @param {{label: string, onPick: (id: string) => void}} options
 * @returns {{show: (id: string) => void, hide: (id: string, hidden: boolean) => void, say: (id: string, text: string) => void, focus: (id: string) => void}}
 *   `show` marks the open one, "" for none; `hide` takes one away; `say` puts a count beside a title; `focus` goes to one
 */
export function tabRow(row, tabs, { label, onPick }) {
  const list = el("div", { role: "tablist", class: "tabs", "aria-label": label });
  const counts = new Map(tabs.map((tab) => [tab.id, el("span", { class: "tab-count" })]));
  const buttons = tabs.map((tab) => {
    tab.panel.id ||= `panel-${tab.id}`;
    tab.panel.setAttribute("role", "tabpanel");
    tab.panel.setAttribute("aria-label", tab.title);
    return el(
      "button",
      {
        type: "button",
        role: "tab",
        class: "tab",
        id: `tab-${tab.panel.id}`,
        "aria-controls": tab.panel.id,
        onclick: () => onPick(tab.id),
      },
      tab.title,
      counts.get(tab.id),
    );
  });
  list.append(...buttons);
  row.prepend(list);
  list.addEventListener("keydown", (event) => {
    const there = buttons.filter((each) => !each.hidden);
    const at = there.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    event.stopPropagation();
    there[(at + step + there.length) % there.length].focus();
  });
  return {
    show: (id) =>
      tabs.forEach((tab, i) => {
        const open = tab.id === id;
        buttons[i].setAttribute("aria-selected", String(open));
        buttons[i].tabIndex = open || (id === "" && i === 0) ? 0 : -1;
        tab.panel.hidden = !open;
        if (open) requestAnimationFrame(() => middle(list, buttons[i]));
      }),
    hide: (id, hidden) => {
      const at = tabs.findIndex((tab) => tab.id === id);
      if (at >= 0) buttons[at].hidden = hidden;
    },
    say: (id, text) => {
      const at = counts.get(id);
      if (at) at.textContent = text;
    },
    focus: (id) => buttons[tabs.findIndex((tab) => tab.id === id)]?.focus(),
  };
}

/** On a phone not all tabs fit. Asked in a frame, where the page is laid out anyway. @param {HTMLElement} list @param {HTMLElement} tab */
function middle(list, tab) {
  list.scrollTo({ left: tab.offsetLeft - list.clientWidth / 2 + tab.offsetWidth / 2 });
}
