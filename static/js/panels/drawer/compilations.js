// What a logged run compiled, one row a compile id: how often, how long, and where the time went.

import { getCompilations } from "../../api.js";
import { wordsOf } from "../../base/errors.js";
import { targetOf } from "../../model/capture.js";
import { capture, drawer, showIn } from "../../state.js";
import { whereOf } from "../../state/places.js";
import { button, el, fill } from "../dom.js";
import { count, seconds } from "../format.js";

const HEADS = ["Compile id", "Function", "Graph", "Nodes", "Guards", "Cache", "Time", "Where it went"];

/** @param {HTMLElement} host */
export function mountCompilations(host) {
  let had = "";
  const show = async () => {
    const now = capture.get();
    if (!now || now.source.kind !== "log" || !drawer.get().startsWith("compilations")) return;
    const key = `${now.id} ${now.status}`;
    if (key === had) return;
    had = key;
    try {
      const { compilations } = await getCompilations(now.id);
      fill(host, compilations.length ? tableOf(now, compilations) : el("p", { class: "empty muted" }, "Nothing was compiled."));
    } catch (error) {
      had = "";
      fill(host, el("p", { class: "empty muted" }, wordsOf(error)));
    }
  };
  for (const each of [capture, drawer]) each.subscribe(show);
}

/** @param {Api.Capture} now @param {Api.Compilation[]} compilations */
function tableOf(now, compilations) {
  const total = compilations.reduce((sum, each) => sum + (each.seconds ?? 0), 0);
  return el(
    "table",
    { class: "facts-table compilations" },
    el("caption", {}, `${count(compilations.length)} compiled, ${seconds(total)} in all. Some times lie inside others.`),
    el("thead", {}, el("tr", {}, ...HEADS.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...compilations.map((each) => rowOf(now, each))),
  );
}

/** @param {Api.Capture} now @param {Api.Compilation} each */
function rowOf(now, each) {
  const place = each.frame ? whereOf(each.frame.file, each.frame.line) : "";
  const phases = each.phases.map(([name, spent]) => `${name} ${seconds(spent)}`).join(", ");
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, each.id),
    el("td", {}, each.function, " ", el("span", { class: "muted" }, place)),
    el("td", {}, graphOf(now, each)),
    el("td", { class: "number" }, each.nodes === null ? "" : count(each.nodes)),
    el("td", { class: "number" }, each.guards === null ? "" : count(each.guards)),
    el("td", {}, each.cache),
    el("td", { class: "number" }, each.seconds === null ? "" : seconds(each.seconds)),
    el("td", {}, each.failure || phases),
  );
}

/** A way to the graph, or the word that there is none. @param {Api.Capture} now @param {Api.Compilation} each */
function graphOf(now, each) {
  const dynamo = targetOf(now, each.target)?.stages.find((stage) => stage.id === "dynamo");
  const found = dynamo?.graphs.find(
    (graph) => graph.fragment === each.fragment && graph.recompile === each.recompile && !graph.parent && !graph.variant,
  );
  if (!found) return el("span", { class: "muted" }, "none");
  const words = `fragment ${found.fragment + 1}${found.recompile ? `, compiled anew ${found.recompile}` : ""}`;
  return button(words, { class: "link", onclick: () => showIn(found.id) });
}
