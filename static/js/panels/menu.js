// A button that opens a list. It closes when the focus leaves it, and by Escape, which gives the focus back to the button.
//
// The list stands in the top layer, so that no pane cuts it, below its button or where there is more room above it. A menu
// in the list of another one unfolds in it.

import { el } from "./dom.js";

/** Free between the list and its button, and between it and the edges of the window. */
const GAP = 4;
const EDGE = 8;

/**
 * @param {string} name class, beside `menu` @param {string} title of the button @param {(Node|string)[]} face what the button shows
 * @param {HTMLElement} list
 */
export function menu(name, title, face, list) {
  const button = el("summary", { class: "button", title }, ...face);
  const element = el("details", { class: `menu ${name}` }, button, list);
  const close = () => {
    element.open = false;
    button.focus();
  };
  const follow = () => place(list, button);
  element.addEventListener("toggle", () => {
    window.removeEventListener("resize", follow);
    if (!element.open || element.parentElement?.closest(".menu-list")) return list.removeAttribute("popover");
    list.setAttribute("popover", "manual");
    list.showPopover();
    follow();
    window.addEventListener("resize", follow);
  });
  element.addEventListener("focusout", (event) => {
    if (!element.contains(/** @type {Node|null} */ (event.relatedTarget))) element.open = false;
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    close();
    event.stopPropagation();
  });
  return { element, close };
}

/**
 * Where it opens it stays, also when it unfolds: what does not fit is scrolled to.
 * @param {HTMLElement} list @param {HTMLElement} button
 */
function place(list, button) {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { style } = list;
  style.maxHeight = "";
  const below = innerHeight - bottom - GAP - EDGE;
  const above = top - GAP - EDGE;
  const under = below >= Math.min(list.offsetHeight, above);
  style.maxHeight = `${under ? below : above}px`;
  style.top = under ? `${bottom + GAP}px` : "auto";
  style.bottom = under ? "auto" : `${innerHeight - top + GAP}px`;
  style.left = `${Math.max(Math.min(right, innerWidth - EDGE) - list.offsetWidth, EDGE)}px`;
}
