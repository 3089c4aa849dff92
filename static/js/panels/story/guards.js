// The guards of one of Dynamo's graphs: a tree of what they look at, that can be searched.

import { goToSource } from "../../state.js";
import { guardTrees } from "../../state/story.js";
import { placeOf, whereOf } from "../../state/places.js";
import { button, el, fill } from "../dom.js";
import { count } from "../format.js";
import { treeKeys } from "../side/treekeys.js";
import { failedMark, fixedMark } from "./fixed.js";
import { wantGuardTree } from "./load.js";

/** @typedef {import("../../model/story/guards.js").Guards} Guards @typedef {import("../../model/story/guards.js").Branch} Branch */

/** So many checks that fit are shown at once. */
const SHOWN = 200;
/** Where no more than these specialise the code, they are in sight at once. */
const OPENED = 24;

export class GuardPanel {
  /** @param {string} gid @param {(open: boolean) => void} onOpen asked to be opened or closed */
  constructor(gid, onOpen) {
    this.gid = gid;
    this.onOpen = onOpen;
    this.opened = false;
    /** @type {Guards|null} */
    this.guards = null;
    this.most = SHOWN;
    /** @type {HTMLButtonElement[]} */
    this.toggles = [];
    this.input = el("input", { type: "search", class: "filter", placeholder: "Search the guards", "aria-label": "Search the guards" });
    this.only = el("input", { type: "checkbox" });
    this.said = el("span", { class: "muted", role: "status" });
    this.tree = el("ul", { class: "guard-tree outline", role: "tree", "aria-label": `Guards of ${gid}` });
    this.words = el("p", { class: "muted" });
    this.more = button("", { class: "link", onclick: () => this.showAll() });
    this.element = el("div", { class: "guard-panel", hidden: true });
    this.input.addEventListener("input", () => this.show((this.most = SHOWN)));
    this.only.addEventListener("change", () => this.show((this.most = SHOWN)));
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.input.value) return;
      event.stopPropagation();
      this.input.value = "";
      this.show((this.most = SHOWN));
    });
    treeKeys(this.tree, { toggle: (item, open) => this.toggleItem(item, open), choose: (item) => this.toggleItem(item, item.getAttribute("aria-expanded") !== "true") });
    this.destroy = guardTrees.subscribe(() => this.take());
  }

  /** A button that opens and closes it. @param {string} text */
  toggle(text) {
    const item = button(text, { class: "small guard-toggle", "aria-expanded": "false", onclick: () => this.onOpen(!this.opened) });
    this.toggles.push(item);
    return item;
  }

  /** @param {boolean} open */
  open(open) {
    if (open === this.opened) return;
    this.opened = open;
    this.element.hidden = !open;
    for (const item of this.toggles) item.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.take();
    wantGuardTree(this.gid);
  }

  /** Opens it with a source looked for. @param {string} source */
  find(source) {
    this.input.value = source;
    this.only.checked = false;
    this.most = SHOWN;
    if (!this.opened) this.onOpen(true);
    if (this.guards) this.show(SHOWN);
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Shows what is here by now. */
  take() {
    if (!this.opened) return;
    const known = guardTrees.get().get(this.gid);
    if (known instanceof Error) {
      const again = button("Try again", { class: "link", onclick: () => wantGuardTree(this.gid, true) });
      return fill(this.element, el("p", { class: "error-text" }, known.message, " ", again));
    }
    if (!known) return fill(this.element, el("p", { class: "muted" }, "Loading the guards…"));
    if (known === this.guards) return;
    this.guards = known;
    const { fixed } = known.answer;
    fill(
      this.element,
      el(
        "div",
        { class: "filter-row" },
        this.input,
        fixed > 0 && el("label", { class: "check" }, this.only, fixed === 1 ? "only the one that specialises" : `only the ${count(fixed)} that specialise`),
        this.said,
      ),
      this.tree,
      this.words,
      this.more,
    );
    this.show(SHOWN);
  }

  showAll() {
    this.show((this.most = Infinity));
    this.input.focus(); // the button is gone
  }

  /** @param {number} most */
  show(most) {
    const { guards } = this;
    if (!guards) return;
    const typed = this.input.value.trim();
    const found = typed || this.only.checked ? guards.find(typed, this.only.checked) : null;
    const shown = found?.slice(0, most);
    const around = shown ? guards.around(shown) : null;
    this.said.textContent = found ? `${count(found.length)} of ${count(guards.answer.checks.length)}` : "";
    this.words.textContent = guards.answer.checks.length ? "No guard has these words." : "Nothing is guarded.";
    this.words.hidden = found ? found.length > 0 : guards.answer.checks.length > 0;
    this.more.hidden = !found || found.length <= most;
    this.more.textContent = `Show all ${count(found?.length ?? 0)}, not only the first ${count(SHOWN)}`;
    const opened = around ?? guards.around(openAtFirst(guards));
    const items = guards.roots.flatMap((branch) => this.branchItem(branch, 1, opened, shown ? new Set(shown) : null, around));
    fill(this.tree, ...items);
    this.tree.querySelector('[role="treeitem"]')?.setAttribute("tabindex", "0");
  }

  /**
   * @param {Branch} branch @param {number} level @param {ReadonlySet<number>} opened places
   * @param {ReadonlySet<number>|null} checks null: all of them @param {ReadonlySet<number>|null} places null: all of them
   * @returns {HTMLElement[]} none: nothing of it is to be shown
   */
  branchItem(branch, level, opened, checks, places) {
    if (places && !places.has(branch.place)) return [];
    const { fixed, failed, checks: inside, source } = /** @type {Guards} */ (this.guards).answer.places[branch.place];
    const list = el("ul", { role: "group", hidden: true });
    let filled = false;
    const open = (/** @type {boolean} */ on) => {
      if (on && !filled) {
        filled = true;
        const own = branch.checks.filter((check) => !checks || checks.has(check));
        list.append(...own.map((check) => this.checkItem(check, level + 1)));
        list.append(...branch.branches.flatMap((each) => this.branchItem(each, level + 1, opened, checks, places)));
      }
      list.hidden = !on;
      item.setAttribute("aria-expanded", String(on));
    };
    const row = el("div", { class: "outline-line guard-place", title: source || "Not of any one value" });
    indent(row, level);
    row.append(el("span", { class: "chevron" }), el("code", { class: "cut guard-path" }, branch.text));
    row.append(el("span", { class: "guard-inside muted" }, count(inside)));
    if (fixed) row.append(el("span", { class: "fixed-mark" }, `${count(fixed)} specialised`));
    const mark = failedMark(failed);
    if (mark) row.append(mark);
    const item = el("li", { role: "treeitem", "aria-expanded": "false", "aria-level": level, tabindex: "-1" }, row, list);
    opens.set(item, open);
    if (opened.has(branch.place)) open(true);
    return [item];
  }

  /** @param {number} check @param {number} level */
  checkItem(check, level) {
    const { kind, word, says, fixes, code, frame, failed } = /** @type {Guards} */ (this.guards).answer.checks[check];
    const row = el("div", { class: "outline-line guard-check", title: kind });
    indent(row, level);
    row.append(el("span", { class: "guard-word" }, word), el("code", { class: "cut guard-says" }, says));
    for (const mark of [fixedMark(fixes), failedMark(failed.length)]) if (mark) row.append(mark);
    if (frame?.user)
      row.append(
        button(placeOf(frame.file, frame.line), {
          class: "link guard-line",
          title: `${whereOf(frame.file, frame.line)} made it necessary: ${frame.code}`,
          onclick: () => goToSource(frame.file, frame.line),
        }),
      );
    const whole = el("div", { class: "guard-whole", hidden: true });
    indent(whole, level);
    const item = el("li", { role: "treeitem", "aria-level": level, "aria-expanded": "false", tabindex: "-1" }, row, whole);
    opens.set(item, (on) => {
      if (on && !whole.firstChild) whole.append(...wholeOf({ kind, code, failed, frame }));
      whole.hidden = !on;
      item.setAttribute("aria-expanded", String(on));
    });
    return item;
  }

  /** @param {HTMLElement} item @param {boolean} on */
  toggleItem(item, on) {
    opens.get(item)?.(on);
  }
}

/** How each item is opened and closed. @type {WeakMap<HTMLElement, (open: boolean) => void>} */
const opens = new WeakMap();

/** @param {HTMLElement} row @param {number} level */
function indent(row, level) {
  row.style.paddingLeft = `${6 + (Math.min(level, 24) - 1) * 16}px`;
}

/** What specialises the code, and what failed, where that is not too much. @param {Guards} guards */
function openAtFirst(guards) {
  const found = guards.find("", true);
  return found.length <= OPENED ? found : found.filter((check) => guards.answer.checks[check].failed.length).slice(0, OPENED);
}

/** All of a check. @param {{kind: string, code: string[], failed: string[], frame: Api.Frame|null}} check */
function wholeOf({ kind, code, failed, frame }) {
  return [
    ...failed.map((text) => el("p", { class: "error-text" }, text)),
    el("p", { class: "muted" }, kind, frame && !frame.user ? ` · ${whereOf(frame.file, frame.line)}` : ""),
    code.length ? el("pre", {}, code.join("\n")) : el("p", { class: "muted" }, "torch prints no check for it."),
  ];
}
