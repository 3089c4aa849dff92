// In the details: follow the selected node through its graph, or the paths between two selected ones.

import { graphOf, parseShow } from "../../model/capture.js";
import { capture } from "../../state.js";
import { pathFrom, follow, isolateNear } from "../../state/trace.js";
import { button, el, refill } from "../dom.js";

/** Stages of which torch recorded what differentiates a node. */
const DIFFERENTIATED = new Set(["eager", "dynamo", "joint", "forward", "backward"]);

/** @param {string} gid */
function mayHaveGradient(gid) {
  const now = capture.get();
  const head = now && graphOf(now, gid);
  return head !== null && !head.inference && DIFFERENTIATED.has(parseShow(gid).stage);
}

/** @param {string} gid @param {string} name */
export function tracePart(gid, name) {
  const row = el("div", { class: "trace-row", role: "toolbar", "aria-label": `Follow ${name}` });
  const show = () => refill(row, ...buttonsOf(gid, name));
  show();
  const leave = pathFrom.subscribe(() => {
    if (row.isConnected) show();
    else leave();
  });
  return row;
}

/** @param {string} gid @param {string} name */
function buttonsOf(gid, name) {
  const start = pathFrom.get();
  if (start?.gid === gid && start.name === name) {
    return [
      el("span", { class: "trace-ask", role: "status" }, "Select the other end of the path"),
      button("Cancel", { class: "small", onclick: () => pathFrom.set(null) }),
    ];
  }
  const way = (
    /** @type {"ancestors"|"descendants"|"gradient"} */ how,
    /** @type {string} */ text,
    /** @type {string} */ title,
  ) => button(text, { class: "small", title, onclick: () => follow({ how, gid, from: name, to: "" }) });
  return [
    way("ancestors", "Ancestors", "Everything that computes this node"),
    way("descendants", "Descendants", "Everything computed from this node"),
    mayHaveGradient(gid) &&
      way("gradient", "Gradient path", "The backward nodes that differentiate this node, the gradients they feed, and the saved tensors they read"),
    button("Path to…", {
      class: "small",
      title: "All paths from this node to another one: select it next",
      onclick: () => pathFrom.set({ gid, name }),
    }),
    button("Neighbourhood", {
      class: "small",
      title: "Draw only this node and what is one step around it (i)",
      onclick: () => isolateNear(gid, [name], null),
    }),
  ];
}

/** What can be done with several nodes. @param {string} gid @param {readonly string[]} names */
export function pathPart(gid, names) {
  const [from, to] = names;
  return el(
    "div",
    { class: "trace-row" },
    names.length === 2 &&
      button("Paths between the two", { class: "small", onclick: () => follow({ how: "between", gid, from, to }) }),
    button("Neighbourhood", {
      class: "small",
      title: "Draw only these nodes and what is one step around them (i)",
      onclick: () => isolateNear(gid, names, null),
    }),
  );
}
