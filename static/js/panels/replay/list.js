// The figures behind the marks: every graph of a stage that was run again, in a box that opens at the mark.

import { VERDICTS, comparedIn, difference, replayedIn, stageVerdict, verdictOf } from "../../model/replay.js";
import { capture, showIn } from "../../state.js";
import { button, el, fill } from "../dom.js";
import { graphTitle, sentence, stageTitle } from "../format.js";
import { icon } from "../icon.js";
import { reasonOf, replaySign } from "./sign.js";

/** One for the page, made when first needed. @type {HTMLElement|null} */
let box = null;
/** The mark at which it was opened last. @type {HTMLElement|null} */
let opener = null;

/**
 * Opens the list at a mark, or closes it if it is open there.
 * @param {HTMLElement} mark @param {Api.Stage} stage @param {string} gid the graph that is meant, "" for the stage
 */
export function showReplays(mark, stage, gid) {
  box ??= makeBox();
  const again = box.matches(":popover-open") && box.dataset.of === keyOf(stage, gid);
  box.hidePopover();
  if (again) return;
  box.dataset.of = keyOf(stage, gid);
  fill(box, ...contents(stage, gid));
  box.showPopover();
  place(box, mark);
  opener = mark;
  /** @type {HTMLElement} */ (box.querySelector("button")).focus();
}

/** @param {Api.Stage} stage @param {string} gid */
function keyOf(stage, gid) {
  return `${stage.id} ${gid}`;
}

function makeBox() {
  const made = el("div", { class: "replays", popover: "auto", role: "dialog", "aria-label": "Replay" });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation(); // it closes this, and nothing else
    event.preventDefault();
    close();
  });
  document.body.append(made);
  return made;
}

function close() {
  box?.hidePopover();
  if (opener?.isConnected) opener.focus();
}

/** Below the mark, within the window. @param {HTMLElement} box @param {HTMLElement} mark */
function place(box, mark) {
  const at = mark.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = at.bottom + 6 + height <= innerHeight;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  box.style.top = `${Math.max(8, below ? at.bottom + 6 : Math.min(at.top - 6 - height, innerHeight - height - 8))}px`;
}

/** @param {Api.Stage} stage @param {string} gid */
function contents(stage, gid) {
  const graphs = replayedIn(stage);
  const verdict = stageVerdict(stage);
  const notes = new Set(graphs.map(({ replay }) => replay.status === "compared" && replay.reason));
  const common = notes.size === 1 ? [...notes][0] || "" : "";
  const leave = button("", { class: "icon-button", title: "Close", "aria-label": "Close", onclick: close });
  leave.append(icon("close"));
  return [
    el("header", {}, el("h2", {}, `${stageTitle(stage.id)}: replay`), el("span", { class: "spring" }), leave),
    el(
      "p",
      { class: "muted" },
      "Each graph was run on the example inputs and compared with eager PyTorch: what it returns or writes, and gradients.",
    ),
    verdict && el("p", {}, sentence([VERDICTS[verdict].words, common].filter(Boolean).join("; "))),
    el(
      "div",
      { class: "replays-scroll", tabindex: "0", role: "group", "aria-label": "Figures" },
      el(
        "table",
        { class: "facts-table replay-table" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...["Graph", "Result", "Compared", "Max abs", "Max rel"].map((name) =>
              el("th", { scope: "col", class: name.startsWith("Max") ? "number" : null }, name),
            ),
          ),
        ),
        el("tbody", {}, ...graphs.flatMap((graph) => rowsOf(graph, graph.id === gid, common))),
      ),
    ),
  ];
}

/** @param {Api.GraphHead & {replay: Api.Replay}} graph @param {boolean} meant @param {string} common what is said of all of them */
function rowsOf(graph, meant, common) {
  const now = capture.get();
  const { replay } = graph;
  const verdict = verdictOf(replay);
  const title = now ? graphTitle(now, graph.id) : graph.id;
  const head = el(
    "th",
    { scope: "row" },
    button(title, {
      class: "link",
      title: `Show ${graph.id}`,
      onclick: () => {
        box?.hidePopover();
        showIn(graph.id);
      },
    }),
  );
  const result = el("td", { class: "replay-result" }, replaySign(verdict), el("span", { "aria-hidden": "true" }, VERDICTS[verdict].short));
  const row =
    replay.status === "compared"
      ? [
          head,
          result,
          el("td", { class: "replay-compared" }, comparedIn(replay) || "nothing"),
          el("td", { class: "number" }, replay.max_abs === null ? "not finite" : difference(replay.max_abs)),
          el("td", { class: "number" }, difference(replay.max_rel)),
        ]
      : [head, result, el("td", { colspan: 3 })];
  const said = [replay.worst && `largest at ${replay.worst}`, replay.reason !== common && replay.reason].filter(Boolean).join("; ");
  const more = replay.status === "compared" ? said && el("span", {}, said) : reasonOf(replay.reason);
  const note = more && el("tr", { class: "replay-note" }, el("td", { colspan: 5, class: "muted" }, more));
  return [el("tr", { class: meant ? "is-meant" : null, "aria-current": meant ? "true" : null }, ...row), ...(note ? [note] : [])];
}
