// The tab "Op surface" of the drawer: which operators each stage calls and how often, which of them are core, what each became.

import { wordsOf } from "../../base/errors.js";
import { getOperators } from "../../api.js";
import { isLive, parseShow } from "../../model/capture.js";
import { active, activeShow, capture, drawer, panes } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { filterField } from "../drawer/filter.js";
import { counted } from "../format.js";
import { headOf, rowOf } from "./rows.js";
import { surfaceRows } from "./sorted.js";

/** @param {HTMLElement} host */
export function mountSurface(host) {
  new SurfaceTable(host);
}

class SurfaceTable {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.body = el("tbody", {});
    this.filter = filterField("Filter the operators", this.body);
    this.leftOnly = false;
    this.left = button("", { class: "small", onclick: () => this.toggle() });
    this.filter.field.append(this.left);
    this.head = el("thead", {});
    this.table = el("table", { class: "facts-table surface" }, this.head, this.body);
    this.shown = "";
    /** @type {Api.TargetOperators|null} */
    this.target = null;
    for (const each of [drawer, capture, panes, active]) each.subscribe(() => this.update());
    this.update();
  }

  update() {
    const now = capture.get();
    if (!now || drawer.get() !== "operators") return;
    const wanted = parseShow(activeShow()).target || now.targets[0]?.id || "";
    const stages = isLive(now) ? now.targets.flatMap((each) => each.stages.map((stage) => stage.status)) : [];
    const key = JSON.stringify([now.status, stages, wanted]);
    if (key === this.shown) return;
    this.shown = key;
    if (!this.target) this.say("Counting the operators…");
    this.fetch(now.id, wanted, key).catch((error) => {
      if (this.shown !== key) return;
      this.shown = "";
      this.say(wordsOf(error));
    });
  }

  /** @param {string} id of the capture @param {string} wanted target @param {string} key */
  async fetch(id, wanted, key) {
    const { targets } = await getOperators(id);
    if (this.shown !== key) return;
    this.target = targets.find((each) => each.id === wanted) ?? targets[0] ?? null;
    if (!this.target?.stages.length) return this.say("No stage has a graph yet, so no operator was called.");
    fill(this.head, headOf(this.target));
    fill(this.host, this.filter.field, el("div", { class: "surface-scroll" }, this.table));
    this.list();
  }

  list() {
    const target = /** @type {Api.TargetOperators} */ (this.target);
    const rows = surfaceRows(target);
    const left = rows.filter((row) => row.left.length > 0);
    this.left.textContent = left.length ? `${counted(left.length, "operator")} left outside the core set` : "";
    this.left.hidden = left.length === 0;
    this.leftOnly &&= left.length > 0;
    this.left.setAttribute("aria-pressed", String(this.leftOnly));
    this.filter.over(
      (this.leftOnly ? left : rows).map((row) => ({
        text: [row.label, ...row.targets, ...row.became.flatMap(({ into }) => into.map(({ op }) => op))].join(" "),
        make: () => rowOf(target, row),
      })),
    );
  }

  toggle() {
    this.leftOnly = !this.leftOnly;
    this.list();
  }

  /** @param {string} words */
  say(words) {
    fill(this.host, el("p", { class: "empty muted", role: "status" }, words));
  }
}
