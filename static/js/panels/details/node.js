// One node, whole: everything the answer holds.

import { graphs, selectGroup, showIn } from "../../state.js";
import { button, el } from "../dom.js";
import { swatch } from "../pane/swatch.js";
import { operandPart } from "../bodies/details.js";
import { tracePart } from "./trace.js";
import { alikePart } from "../folding/details.js";
import { mirrorPart } from "../mirror/details.js";
import { framesOf } from "./frames.js";
import { kinPart } from "./kin.js";
import { linkedText, longList, nodeLink, pairs, section } from "./parts.js";
import { outputsOf, statisticsOf } from "./outputs.js";

/** @param {string} gid @param {Api.NodeDetails} node @returns {HTMLElement} */
export function nodeDetails(gid, node) {
  return el(
    "div",
    { class: "node-details" },
    el(
      "header",
      { class: "node-head" },
      el("h2", {}, node.name),
      el(
        "p",
        { class: "node-kind" },
        swatch(node.kind),
        node.kind,
        el("span", { class: "muted" }, ` · ${node.op} · number ${node.index}`),
      ),
      el("p", {}, el("code", { class: "node-target" }, node.target)),
    ),
    tracePart(gid, node.name),
    kinPart(gid),
    mirrorPart(gid, node),
    alikePart(graphs.get().get(gid), node.index),
    operandPart(gid, node),
    placeholderOf(node),
    bodiesOf(node),
    returnsOf(gid, node),
    section(
      node.outputs.length > 1 ? `Values (${node.outputs.length})` : "Value",
      node.outputs.length > 0 && outputsOf(node.outputs),
    ),
    section("Statistics of its values", node.placeholder?.statistics && statisticsOf(node.placeholder.statistics)),
    argumentsOf(gid, node),
    usersOf(gid, node),
    section("Source", framesOf(node.frames)),
    modulesOf(gid, node),
    operatorOf(node),
    originOf(node),
  );
}

/** @param {Api.NodeDetails} node */
function placeholderOf({ placeholder }) {
  if (!placeholder) return null;
  const kind = placeholder.kind === "buffer" && placeholder.persistent === false ? "buffer, not persistent" : placeholder.kind;
  return section(
    "Stands for",
    pairs([
      ["kind", kind],
      ["name", placeholder.name && el("code", {}, placeholder.name)],
      ["torch says", placeholder.desc && el("code", {}, placeholder.desc)],
    ]),
  );
}

/** @param {Api.NodeDetails} node */
function bodiesOf({ bodies }) {
  return section(
    "Body graphs",
    ...bodies.map((gid) =>
      button(`Open ${gid.slice(gid.lastIndexOf("/") + 1)}`, { class: "small", title: gid, onclick: () => showIn(gid) }),
    ),
  );
}

/** @param {string} gid @param {Api.NodeDetails} node */
function returnsOf(gid, { returns }) {
  if (!returns.length) return null;
  const rows = returns.map((each, i) =>
    el(
      "tr",
      {},
      el("td", { class: "number muted" }, i),
      el("td", {}, each.node ? nodeLink(gid, each.node) : el("span", { class: "muted" }, "a constant")),
      el("td", { title: each.desc }, each.kind.replace(/_/g, " "), each.name && el("code", {}, ` ${each.name}`)),
    ),
  );
  return section(`Returns ${returns.length}`, el("table", { class: "facts-table" }, el("tbody", {}, ...rows)));
}

/** @param {string} gid @param {Api.NodeDetails} node */
function argumentsOf(gid, { args, op }) {
  if (!args.length || op === "output") return null;
  return section(
    "Arguments",
    el(
      "table",
      { class: "facts-table" },
      el(
        "tbody",
        {},
        ...args.map((arg) =>
          el("tr", {}, el("th", { scope: "row" }, arg.name), el("td", {}, linkedText(gid, arg.text, arg.refs))),
        ),
      ),
    ),
  );
}

/** @param {string} gid @param {Api.NodeDetails} node */
function usersOf(gid, { users, op }) {
  if (!users.length) return op === "output" ? null : section("Used by", el("p", { class: "muted" }, "nothing in this graph"));
  return section(
    `Used by ${users.length}`,
    longList(users, 12, (user) =>
      el("span", {}, nodeLink(gid, user.name), el("span", { class: "muted" }, ` as argument ${user.slot}`)),
    ),
  );
}

/** Groups of the drawing are known by module path; a node of a backward may stand in the backward's own group. @param {string} gid @param {Api.NodeDetails} node */
function modulesOf(gid, { modules }) {
  if (!modules.length) return null;
  return section(
    "Module",
    el(
      "ol",
      { class: "plain modules" },
      ...modules.map((module) =>
        el(
          "li",
          {},
          module.path
            ? button(module.path, {
                class: "link node-link",
                title: "Select this module's group",
                onclick: () => selectGroup(gid, module.path),
              })
            : el("span", {}, "(root)"),
          el("span", { class: "muted" }, ` ${module.cls}`),
        ),
      ),
    ),
  );
}

/** @param {Api.NodeDetails} node */
function operatorOf({ schema, doc, tags }) {
  return section(
    "Operator",
    schema && el("pre", { class: "schema" }, schema),
    doc && el("details", {}, el("summary", {}, "Docstring"), el("pre", { class: "doc" }, doc)),
    tags.length > 0 && el("p", { class: "tags" }, ...tags.map((tag) => el("span", { class: "tag" }, tag))),
  );
}

/** @type {{[key: string]: string}} */
const ORIGIN_WORDS = {
  original_aten: "decomposed from",
  torch_fn: "torch function",
  source_fn: "source function",
  seq_nr: "sequence number",
  partitioner_tag: "partitioner",
  autograd_backward: "by autograd",
  recompute: "recompute",
};

/** @param {Api.NodeDetails} node */
function originOf({ origin }) {
  if (!origin) return null;
  const rows = Object.entries(ORIGIN_WORDS)
    .filter(([key]) => origin[key] !== undefined && origin[key] !== "" && origin[key] !== null && origin[key] !== false)
    .map(
      ([key, word]) =>
        /** @type {[string, HTMLElement]} */ ([word, el("code", {}, origin[key] === true ? "yes" : String(origin[key]))]),
    );
  return section("Origin", pairs(rows), fromNodes(origin.from_node ?? []));
}

/** @param {{name: string, pass_name?: string, action?: string}[]} sources */
function fromNodes(sources) {
  if (!sources.length) return null;
  return el(
    "ol",
    { class: "plain from" },
    ...sources.map((source) =>
      el(
        "li",
        {},
        el("span", { class: "muted" }, "from "),
        el("code", {}, source.name),
        el(
          "span",
          { class: "muted" },
          [source.pass_name, source.action]
            .filter(Boolean)
            .map((word) => ` · ${word}`)
            .join(""),
        ),
      ),
    ),
  );
}
