// The text tab: torch's own print of the active graph, each line tied to its node both ways. Lines stand in blocks that the
// browser skips while they are out of sight, so that 20,000 lines scroll well and the browser's own search finds them all.

import { wordsOf } from "../../base/errors.js";
import { getText } from "../../api.js";
import { activeGraph, capture, hovered, notice, onActiveGraph, select, selection, side, tell, variant } from "../../state.js";
import { chosenIn, hover, kinIn, onKin, previewIn } from "../../state/kin.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";

const BLOCK = 100;
const KEPT = 8;
const NOTHING = Object.freeze({ selection: undefined, by: undefined });

/** Answers by GID, newest last. @type {Map<string, Api.GraphText>} */
const kept = new Map();

/** What may be shown of a graph: torch's two prints, and of a log what Inductor generated. @type {{[name: string]: string}} */
const PRINTS = { plain: "print(graph)", readable: "print_readable()", code: "Inductor's code" };

/** The print to show: the one wanted where there is one, else the one there is. @param {Api.GraphText} text @param {string} wanted */
function printOf(text, wanted) {
  if (wanted === "code" && text.code) return "code";
  if (wanted === "plain" && text.text) return "plain";
  return text.readable || !text.text ? "readable" : "plain";
}

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
    this.shown = "";
    this.text = "";
    /** @type {HTMLElement[]} */
    this.rows = [];
    /** @type {readonly number[]} */
    this.nodes = [];
    /** Rows of each node of the graph. @type {Map<number, number[]>} */
    this.rowsOf = new Map();
    /** Lit rows with their class. @type {Map<number, string>} */
    this.lit = new Map();
    /** The selection and what was known of its kin when its first line was scrolled to. @type {{selection: unknown, by: unknown}} */
    this.followed = NOTHING;
    this.switches = Object.entries(PRINTS).map(([name, title]) =>
      button(title, { class: "small", onclick: () => variant.set(name) }),
    );
    this.offer({ text: "", lines: [], readable: "", readable_lines: [], code: "" }, "plain");
    this.said = el("span", { class: "muted" });
    this.copy = button("Copy", { class: "small", onclick: () => this.copyAll() });
    this.body = el("div", { class: "text-body", tabindex: "0", role: "group", "aria-label": "torch's print of this graph" });
    this.body.addEventListener("click", (event) => this.pick(/** @type {HTMLElement} */ (event.target)));
    this.body.addEventListener("pointerover", (event) => this.point(/** @type {HTMLElement} */ (event.target)));
    this.body.addEventListener("pointerleave", () => hovered.set(null));
    this.body.addEventListener("keydown", (event) => this.key(event));
    fill(
      host,
      el("div", { class: "text-bar" }, ...this.switches, this.said, el("span", { class: "spring" }), this.copy),
      this.body,
    );
    onActiveGraph(() => this.show());
    for (const each of [variant, side]) each.subscribe(() => this.show());
    onKin(() => this.light());
    hovered.subscribe(() => this.light());
  }

  async show() {
    const model = activeGraph();
    const now = capture.get();
    if (side.get() !== "text") return;
    if (!model || !now) return this.say("The print of a graph is shown here.");
    const key = `${model.id} ${variant.get()}`;
    if (key === this.shown) return this.light();
    this.shown = key;
    try {
      const text = await textOf(now.id, model.id);
      if (this.shown !== key) return;
      const print = printOf(text, variant.get());
      this.offer(text, print);
      if (print === "code") this.fill(text.code, []);
      else if (print === "readable") this.fill(text.readable, text.readable_lines);
      else this.fill(text.text, text.lines);
    } catch (error) {
      this.say(wordsOf(error));
    }
  }

  /** Shows a switch for each print there is. @param {Api.GraphText} text @param {string} print the one shown */
  offer(text, print) {
    Object.keys(PRINTS).forEach((name, i) => {
      this.switches[i].setAttribute("aria-pressed", String(name === print));
      this.switches[i].hidden = name === "code" ? !text.code : name === "plain" ? !text.text && Boolean(text.readable) : false;
    });
  }

  /** @param {string} words */
  say(words) {
    this.shown = "";
    this.rows = [];
    this.rowsOf = new Map();
    this.lit = new Map();
    this.said.textContent = "";
    fill(this.body, el("p", { class: "empty muted" }, words));
  }

  /** @param {string} text @param {readonly number[]} nodes */
  fill(text, nodes) {
    const lines = text.split("\n");
    this.nodes = nodes;
    this.rows = lines.map((line, i) => rowOf(line, i, nodes[i] ?? -1));
    this.rowsOf = new Map();
    nodes.forEach((node, row) => {
      if (node >= 0) this.rowsOf.set(node, [...(this.rowsOf.get(node) ?? []), row]);
    });
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
    this.lit = new Map();
    this.followed = NOTHING;
    this.light();
  }

  /** Lights the lines of what is selected, of its kin, and of what the pointer is over; scrolls to the first when they are others. */
  light() {
    const model = activeGraph();
    if (!model || side.get() !== "text" || this.rows.length === 0) return;
    const own = chosenIn(model);
    const found = kinIn(model);
    const kin = found?.kin;
    const near = previewIn(model);
    /** @type {Map<number, string>} */
    const lit = new Map();
    const add = (/** @type {ArrayLike<number>} */ nodes, /** @type {string} */ name) => {
      for (let i = 0; i < nodes.length; i++) for (const row of this.rowsOf.get(nodes[i]) ?? []) lit.set(row, name);
    };
    add(near.line, "lit-near");
    add(near.exact, "lit-near");
    add(kin?.line ?? [], "lit-line");
    add(kin?.exact ?? [], "lit-exact");
    add(own, "lit");
    for (const [row, name] of this.lit) if (lit.get(row) !== name) this.rows[row]?.classList.remove(name);
    for (const [row, name] of lit) if (this.lit.get(row) !== name) this.rows[row]?.classList.add(name);
    this.lit = lit;
    const { selection: before, by } = this.followed;
    if (before === selection.get() && by === found?.by) return;
    this.followed = { selection: selection.get(), by: found?.by };
    const first = this.rowsOf.get([own, kin?.exact, kin?.line].find((nodes) => nodes?.length)?.[0] ?? -1)?.[0];
    if (first !== undefined) this.rows[first].scrollIntoView({ block: "nearest" });
  }

  /** @param {HTMLElement} target @returns {number} -1: no line of a node */
  nodeAt(target) {
    return Number(target.closest(".text-line")?.getAttribute("data-node") ?? -1);
  }

  /** @param {HTMLElement} target */
  pick(target) {
    const model = activeGraph();
    const node = this.nodeAt(target);
    if (model && node >= 0 && getSelection()?.isCollapsed !== false) select(model.id, [model.name[node]]);
  }

  /** @param {HTMLElement} target */
  point(target) {
    const model = activeGraph();
    const node = this.nodeAt(target);
    if (model) hover(model.id, node >= 0 ? [node] : []);
  }

  /** Up and down go from the selected line to the next one that is a node's. @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const model = activeGraph();
    if (!step || !model || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const chosen = chosenIn(model);
    const from = this.rowsOf.get(chosen[step > 0 ? chosen.length - 1 : 0] ?? -1)?.[0] ?? (step > 0 ? -1 : this.rows.length);
    for (let row = from + step; row >= 0 && row < this.rows.length; row += step) {
      if ((this.nodes[row] ?? -1) < 0) continue;
      select(model.id, [model.name[this.nodes[row]]]);
      notice.set(this.rows[row].textContent ?? "");
      return;
    }
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
  return el(
    "div",
    { class: node >= 0 ? "text-line has-node" : "text-line", "data-node": node, "data-line": i + 1 },
    line || " ",
  );
}
