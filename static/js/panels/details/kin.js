// The Kin part of the details: what the selection is in every other graph of its target, and on what evidence.

import { relativesOf } from "../../model/kin/relatives.js";
import { capture, graphs, hovered, panes, selection, showBeside } from "../../state.js";
import { chosenIn, hover, linksOf, onKin, openNodes, wanted } from "../../state/kin.js";
import { button, el, refill } from "../dom.js";
import { count, counted, graphTitle } from "../format.js";
import { icon } from "../icon.js";

/** @typedef {import("../../model/kin/links.js").Kin} Kin */

/** Graphs that are looked into at once; more only when somebody asks. */
const AT_ONCE = 12;
/** So few kin are listed by name, where their graph is here. */
const NAMED = 4;

/** The part that is on the page. @type {{element: HTMLElement, gid: string, all: boolean, shown: string}|null} */
let part = null;

/** Keeps the part that is on the page in step with the links. */
export function followKin() {
  const later = () => queueMicrotask(show); // once for what changes together
  onKin(later);
  panes.subscribe(later);
  selection.subscribe((now) => {
    if (!now) wanted.set([]);
  });
}

/** @param {string} gid of the selection's graph @returns {HTMLElement} */
export function kinPart(gid) {
  const element = el("section", { class: "fact kin-part", "aria-label": "Kin in the other graphs" });
  part = { element, gid, all: false, shown: "" };
  show();
  return element;
}

function show() {
  const now = capture.get();
  const model = part && graphs.get().get(part.gid);
  if (!part || !now || !model || selection.get()?.gid !== part.gid) return;
  const { first, more } = relativesOf(now, part.gid);
  const asked = part.all ? [...first, ...more] : first.slice(0, AT_ONCE);
  wanted.set(asked.map((graph) => graph.id));
  const nodes = chosenIn(model);
  const rows = asked.map((graph) => factsOf(part?.gid ?? "", graph, nodes));
  const left = first.length + more.length - asked.length;
  const key = JSON.stringify([rows.map(({ kin, ...facts }) => [facts, kin && [...kin.exact], kin?.line.length]), left]);
  if (key === part.shown) return; // a button under the pointer must not be replaced between press and release
  part.shown = key;
  part.element.hidden = rows.length + left === 0;
  refill(
    part.element,
    el("h3", {}, "Kin"),
    el("ul", { class: "plain kin-list" }, ...rows.map(rowOf)),
    left > 0 && moreButton(left),
  );
}

/** @param {number} left */
function moreButton(left) {
  return button(`Look into ${counted(left, "more graph")}`, {
    class: "link",
    onclick: () => {
      if (part) part.all = true;
      show();
    },
  });
}

/**
 * @param {string} gid @param {Api.GraphHead} graph @param {readonly number[]} nodes selected ones of `gid`
 */
function factsOf(gid, graph, nodes) {
  const links = linksOf(gid, graph.id);
  const here = graphs.get().has(graph.id);
  return {
    graph: graph.id,
    title: gid === graph.id ? "This graph" : graphTitle(/** @type {Api.Capture} */ (capture.get()), graph.id),
    state: links === undefined ? "waiting" : links === null ? "lost" : "known",
    kin: links ? without(gid === graph.id ? nodes : [], links.kinOf(gid, nodes)) : null,
    evidence: links ? links.evidenceOf(gid, nodes) : [],
    cut: links?.cut ?? 0,
    here,
    shown: panes.get().some((pane) => pane.show === graph.id),
  };
}

/** @param {readonly number[]} own @param {Kin} kin @returns {Kin} */
function without(own, kin) {
  if (own.length === 0) return kin;
  const out = new Set(own);
  return { exact: kin.exact.filter((node) => !out.has(node)), line: kin.line.filter((node) => !out.has(node)) };
}

/** @param {ReturnType<typeof factsOf>} facts */
function rowOf(facts) {
  const { kin, title, graph } = facts;
  const exact = kin?.exact.length ?? 0;
  const line = kin?.line.length ?? 0;
  const nodes = kin ? (exact ? kin.exact : kin.line) : new Int32Array(0);
  const main = button("", {
    class: `kin-row${exact ? " is-exact" : line ? " is-line" : " is-none"}`,
    title: nodes.length ? `Select ${counted(nodes.length, "node")} of ${graph}` : graph,
    onclick: () => openNodes(graph, nodes),
    onpointerenter: () => hover(graph, [...nodes]),
    onpointerleave: () => hovered.set(null),
  });
  main.disabled = nodes.length === 0;
  main.append(
    el("span", { class: "kin-mark", "aria-hidden": "true" }),
    el("span", { class: "kin-title cut" }, title),
    el("span", { class: "kin-count" }, ...countOf(facts.state, exact, line)),
  );
  const beside = button("", {
    class: "icon-button kin-beside",
    title: `Show ${graph} beside this graph`,
    "aria-label": `Show ${graph} beside this graph`,
    onclick: () => showBeside(graph),
  });
  beside.append(icon("split"));
  beside.hidden = facts.shown;
  return el("li", { class: "kin-item" }, main, beside, evidenceOf(facts), namesOf(facts, nodes));
}

/** @param {string} state @param {number} exact @param {number} line */
function countOf(state, exact, line) {
  if (state === "waiting") return ["…"];
  if (state === "lost") return ["not known"];
  if (exact === 0 && line === 0) return ["none"];
  if (exact === 0) return [`${counted(line, "node")} by line`];
  return [counted(exact, "node"), line > 0 && el("span", { class: "kin-more" }, ` +${count(line)} by line`)];
}

/** @param {ReturnType<typeof factsOf>} facts */
function evidenceOf({ evidence, cut }) {
  const words = evidence.length ? [`by ${evidence[0]}`] : [];
  if (evidence.length > 1) words.push(`and ${counted(evidence.length - 1, "other way")}`);
  if (cut) words.push(`${words.length ? "· " : ""}${counted(cut, "link")} of these graphs left out: too many of one line`);
  if (!words.length) return null;
  const title = [evidence.length && `By ${evidence.join(", ")}`, cut && words.at(-1)].filter(Boolean).join(" ");
  return el("p", { class: "kin-evidence cut", title }, words.join(" "));
}

/** @param {ReturnType<typeof factsOf>} facts @param {Int32Array} nodes */
function namesOf({ graph }, nodes) {
  const model = graphs.get().get(graph);
  if (!model || nodes.length === 0) return null;
  const named = [...nodes.slice(0, NAMED)].map((node) =>
    button(model.name[node], {
      class: "link node-link",
      title: `Select ${model.name[node]} of ${graph}`,
      onclick: () => openNodes(graph, [node]),
      onpointerenter: () => hover(graph, [node]),
      onpointerleave: () => hovered.set(null),
    }),
  );
  return el(
    "p",
    { class: "kin-names" },
    ...named.flatMap((each, i) => (i ? [" ", each] : [each])),
    nodes.length > NAMED && el("span", { class: "muted" }, ` +${count(nodes.length - NAMED)}`),
  );
}
