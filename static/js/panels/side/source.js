// The source tab: the submitted files. Lines that own nodes of the active graph carry a count; choosing lines selects those nodes.

import {
  activeGraph,
  capture,
  files,
  graphs,
  hovered,
  notice,
  onActiveGraph,
  panes,
  select,
  selection,
  side,
  sourceLine,
  tell,
} from "../../state.js";
import { wordsOf } from "../../base/errors.js";
import { chosenIn, hover, kinIn, onKin } from "../../state/kin.js";
import { cellsOf } from "../../state/places.js";
import { rangeOf } from "../../model/places.js";
import { button, el, fill } from "../dom.js";
import { bytes, counted } from "../format.js";

/** @typedef {ReturnType<typeof import("../code/reader.js").codeReader>} CodeReader */

/** What a file is that has no text to show, by the kind of the capture. @type {Record<string, string>} */
const WITHOUT_TEXT = {
  log: "is a log: it names lines of the code that ran, which it does not contain",
  pt2: "is a binary file: its graphs name lines of the code it was exported from, which it does not contain",
  torchscript: "is a binary file: TorchScript made of code that it does not contain",
  pickle: "is a binary file: it names the code of its classes, which it does not contain",
};

/** @param {string} name */
function withoutText(name) {
  if (cellsOf(`${name}.py`).length) return `is the notebook: its cells of code are in ${name}.py`;
  return WITHOUT_TEXT[capture.get()?.source.kind ?? "py"] ?? "is a binary file";
}

const reader = async () => (await import("../code/reader.js")).codeReader;

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
    /** @type {CodeReader|null} */
    this.reader = null;
    /** The line to go to once the reader is here; 0: none. */
    this.asked = 0;
    /** The selection whose line was scrolled to: one that came with the address waits for the file and the graph. @type {unknown} */
    this.followed = null;
    /** The lights that are on. */
    this.lit = "";
    /** The selection is being made here: the person sees the lines. */
    this.own = false;
    fill(body, el("p", { class: "empty muted" }, "Loading the source…"));
    files.subscribe(() => {
      const asked = sourceLine.get(); // the line may have been asked for before the file was here
      this.open(this.firstFile());
      if (asked) this.goTo(asked.file, asked.line);
    });
    onActiveGraph(() => this.count());
    onKin(() => this.light());
    for (const each of [panes, hovered, side]) each.subscribe(() => this.light());
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
    if (!file || name === this.file) return;
    this.file = name;
    this.reader?.destroy();
    this.reader = null;
    this.lit = "";
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
          `${name} ${withoutText(name)} (${bytes(file.size)}).`,
        ),
      );
      return;
    }
    this.read(name, file.text);
  }

  /** The editor is as much script as all else here: it comes with the first file, behind the graph. @param {string} name @param {string} text */
  async read(name, text) {
    const place = el("div", { class: "code-place" });
    fill(this.body, place);
    const codeReader = await reader().catch((error) => {
      fill(place, el("p", { class: "empty error-text" }, `The source cannot be shown: ${wordsOf(error)}. Load the page again.`));
      return null;
    });
    if (!codeReader || !place.isConnected) return; // it did not come, or another file was opened meanwhile
    this.reader = codeReader(place, text, {
      label: `Source of ${name}`,
      cells: cellsOf(name),
      onLines: (from, to) => this.pick(from, to),
      onHover: (line) => this.point(line),
    });
    this.count();
    this.lit = "";
    this.light();
    if (this.asked) this.goTo(name, this.asked);
  }

  /** Nodes of a graph that come from some lines of the open file. @param {import("../../model/graph.js").GraphModel} model @param {number} from @param {number} to */
  nodesOf(model, from, to) {
    const wanted = model.lines.map(([file, line]) => file === this.file && line >= from && line <= to);
    const found = [];
    for (let i = 0; i < model.count; i++) if (model.line[i] >= 0 && wanted[model.line[i]]) found.push(i);
    return found;
  }

  /** The active graph first: lines of another fragment are found where that is shown. */
  shownGraphs() {
    const shown = panes.get().map((pane) => graphs.get().get(pane.show));
    return [activeGraph(), ...shown].filter((model) => model !== null && model !== undefined);
  }

  /** @param {number} from @param {number} to */
  pick(from, to) {
    const models = this.shownGraphs();
    const lines = rangeOf(cellsOf(this.file), from, to);
    for (const model of models) {
      const nodes = this.nodesOf(model, from, to);
      if (nodes.length === 0) continue;
      this.own = true;
      select(
        model.id,
        nodes.map((node) => model.name[node]),
      );
      this.own = false;
      notice.set(`${counted(nodes.length, "node")} of ${lines}`);
      return;
    }
    if (models.length) tell(`No node of ${models.length > 1 ? "these graphs" : "this graph"} comes from ${lines}`);
  }

  /** @param {number} line 0: none */
  point(line) {
    const model = activeGraph();
    if (model) hover(model.id, line ? this.nodesOf(model, line, line) : []);
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

  /** Lights the lines of what is selected, of its kin, and of what the pointer is over; scrolls to the first once for every selection. */
  light() {
    const now = selection.get();
    const model = now && graphs.get().get(now.gid);
    const own = model ? linesOf(model, chosenIn(model)) : [];
    const follow = now !== this.followed && own.length > 0 && !this.own;
    if (this.own) this.followed = now;
    if (follow && !own.some(([file]) => file === this.file)) this.open(own[0][0]);
    /** @type {Map<number, import("../code/reader.js").Light>} */
    const lights = new Map();
    this.add(lights, this.nearLines(), "near");
    for (const shown of this.shownGraphs()) this.add(lights, linesOf(shown, kinIn(shown)?.kin.exact ?? []), "kin");
    this.add(lights, own, "own");
    const key = JSON.stringify([...lights]);
    if (key !== this.lit) this.reader?.light(lights);
    this.lit = key;
    const first = own.find(([file]) => file === this.file);
    if (!follow || !first || !this.reader || side.get() !== "source") return;
    this.followed = now;
    this.reader.bring(first[1]);
  }

  /** @param {Map<number, import("../code/reader.js").Light>} lights @param {[string, number][]} lines @param {import("../code/reader.js").Light} light */
  add(lights, lines, light) {
    for (const [file, line] of lines) if (file === this.file) lights.set(line, light);
  }

  nearLines() {
    const now = hovered.get();
    const model = now && graphs.get().get(now.gid);
    return model ? linesOf(model, now.nodes) : [];
  }

  /** @param {string} file @param {number} line */
  goTo(file, line) {
    if (files.get() === null) return;
    this.open(file);
    if (file !== this.file) {
      tell(`${file} is not among the submitted files`);
      return;
    }
    this.asked = this.reader ? 0 : line;
    this.lit = "";
    this.reader?.light(new Map([[line, "own"]]));
    this.reader?.goTo(line);
  }
}

/** The lines of some nodes, each once. @param {import("../../model/graph.js").GraphModel} model @param {ArrayLike<number>} nodes @returns {[string, number][]} */
function linesOf(model, nodes) {
  const used = new Uint8Array(model.lines.length);
  for (let i = 0; i < nodes.length; i++) if (model.line[nodes[i]] >= 0) used[model.line[nodes[i]]] = 1;
  return model.lines.filter((_, i) => used[i]);
}
