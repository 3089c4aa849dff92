// The charts tab: one chart at a time, of the target in the active pane. Nothing is loaded until it is opened.

import { wordsOf } from "../../base/errors.js";
import { getChart, getCharts } from "../../api.js";
import { isLive, parseShow } from "../../model/capture.js";
import { active, activeShow, capture, drawer, panes, tell } from "../../state.js";
import { openNodes } from "../../state/kin.js";
import { shownFirst } from "../../state/need.js";
import { button, el, fill } from "../dom.js";
import { counted, sentence } from "../format.js";
import { Canvas } from "./canvas.js";

/** @param {HTMLElement} host */
export function mountCharts(host) {
  new Charts(host);
}

class Charts {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.names = el("div", { class: "chart-names", role: "group", "aria-label": "Charts" });
    this.text = el("p", { class: "muted chart-text" });
    this.said = el("p", { class: "empty muted", role: "status" });
    this.canvas = new Canvas((nodes) => choose(nodes));
    fill(host, el("div", { class: "chart-bar" }, this.names, this.text), this.said, this.canvas.element);
    /** @type {Promise<{script: string, charts: Api.ChartHead[]}>|null} */
    this.listed = null;
    /** What is drawn, or on its way. */
    this.shown = "";
    for (const each of [drawer, capture, panes, active]) each.subscribe(() => this.update());
    this.update();
  }

  update() {
    const now = capture.get();
    const [tab, chosen] = drawer.get().split(".");
    if (!now || tab !== "charts") return;
    const target = parseShow(activeShow()).target || now.targets[0]?.id || "";
    const stages = isLive(now) ? now.targets.flatMap((each) => each.stages.map((stage) => stage.status)) : [];
    const key = JSON.stringify([chosen, target, now.status, stages]);
    if (key === this.shown) return;
    this.shown = key;
    this.show(now.id, chosen ?? "", target, key).catch((error) => {
      if (this.shown !== key) return;
      this.shown = "";
      this.say(wordsOf(error));
    });
  }

  /** @param {string} id of the capture @param {string} chosen chart, "" for the first @param {string} target @param {string} key */
  async show(id, chosen, target, key) {
    if (!this.canvas.drawn) this.say("Loading the charts…");
    this.listed ??= getCharts(id);
    const { script, charts } = await this.listed.catch((error) => {
      this.listed = null;
      throw error;
    });
    const head = charts.find((each) => each.name === chosen) ?? charts[0];
    this.mark(charts, head);
    const figure = await getChart(id, head.name, target);
    if (this.shown !== key) return;
    if (figure.data.length === 0) return this.say(sentence(String(figure.layout.meta?.reason ?? "There is nothing to draw")));
    await this.canvas.load(script);
    if (this.shown !== key) return;
    this.say("");
    await this.canvas.draw(figure, `${head.title}. ${head.text}`);
  }

  /** @param {Api.ChartHead[]} charts @param {Api.ChartHead} shown */
  mark(charts, shown) {
    if (!this.names.childElementCount)
      fill(
        this.names,
        ...charts.map((each) =>
          button(each.title, { class: "small", "data-chart": each.name, onclick: () => drawer.set(`charts.${each.name}`) }),
        ),
      );
    for (const each of this.names.querySelectorAll("button"))
      each.setAttribute("aria-pressed", String(each.dataset.chart === shown.name));
    this.text.textContent = shown.text;
  }

  /** Words in place of a chart. @param {string} words "" for none */
  say(words) {
    this.said.textContent = words;
    this.said.hidden = words === "";
    this.canvas.element.hidden = words !== "";
  }
}

/** Selects what a bar or tile stands for, in one of its graphs. @param {Api.Picked} nodes */
function choose(nodes) {
  const gid = shownFirst(nodes.map(([each]) => each))[0];
  const own = nodes.find(([each]) => each === gid)?.[1];
  if (!own?.length) return;
  openNodes(gid, own);
  if (nodes.length > 1) {
    const rest = nodes.reduce((sum, [each, its]) => sum + (each === gid ? 0 : its.length), 0);
    tell(`${counted(own.length, "node")} of ${gid} selected; ${rest} more in ${counted(nodes.length - 1, "other graph")}`);
  }
}
