// A button that opens a list. It closes when the focus leaves it, and by Escape, which gives the focus back to the button.

import { el } from "./dom.js";

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
