/** The tooltip over the canvas: shown a moment after the pointer rests, gone when it moves on. */

/** @typedef {{text: string, look: "" | "is-type" | "is-detail"}} TipLine */

const DELAY_MS = 350;
const GAP_PX = 14;

/** Owns one element in the host. */
export class Tooltip {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.element = document.createElement("div");
    this.element.className = "graph-tooltip";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
    host.append(this.element);
    this.waiting = 0;
  }

  /** @param {readonly TipLine[]} lines @param {{x: number, y: number}} at CSS pixels in the host */
  show(lines, at) {
    this.hide();
    this.waiting = window.setTimeout(() => this.put(lines, at), DELAY_MS);
  }

  /** @param {readonly TipLine[]} lines @param {{x: number, y: number}} at */
  put(lines, at) {
    this.element.replaceChildren(...lines.map(({ text, look }) => {
      const line = document.createElement("div");
      line.className = look;
      line.textContent = text;
      return line;
    }));
    this.element.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.element;
    const x = Math.max(8, Math.min(at.x + GAP_PX, this.host.clientWidth - w - 8));
    const below = at.y + GAP_PX;
    const y = below + h + 8 <= this.host.clientHeight ? below : Math.max(8, at.y - GAP_PX - h);
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  hide() {
    window.clearTimeout(this.waiting);
    this.element.hidden = true;
  }

  end() {
    this.hide();
    this.element.remove();
  }
}
