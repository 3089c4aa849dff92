// In a pane's head: what a narrow pane has no room for stands in a list behind "More", with its words beside it.

import { el } from "../../dom.js";
import { icon } from "../../icon.js";
import { menu } from "../../menu.js";

/** @typedef {{element: HTMLElement, room: number}} Part `room`: of so many pixels a pane has it in its head */

export class More {
  /** @param {Part[]} parts from left to right */
  constructor(parts) {
    this.parts = parts;
    this.list = el("div", { class: "menu-list more-list", role: "group", "aria-label": "More of this pane" });
    this.menu = menu("more", "More", [icon("more")], this.list);
    this.element = this.menu.element;
    this.away = -1;
    // What was asked for is done: the list has nothing more to say.
    this.list.addEventListener("click", ({ target }) => {
      if (!(target instanceof Element) || !target.closest("button, a")) return;
      if (this.element.contains(document.activeElement)) this.menu.close();
      else this.element.open = false;
    });
  }

  /** Puts every part where a pane of that width has it. @param {number} width in pixels */
  arrange(width) {
    const away = this.parts.filter(({ room }) => width < room).length;
    if (away === this.away) return;
    this.away = away;
    this.element.open = false;
    this.element.hidden = away === 0;
    for (const { element, room } of this.parts) {
      if (width < room) this.list.append(element);
      else this.element.before(element);
    }
  }

  /** Follows the width of a pane for as long as it is in the page. @param {Element} pane */
  watch(pane) {
    new ResizeObserver(([{ contentRect }]) => contentRect.width > 0 && this.arrange(contentRect.width)).observe(pane);
  }
}
