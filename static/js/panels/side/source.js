// The source tab: the submitted files. Lines that own nodes of the active graph carry a count; a click selects those nodes.

import { activeGraph, files, notice, onActiveGraph, select, selectedIn, selection, side, sourceLine, tell } from "../../state.js";
import { codeReader } from "../code/reader.js";
import { button, el, fill } from "../dom.js";
import { bytes, counted } from "../format.js";

/** @param {HTMLElement} host */
export function mountSource(host) {
  const names = el("div", { class: "file-tabs" });
  const body = el("div", { class: "code-body" });
  fill(host, names, body);
  new SourcePanel(names, body);
}

class SourcePanel {
  /** @param {HTMLElement} names @param {HTMLElement} body */
  constructor(names, body) {
    this.names = names;
    this.body = body;
    this.file = "";
    /** @type {ReturnType<typeof codeReader>|null} */
    this.reader = null;
    /** The selection whose line was scrolled to: one that came with the address waits for the file and the graph. @type {unknown} */
    this.followed = null;
    fill(body, el("p", { class: "empty muted" }, "Loading the source…"));
    files.subscribe(() => {
      const asked = sourceLine.get(); // the line may have been asked for before the file was here
      this.open(this.firstFile());
      if (asked) this.goTo(asked.file, asked.line);
    });
    onActiveGraph(() => {
      this.count();
      this.light(false);
    });
    selection.subscribe(() => this.light(true));
    side.subscribe((tab) => {
      if (tab === "source") this.light(true);
    });
    sourceLine.subscribe((at) => {
      if (at) this.goTo(at.file, at.line);
    });
  }

  firstFile() {
    return files.get()?.find((file) => file.text !== null)?.name ?? files.get()?.[0]?.name ?? "";
  }

  /** @param {string} name */
  open(name) {
    const all = files.get() ?? [];
    const file = all.find((each) => each.name === name);
    if (!file || (name === this.file && this.reader)) return;
    this.file = name;
    this.reader?.destroy();
    this.reader = null;
    fill(
      this.names,
      ...(all.length > 1
        ? all.map((each) =>
            button(each.name, {
              class: "file-tab",
              "aria-pressed": String(each.name === name),
              onclick: () => this.open(each.name),
            }),
          )
        : []),
    );
    if (file.text === null) {
      fill(
        this.body,
        el(
          "p",
          { class: "empty muted" },
          `${name} is a binary file of ${bytes(file.size)}. The lines in a .pt2 are those of the code it was exported from, which it does not contain.`,
        ),
      );
      return;
    }
    const place = el("div", { class: "code-place" });
    fill(this.body, place);
    this.reader = codeReader(place, file.text, { label: `Source of ${name}`, onLine: (line) => this.pick(line) });
    this.count();
    this.light(false);
  }

  /** @param {number} line */
  nodesOf(line) {
    const model = activeGraph();
    if (!model) return [];
    const wanted = model.lines.findIndex(([file, number]) => file === this.file && number === line);
    return wanted < 0 ? [] : model.name.filter((_, i) => model.line[i] === wanted);
  }

  /** @param {number} line */
  pick(line) {
    const model = activeGraph();
    const nodes = this.nodesOf(line);
    if (!model) return;
    if (nodes.length) select(model.id, nodes);
    else this.reader?.light([line]);
    if (nodes.length) notice.set(`${counted(nodes.length, "node")} of line ${line}`);
    else tell(`No node of this graph comes from line ${line}`);
  }

  count() {
    const model = activeGraph();
    const counts = new Map();
    if (model) {
      for (const at of model.line) {
        if (at < 0 || model.lines[at][0] !== this.file) continue;
        counts.set(model.lines[at][1], (counts.get(model.lines[at][1]) ?? 0) + 1);
      }
    }
    this.reader?.setCounts(counts);
  }

  /** @param {boolean} asked scroll to the line, as is done once for every selection */
  light(asked) {
    const model = activeGraph();
    const follow = asked || selection.get() !== this.followed;
    const lines = selectedIn(model)
      .map((node) => model?.lineOf(node))
      .filter((line) => line !== null && line !== undefined);
    if (follow && lines.length && !lines.some(([file]) => file === this.file)) this.open(lines[0][0]);
    const own = [...new Set(lines.filter(([file]) => file === this.file).map(([, line]) => line))];
    this.reader?.light(own);
    if (!follow || !own.length || !this.reader || side.get() !== "source") return;
    this.followed = selection.get();
    this.reader.goTo(own[0]);
  }

  /** @param {string} file @param {number} line */
  goTo(file, line) {
    if (files.get() === null) return;
    this.open(file);
    if (file !== this.file) {
      tell(`${file} is not among the submitted files`);
      return;
    }
    this.reader?.light([line]);
    this.reader?.goTo(line);
  }
}
