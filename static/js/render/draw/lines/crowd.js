/** What stands in the way of a label: rectangles in a grid of cells. */

/** @typedef {import("../../lens/camera.js").Rect} Rect */

/** World units; a label is about as wide. */
const CELL = 96;
/** More cells than this for one rectangle: a long line, of which only the part in sight matters. */
const MOST_CELLS = 64;

/** Half the width of a line, and a little. */
const THIN = 1.5;

/** Made anew for every picture. */
export class Crowd {
  /** @param {Rect} view nothing outside of it is kept */
  constructor(view) {
    this.view = view;
    /** Six numbers a rectangle: left, top, right, bottom, whose line it is, whether only its border counts. @type {number[]} */
    this.rects = [];
    /** @type {Map<number, number[]>} */
    this.cells = new Map();
  }

  /**
   * @param {number} x @param {number} y @param {number} w @param {number} h @param {number} owner whose line it is; -1: no line
   * @param {boolean} [hollow] what lies wholly inside is not in its way
   */
  add(x, y, w, h, owner, hollow = false) {
    const { view } = this;
    const left = Math.max(x, view.x);
    const top = Math.max(y, view.y);
    const right = Math.min(x + w, view.x + view.w);
    const bottom = Math.min(y + h, view.y + view.h);
    if (left > right || top > bottom) return;
    const at = this.rects.push(x, y, x + w, y + h, owner, hollow ? 1 : 0) - 6;
    let cells = 0;
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++)
      for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++) {
        if (hollow && ++cells > MOST_CELLS) return;
        const key = row * 65536 + column;
        const list = this.cells.get(key);
        if (list) list.push(at);
        else this.cells.set(key, [at]);
      }
  }

  /**
   * Is a rectangle free of everything but its owner's lines that run along through its middle?
   * @param {Rect} rect @param {number} owner -1: nobody's @param {boolean} [upright] do they run down?
   */
  isFree({ x, y, w, h }, owner, upright = true) {
    const { rects } = this;
    const middle = upright ? x + w / 2 : y + h / 2;
    const axis = upright ? 0 : 1;
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + h) / CELL); row++)
      for (let column = Math.floor(x / CELL); column <= Math.floor((x + w) / CELL); column++)
        for (const at of this.cells.get(row * 65536 + column) ?? []) {
          if (rects[at + 4] === owner && owner >= 0 && rects[at + axis] >= middle - THIN && rects[at + axis + 2] <= middle + THIN) continue;
          if (x >= rects[at + 2] || y >= rects[at + 3] || x + w <= rects[at] || y + h <= rects[at + 1]) continue;
          if (rects[at + 5] && x > rects[at] && y > rects[at + 1] && x + w < rects[at + 2] && y + h < rects[at + 3]) continue;
          return false;
        }
    return true;
  }
}
