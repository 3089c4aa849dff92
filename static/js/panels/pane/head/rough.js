// Under a pane's head: that a drawing was not untangled as far as it could be, why, and how to get it neat.

import { button, el, fill } from "../../dom.js";
import { count } from "../../format.js";

export class Rough {
  constructor() {
    this.element = el("div", { class: "pane-rough", role: "status", hidden: true });
  }

  /**
   * @param {{nodes: number, groups: number, seconds: number}|null} rough `groups`: so many of the drawing are not as they could be;
   *   null: all are
   * @param {() => void} onNeat lays out once more, however long it takes
   */
  say(rough, onNeat) {
    this.element.hidden = rough === null;
    if (!rough) return fill(this.element);
    const part = rough.groups > 1 ? ` in ${count(rough.groups)} groups` : "";
    const words = `Laid out roughly${part}: ${count(rough.nodes)} nodes take more than ${rough.seconds} s here. Nothing is missing, but lines cross and bend more than they need to.`;
    fill(
      this.element,
      el("span", { class: "rough-words" }, words),
      button("Lay out neatly", { class: "small", title: "Takes as long as it takes; the page stays usable", onclick: onNeat }),
    );
  }
}
