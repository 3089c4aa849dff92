// Before the browser prints, puts what is to be printed into the page, in the light theme; afterwards takes it out again.

import { filesOf, graphOf } from "../model/capture.js";
import { aboutGraph, paper } from "../panels/pane/out/paper.js";
import { capture, panes, selection } from "../state.js";

/** @typedef {import("./pane.js").Pane} Pane */

/** @param {() => readonly Pane[]} shown */
export function mountPrint(shown) {
  const sheet = new CSSStyleSheet();
  let theme = "";
  /** @type {HTMLElement|null} */
  let made = null;
  const clear = () => {
    if (!made) return;
    made.remove();
    made = null;
    document.body.classList.remove("is-printing");
    document.documentElement.dataset.theme = theme;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
  addEventListener("beforeprint", () => {
    clear();
    const sheets = shown().map(sheetOf).filter((each) => each.pictures || each.words);
    if (!sheets.length) return;
    const { element, fonts } = paper(sheets, selection.get() ? document.querySelector("#details") : null);
    made = element;
    theme = document.documentElement.dataset.theme ?? "light";
    sheet.replaceSync(fonts);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    document.documentElement.dataset.theme = "light";
    document.body.classList.add("is-printing");
    document.body.append(element);
  });
  addEventListener("afterprint", clear);
}

/** @param {Pane} pane @returns {import("../panels/pane/out/paper.js").Sheet} */
function sheetOf({ index, frame, content }) {
  const now = capture.get();
  const show = panes.get()[index]?.show ?? "";
  const graph = now && graphOf(now, show);
  const files = now ? filesOf(now) : "";
  const more = [files, now?.torch ? `torch ${now.torch}` : "", `captured ${now?.created.slice(0, 10)}`];
  return {
    title: graph ? `${graph.title} · ${show}` : show,
    about: graph ? aboutGraph(graph.nodes, graph.edges, more) : more.filter(Boolean).join(" · "),
    pictures: content?.pictures?.() ?? null,
    words: frame.words.hidden ? null : frame.words,
    legend: frame.legend.hidden ? null : frame.legend,
  };
}
