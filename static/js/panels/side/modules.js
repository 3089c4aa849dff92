// The modules tab: an outline of the active graph as an accessible tree, modules with their nodes in execution order. It is
// also the way through the graph without sight of the canvas.

import { nodesInside } from "../../model/kin/inside.js";
import { groupTexts } from "../../model/texts.js";
import {
  activeGrouping,
  hovered,
  onActiveGraph,
  panes,
  select,
  selectGroup,
  selectedIn,
  selection,
  side,
  treeOf,
} from "../../state.js";
import { hover } from "../../state/kin.js";
import { button, el, fill } from "../dom.js";
import { swatch } from "../pane/swatch.js";
import { nodeTitle } from "../details/several.js";
import { groupsAround, outlineOf } from "./outline.js";
import { treeKeys } from "./treekeys.js";

const STEP = 300;

/**
 * @typedef {import("../../model/graph.js").GraphModel} GraphModel
 * @typedef {import("../../model/types.js").GroupTree} GroupTree
 * @typedef {import("./outline.js").Entry} Entry
 */

/** @param {HTMLElement} host */
export function mountModules(host) {
  new Outline(host);
}

class Outline {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    /** @type {GraphModel|null} */
    this.model = null;
    onActiveGraph((model) => this.build(model));
    selection.subscribe(() => this.mark());
    side.subscribe(() => {
      if (side.get() === "modules") this.build(this.model);
    });
    panes.subscribe(() => {
      if (this.tree && this.tree.by !== activeGrouping()) this.build(this.model);
    });
  }

  /** @param {GraphModel|null} model */
  build(model) {
    if (side.get() !== "modules") {
      this.model = model;
      this.tree = undefined;
      return;
    }
    if (model && model === this.model && this.tree?.by === activeGrouping()) return this.mark();
    this.model = model;
    if (!model)
      return fill(this.host, el("p", { class: "empty muted" }, "The modules of a graph, and their nodes, are listed here."));
    this.tree = treeOf(model, activeGrouping());
    this.inside = outlineOf(model, this.tree);
    /** @type {Map<number, HTMLElement>} */
    this.groups = new Map();
    /** @type {Map<number, HTMLElement>} */
    this.nodes = new Map();
    this.top = el("ul", { role: "tree", class: "outline", "aria-label": `Outline of ${model.id}` });
    this.top.addEventListener("pointerover", (event) => this.point(/** @type {HTMLElement} */ (event.target)));
    this.top.addEventListener("pointerleave", () => hovered.set(null));
    treeKeys(this.top, { toggle: (item, open) => this.toggle(item, open), choose: (item) => this.choose(item) });
    this.append(this.top, 0, 1, 0);
    this.top.querySelector('[role="treeitem"]')?.setAttribute("tabindex", "0");
    fill(this.host, this.top);
    this.mark();
  }

  /** Adds a group's content, the first 300 entries of it. @param {HTMLElement} list @param {number} group @param {number} level @param {number} from */
  append(list, group, level, from) {
    const all = this.inside?.[group] ?? [];
    for (const entry of all.slice(from, from + STEP))
      list.append(entry.group >= 0 ? this.groupItem(entry.group, level) : this.nodeItem(entry.node, level));
    if (all.length > from + STEP) {
      const more = el(
        "li",
        { role: "none" },
        button(`Show ${Math.min(STEP, all.length - from - STEP)} more of ${all.length}`, {
          class: "link outline-more",
          onclick: () => {
            more.remove();
            this.append(list, group, level, from + STEP);
          },
        }),
      );
      list.append(more);
    }
  }

  /** @param {number} group @param {number} level */
  groupItem(group, level) {
    const { title, detail } = groupTexts(/** @type {GroupTree} */ (this.tree), group);
    const item = el("li", {
      role: "treeitem",
      tabindex: "-1",
      "aria-level": level,
      "aria-expanded": "false",
      "aria-selected": "false",
      "data-group": group,
      "aria-label": `${title}, ${detail}`,
    });
    item.append(
      this.line(
        level,
        el("span", { class: "chevron", "aria-hidden": "true" }),
        el("strong", { class: "cut" }, title),
        el("span", { class: "muted cut" }, detail),
      ),
    );
    this.groups?.set(group, item);
    return item;
  }

  /** @param {number} node @param {number} level */
  nodeItem(node, level) {
    const model = /** @type {GraphModel} */ (this.model);
    const item = el("li", {
      role: "treeitem",
      tabindex: "-1",
      "aria-level": level,
      "aria-selected": "false",
      "data-node": node,
      "aria-label": `${model.name[node]}, ${model.labelOf(node)}, ${model.kindOf(node)}, ${model.typeOf(node)}`,
    });
    item.append(
      this.line(
        level,
        swatch(model.kindOf(node)),
        el("span", { class: "cut", title: model.name[node] }, nodeTitle(model, node)),
        el("code", { class: "muted cut" }, model.typeOf(node)),
      ),
    );
    this.nodes?.set(node, item);
    return item;
  }

  /** @param {number} level @param {HTMLElement[]} parts */
  line(level, ...parts) {
    const line = el("div", { class: "outline-line" }, ...parts);
    line.style.paddingLeft = `${8 + (level - 1) * 14}px`;
    return line;
  }

  /** @param {HTMLElement} item @param {boolean} open */
  toggle(item, open) {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(open));
    let list = item.querySelector(":scope > ul");
    if (open && !list) {
      list = el("ul", { role: "group" });
      this.append(
        /** @type {HTMLElement} */ (list),
        Number(item.dataset.group),
        Number(item.getAttribute("aria-level")) + 1,
        0,
      );
      item.append(list);
    }
    if (list instanceof HTMLElement) list.hidden = !open;
  }

  /** @param {HTMLElement} item */
  choose(item) {
    const model = /** @type {GraphModel} */ (this.model);
    if (item.dataset.node !== undefined) select(model.id, [model.name[Number(item.dataset.node)]]);
    else selectGroup(model.id, this.tree?.path[Number(item.dataset.group)] ?? "");
  }

  /** @param {HTMLElement} target */
  point(target) {
    const item = /** @type {HTMLElement|null} */ (target.closest('[role="treeitem"]'));
    if (!this.model || !this.tree || !item) return;
    const { node, group } = item.dataset;
    hover(this.model.id, node !== undefined ? [Number(node)] : nodesInside(this.tree, Number(group)));
  }

  mark() {
    const { model, tree } = this;
    if (!model || !tree || side.get() !== "modules") return;
    for (const item of this.host.querySelectorAll('[aria-selected="true"]')) item.setAttribute("aria-selected", "false");
    const chosen = selectedIn(model);
    if (chosen.length === 1) for (const group of groupsAround(tree, chosen[0])) this.openGroup(group);
    const now = selection.get();
    const group = now?.gid === model.id && now.group !== null ? tree.path.indexOf(now.group) : -1;
    const items = [...chosen.map((node) => this.nodes?.get(node)), this.groups?.get(group)].filter(
      (item) => item !== undefined,
    );
    for (const item of items) item.setAttribute("aria-selected", "true");
    items[0]?.querySelector(".outline-line")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} group */
  openGroup(group) {
    const item = this.groups?.get(group);
    if (item) this.toggle(item, true);
  }
}
