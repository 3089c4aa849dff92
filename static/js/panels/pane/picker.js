// The list from which a pane's graph is chosen: every graph of every stage and target, bodies below their graph.

import { withCompared } from "../../model/mirror/shows.js";
import { besides, fragmentsOf, graphOf, stageKey, targetsOf } from "../../model/capture.js";
import { mirrorOptions } from "../mirror/entry.js";
import { storyOption } from "../story/entry.js";
import { el, fill } from "../dom.js";
import { count, stageTitle } from "../format.js";

/** @param {(show: string) => void} onShow */
export function graphPicker(onShow) {
  const element = el("select", { class: "graph-picker", "aria-label": "Graph in this pane" });
  element.addEventListener("change", () => onShow(element.value));
  /** Stands for what is shown where this capture has no such graph. */
  const absent = el("option");
  let shown = "";
  return {
    element,
    /** @param {Api.Capture} now @param {string} show */
    update(now, show) {
      const key = JSON.stringify(
        targetsOf(now).map((target) => target.stages.map((stage) => [stage.status, stage.graphs.length])),
      );
      if (key !== shown) {
        shown = key;
        fill(element, ...targetsOf(now).flatMap((target) => groupsOf(now, target)));
      }
      const value = withCompared(show, false);
      absent.remove();
      element.value = value;
      if (element.selectedIndex < 0) {
        absent.value = value;
        absent.textContent = `${value} (not in this capture)`;
        element.prepend(absent);
        element.value = value;
      }
      const head = graphOf(now, show);
      element.title = head ? `${show}: ${count(head.nodes)} nodes, ${count(head.edges)} edges` : show;
    },
  };
}

/** @param {Api.Capture} now @param {Api.Target} target */
function groupsOf(now, target) {
  const several = targetsOf(now).length > 1;
  const stages = target.stages.map((stage) => {
    const label = `${several ? `${target.id} ` : ""}${stageTitle(stage.id)}`;
    if (!stage.graphs.length) return el("option", { value: stageKey(target.id, stage.id) }, `${label} (${stage.status})`);
    const itself = stage.status === "failed" && el("option", { value: stageKey(target.id, stage.id) }, `${label} (failed)`);
    return el("optgroup", { label }, itself, ...stage.graphs.map((graph) => optionOf(label, stage, graph)));
  });
  const prefix = several ? `${target.id} ` : "";
  return [...stages, mirrorOptions(target, `${prefix}Mirror`), storyOption(target, prefix)];
}

/** @param {string} label @param {Api.Stage} stage @param {Api.GraphHead} graph */
function optionOf(label, stage, graph) {
  const several = fragmentsOf(stage).length > 1;
  const body = graph.id.slice(graph.id.lastIndexOf("/") + 1);
  const depth = graph.id.split("/").length - 1;
  const name = graph.parent ? `${"\u2003".repeat(depth)}${body}` : several ? `${label} ${graph.fragment + 1}` : label;
  const more = graph.parent ? "" : besides(graph);
  return el("option", { value: graph.id }, `${name}${more && ` (${more})`} · ${count(graph.nodes)}`);
}
