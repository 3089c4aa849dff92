// Lines of the submitted file in a story: which own nodes, where Dynamo stopped, each a way to the source.

import { foldOf, indentOf } from "../../model/story/words.js";
import { cellAt, numberOf } from "../../model/places.js";
import { goToSource } from "../../state.js";
import { cellsOf, placeOf } from "../../state/places.js";
import { button, el, stops } from "../dom.js";
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
          stops(rows[head])[0]?.focus(); // the button is gone
        },
      }),
    );
    list.append(more, ...rows.slice(head + folded));
  }
  return el("figure", { class: "excerpt" }, el("figcaption", { class: "muted" }, title ?? titleOf(part)), list);
}

/** Of a notebook the cell too, where all is of one. @param {Api.Excerpt} part */
export function titleOf(part) {
  const { file, function: name } = part;
  const cell = cellOf(part);
  const place = cell ? `${file.replace(/\.py$/, "")}, cell ${cell.number}` : file;
  return name ? `${name} in ${place}` : place;
}

/** The one cell that all lines are of. @param {Api.Excerpt} part */
function cellOf({ file, lines }) {
  const cells = cellsOf(file);
  const [first, last] = [lines[0], lines.at(-1)].map((each) => each && cellAt(cells, each.line));
  return first === last ? first : undefined;
}

/** @param {Api.Excerpt} part @param {Api.StoryLine} line @param {number} indent @param {boolean} gap lines before it are left out */
function rowOf(part, { line, text, nodes, mark }, indent, gap) {
  const words = MARKS[mark];
  const place = placeOf(part.file, line);
  return el(
    "li",
    { class: `excerpt-row ${nodes ? "has-nodes" : ""} ${mark ? `is-${mark}` : ""} ${gap ? "is-after-gap" : ""}`, value: line },
    button(numberOf(cellsOf(part.file), line) || "·", {
      class: "excerpt-number",
      title: `Show ${place} in the source`,
      "aria-label": `${place.replace(/^./, (first) => first.toUpperCase())}, show it in the source`,
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
