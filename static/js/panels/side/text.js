// The text tab: torch's own print of the active graph, each line tied to its node both ways. Lines stand in blocks that the
// browser skips while they are out of sight, so that 20,000 lines scroll well and the browser's own search finds them all.

import { getText } from "../../api.js";
import { activeGraph, capture, onActiveGraph, select, selectedIn, selection, side, tell, variant } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";

const BLOCK = 100;
const KEPT = 8;

/** Answers by GID, newest last. @type {Map<string, Api.GraphText>} */
const kept = new Map();

/** @param {string} id @param {string} gid */
async function textOf(id, gid) {
  const had = kept.get(gid);
  if (had) return had;
  const answer = await getText(id, gid);
  kept.set(gid, answer);
  if (kept.size > KEPT) kept.delete([...kept.keys()][0]);
  return answer;
}

/** @param {HTMLElement} host */
export function mountText(host) {
  new TextPanel(host);
}

class TextPanel {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.key = "";
    this.text = "";
    /** @type {HTMLElement[]} */
    this.rows = [];
    /** @type {readonly number[]} */
    this.nodes = [];
    /** @type {HTMLElement[]} */
    this.lit = [];
    this.switches = ["plain", "readable"].map((name) =>
      button(name === "plain" ? "print(graph)" : "print_readable()", { class: "small", onclick: () => variant.set(name) }),
    );
    this.said = el("span", { class: "muted" });
    this.copy = button("Copy", { class: "small", onclick: () => this.copyAll() });
    this.body = el("div", { class: "text-body", tabindex: "0", role: "group", "aria-label": "torch's print of this graph" });
    this.body.addEventListener("click", (event) => this.pick(/** @type {HTMLElement} */ (event.target)));
    fill(
      host,
      el("div", { class: "text-bar" }, ...this.switches, this.said, el("span", { class: "spring" }), this.copy),
      this.body,
    );
    onActiveGraph(() => this.show());
    for (const each of [variant, side]) each.subscribe(() => this.show());
    selection.subscribe(() => this.light());
  }

  async show() {
    const model = activeGraph();
    const now = capture.get();
    const readable = variant.get() === "readable";
    this.switches.forEach((item, i) => item.setAttribute("aria-pressed", String(readable === (i === 1))));
    if (side.get() !== "text") return;
    if (!model || !now) return this.say("The print of a graph is shown here.");
    const key = `${model.id} ${readable}`;
    if (key === this.key) return this.light();
    this.key = key;
    try {
      const text = await textOf(now.id, model.id);
      if (this.key === key) this.fill(readable ? text.readable : text.text, readable ? text.readable_lines : text.lines);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} words */
  say(words) {
    this.key = "";
    this.rows = [];
    this.said.textContent = "";
    fill(this.body, el("p", { class: "empty muted" }, words));
  }

  /** @param {string} text @param {readonly number[]} nodes */
  fill(text, nodes) {
    const lines = text.split("\n");
    this.nodes = nodes;
    this.rows = lines.map((line, i) => rowOf(line, i, nodes[i] ?? -1));
    this.said.textContent = `${count(lines.length)} lines`;
    this.text = text;
    const blocks = [];
    for (let i = 0; i < lines.length; i += BLOCK) {
      const block = el("div", { class: "text-block" }, ...this.rows.slice(i, i + BLOCK));
      block.style.containIntrinsicHeight = `auto ${Math.min(BLOCK, lines.length - i) * 19}px`;
      blocks.push(block);
    }
    fill(this.body, ...blocks);
    this.body.scrollTop = 0;
    this.lit = [];
    this.light();
  }

  light() {
    for (const row of this.lit) row.classList.remove("lit");
    const chosen = new Set(selectedIn(activeGraph()));
    this.lit = chosen.size ? this.rows.filter((_, i) => chosen.has(this.nodes[i])) : [];
    for (const row of this.lit) row.classList.add("lit");
    if (this.lit.length && side.get() === "text") this.lit[0].scrollIntoView({ block: "nearest" });
  }

  /** @param {HTMLElement} target */
  pick(target) {
    const row = target.closest(".text-line");
    const model = activeGraph();
    const node = Number(row?.getAttribute("data-node") ?? -1);
    if (model && node >= 0 && getSelection()?.isCollapsed !== false) select(model.id, [model.name[node]]);
  }

  async copyAll() {
    try {
      await navigator.clipboard.writeText(this.text);
      tell("The text was copied");
    } catch {
      tell("The browser does not let this page copy; use Export instead");
    }
  }
}

/** @param {string} line @param {number} i @param {number} node */
function rowOf(line, i, node) {
  return el("div", { class: node >= 0 ? "text-line has-node" : "text-line", "data-node": node, "data-line": i + 1 }, line || " ");
}
