// Lines of the submitted file in a story: which own nodes, where Dynamo stopped, each a way to the source.

import { foldOf, indentOf } from "../../model/story/words.js";
import { goToSource } from "../../state.js";
import { button, el } from "../dom.js";
import { counted } from "../format.js";
import { icon } from "../icon.js";

/** Marks of lines in words, for those who do not see colours. @type {{[mark: string]: string|undefined}} */
const MARKS = { stops: "Dynamo stops here", calls: "calls what stops" };

/** @param {Api.Excerpt} part @param {string} [title] above it; its function and file when left out */
export function excerptOf(part, title) {
  const { lines } = part;
  const indent = indentOf(lines);
  const list = el("ol", { class: "excerpt-lines" });
  const rows = lines.map((line, i) => rowOf(part, line, indent, i > 0 && line.line > lines[i - 1].line + 1));
  const { head, folded } = foldOf(rows.length);
  list.append(...rows.slice(0, head));
  if (folded) {
    const more = el(
      "li",
      { class: "excerpt-more" },
      button(`Show ${counted(folded, "more line")}`, {
        class: "link",
        onclick: () => {
          more.replaceWith(...rows.slice(head, head + folded));
        },
      }),
    );
    list.append(more, ...rows.slice(head + folded));
  }
  return el("figure", { class: "excerpt" }, el("figcaption", { class: "muted" }, title ?? titleOf(part)), list);
}

/** @param {Api.Excerpt} part */
export function titleOf({ file, function: name }) {
  return name ? `${name} in ${file}` : file;
}

/** @param {Api.Excerpt} part @param {Api.StoryLine} line @param {number} indent @param {boolean} gap lines before it are left out */
function rowOf(part, { line, text, nodes, mark }, indent, gap) {
  const words = MARKS[mark];
  return el(
    "li",
    { class: `excerpt-row ${nodes ? "has-nodes" : ""} ${mark ? `is-${mark}` : ""} ${gap ? "is-after-gap" : ""}`, value: line },
    button(String(line), {
      class: "excerpt-number",
      title: `Show line ${line} in the source`,
      "aria-label": `Line ${line}, show it in the source`,
      onclick: () => goToSource(part.file, line),
    }),
    el("span", { class: "excerpt-gutter" }, nodes > 0 && countOf(nodes)),
    el("code", {}, text.slice(indent) || " "),
    words && el("span", { class: "excerpt-mark" }, icon(mark === "stops" ? "break" : "right"), el("span", {}, words)),
  );
}

/** How many calls were captured from a line. @param {number} calls */
function countOf(calls) {
  const words = `${counted(calls, "call")} captured from this line`;
  return el("span", { class: "excerpt-count", title: words }, el("span", { "aria-hidden": "true" }, calls), el("span", { class: "visually-hidden" }, words));
}
