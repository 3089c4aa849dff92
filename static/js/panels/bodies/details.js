// In the details, of a graph that a higher-order op runs: which op, and what each of its inputs stands for.

import { graphOf } from "../../model/capture.js";
import { operandsOf, runnerOf } from "../../model/bodies.js";
import { leaveBody } from "../../state/bodies.js";
import { capture, graphs, select, showIn } from "../../state.js";
import { need } from "../../state/need.js";
import { button, el, fill } from "../dom.js";
import { section } from "../details/parts.js";

/** Of the graph itself: what runs it. @param {string} gid @returns {HTMLElement|null} null: it is no body */
export function bodyPart(gid) {
  const parent = parentOf(gid);
  if (!parent) return null;
  const place = el("span", {}, parent);
  const words = el("p", {}, "A graph that ", place, " runs.");
  fillLater(place, parent, (around) => {
    const runner = runnerOf(around, gid);
    return runner < 0 ? null : button(around.name[runner], { class: "link node-link", title: `Back to ${around.name[runner]} in ${parent}`, onclick: () => leaveBody(gid) });
  });
  return section("Body", words);
}

/** Of one of its inputs: what it stands for in the graph around. @param {string} gid @param {{name: string, op: string}} node @returns {HTMLElement|null} */
export function operandPart(gid, node) {
  const parent = parentOf(gid);
  if (!parent || node.op !== "placeholder") return null;
  const place = el("p", { class: "muted" }, "…");
  fillLater(place, parent, (around) => {
    const body = graphs.get().get(gid);
    const runner = runnerOf(around, gid);
    const operand = body && runner >= 0 ? operandsOf(around, runner, body).get(body.indexOf(node.name)) : undefined;
    if (operand === undefined) return null;
    const name = around.name[operand];
    const link = button(name, {
      class: "link node-link",
      title: `Select ${name} in ${parent}`,
      onclick: () => {
        showIn(parent);
        select(parent, [name]);
      },
    });
    return el("span", {}, link, ` of ${parent}, an operand of ${around.name[runner]}`);
  });
  return section("Is given", place);
}

/** @param {string} gid */
function parentOf(gid) {
  const now = capture.get();
  return (now && graphOf(now, gid)?.parent) || "";
}

/** @param {HTMLElement} place @param {string} parent @param {(around: import("../../model/graph.js").GraphModel) => HTMLElement|null} make null: it can not be told */
async function fillLater(place, parent, make) {
  const made = make(await need(parent));
  if (made) fill(place, made);
  else if (place.textContent === "…") fill(place, "what torch hands over here is not known");
}
