// Where plotly.js draws. The page's Content-Security-Policy allows it: see Note [plotly and the policy].

import { el } from "../dom.js";
import { themed } from "./themed.js";

/**
 * Note [plotly and the policy]
 *
 * `style-src 'self'` forbids style elements and style attributes, but not styles set by script, which is what plotly.js mostly does. It
 * makes two style elements: one for itself, unless there is an element of that id and the class `no-inline-styles` (the link to
 * css/charts.css in the page); one for its maps, unless there is an element of that id, so one is put there. It makes style
 * attributes of tags in texts (<b>, <i>, <span>, ...): figures have none. `script-src 'self'` forbids eval: none of what the
 * charts use needs it. A test holds that nothing of this is reported.
 */
const MAP_STYLE_ID = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/** What of plotly.js is used. @typedef {{react: Function, purge: Function, Plots: {resize: Function}}} Plotly */

/** @type {Promise<Plotly>|null} */
let loading = null;

/** @param {string} address @returns {Promise<Plotly>} */
function loadPlotly(address) {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(el("meta", { id: MAP_STYLE_ID }));
    const script = el("script", {
      src: address,
      onload: () => resolve(/** @type {any} */ (window).Plotly),
      onerror: () => {
        loading = null;
        script.remove();
        reject(new Error("What draws the charts could not be loaded. Load the page again."));
      },
    });
    document.head.append(script);
  });
  return loading;
}

const CONFIG = Object.freeze({ displayModeBar: false, showTips: false, doubleClick: false });

/** One chart. */
export class Canvas {
  /** @param {(nodes: Api.Picked) => void} onPick */
  constructor(onPick) {
    this.onPick = onPick;
    this.plot = el("div", { class: "chart-plot" });
    this.element = el("div", { class: "chart", role: "img" }, this.plot);
    /** @type {Plotly|null} */
    this.plotly = null;
    /** @type {Api.Figure|null} */
    this.figure = null;
    this.drawn = false;
    window.addEventListener("themechange", () => this.paint());
    new ResizeObserver(() => {
      if (this.drawn && this.plot.clientWidth && this.plot.clientHeight) this.plotly?.Plots.resize(this.plot);
    }).observe(this.plot);
  }

  /** @param {string} address of plotly.js */
  async load(address) {
    this.plotly = await loadPlotly(address);
  }

  /** @param {Api.Figure} figure @param {string} words what it shows */
  async draw(figure, words) {
    if (this.figure && this.figure.data[0]?.type !== figure.data[0]?.type) this.clear();
    this.figure = figure;
    this.element.setAttribute("aria-label", words);
    await this.paint();
  }

  /** Another kind of chart begins with nothing of the one before. */
  clear() {
    this.plotly?.purge(this.plot);
    this.drawn = false;
  }

  async paint() {
    if (!this.plotly || !this.figure) return;
    const style = getComputedStyle(document.documentElement);
    const { data, layout } = themed(this.figure, (name) => style.getPropertyValue(name).trim());
    const first = !this.drawn;
    this.drawn = true;
    await this.plotly.react(this.plot, data, layout, CONFIG);
    if (first) this.listen();
  }

  listen() {
    const plot = /** @type {any} */ (this.plot);
    const over = (/** @type {boolean} */ is) => this.plot.classList.toggle("is-over", is);
    plot.on("plotly_click", (/** @type {any} */ event) => this.onPick(event.points[0]?.customdata ?? []));
    plot.on("plotly_hover", (/** @type {any} */ event) => over((event.points[0]?.customdata ?? []).length > 0));
    plot.on("plotly_unhover", () => over(false));
  }
}
