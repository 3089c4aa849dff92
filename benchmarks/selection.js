// How long a selection takes on a pair of graphs of ten thousand nodes each: from the click to what the canvas is told to light.
//
//     node benchmarks/selection.js [ROUNDS]
//
// Two joint graphs of about 10,000 nodes, linked node by node (every fourth link only by source line), as one Markdown table of
// milliseconds on standard output: median and most of ROUNDS rounds (200). One run, one process; the first tenth warms the compiler.
// Drawing is not in it: benchmarks/canvas.py has that.

import { layout } from "../static/js/layout/layout.js";
import { allOpen, groupTree } from "../static/js/model/groups.js";
import { kinBetween, sameLine } from "../static/js/model/kin/kin.js";
import { Links } from "../static/js/model/kin/links.js";
import { nodesInside } from "../static/js/model/kin/inside.js";
import { ancestors, descendants, nodesOf } from "../static/js/model/trace/reach.js";
import { subModel } from "../static/js/model/trace/submodel.js";
import { Drawing } from "../static/js/render/drawing.js";
import { Marked } from "../static/js/render/marked.js";
import { jointGraph, random } from "../tests/js/layout/samples.js";

const LAYERS = 94; // about 10,000 nodes
const ROUNDS = Number(process.argv[2] ?? 200);
const next = random(1);

const from = jointGraph(LAYERS);
const to = jointGraph(LAYERS);
const tree = groupTree(to);
const drawing = new Drawing(to, tree, layout(to, tree, allOpen(tree)));
const answer = answerOf();
const links = new Links(answer, from.count, to.count);
const marked = new Marked();

/** Three to four nodes of `to` for every node of `from`. @returns {import("../static/js/model/kin/links.js").LinksAnswer} */
function answerOf() {
  /** @type {[number, number, string][]} */
  const exact = [];
  /** @type {[number, number][]} */
  const line = [];
  for (let i = 0; i < from.count; i++) {
    for (let k = 0; k < 4; k++) {
      const j = Math.min(to.count - 1, i + Math.floor(next() * 12));
      if (k < 3) exact.push([i, j, k === 0 ? "from_node" : "from_node+seq_nr+name"]);
      else line.push([i, j]);
    }
  }
  return { a: "joint.0", b: "other.0", exact, line, unlinked: { a: {}, b: {} } };
}

/** What main/lit.js does with the kin. @param {import("../static/js/model/kin/links.js").Kin} kin */
function light({ exact, line }) {
  marked.setHighlights(drawing, [
    { nodes: Array.from(line), style: "line" },
    { nodes: Array.from(exact), style: "exact" },
  ]);
}

/** @param {readonly number[]} nodes */
function select(nodes) {
  const other = { ...to, id: "other.0" };
  light(kinBetween(from, nodes, /** @type {any} */ (other), links));
}

const any = () => Math.floor(next() * from.count);
const all = [...Array(from.count).keys()];
const largest = [...tree.nodes.keys()].slice(1).reduce((a, b) => (tree.nodes[b] > tree.nodes[a] ? b : a));
const keep = ancestors(to, [to.count - 1]);

/** @type {[string, () => void][]} */
const CASES = [
  ["one node, kin found and lit in the other graph", () => select([any()])],
  ["a hundred nodes", () => select(Array.from({ length: 100 }, any))],
  ["the largest group", () => select(nodesInside(tree, largest))],
  ["every node", () => select(all)],
  ["one node, by source line (links not here yet)", () => void sameLine(from, [any()], to)],
  ["one node selected, with its edges", () => marked.setSelection(drawing, [any()], -1)],
  ["every node selected", () => marked.setSelection(drawing, all, -1)],
  ["ancestors of one node", () => void nodesOf(ancestors(from, [any()]))],
  ["descendants of one node", () => void nodesOf(descendants(from, [any()]))],
  ["a trace put in focus", () => marked.setFocus(drawing, Array.from(nodesOf(ancestors(to, [any()]))))],
  ["once a pair: links as typed arrays", () => void new Links(answer, from.count, to.count)],
  ["once an isolated view: the graph of all its nodes", () => void subModel(to, keep)],
];

/** @param {() => void} run */
function measure(run) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const before = performance.now();
    run();
    times.push(performance.now() - before);
  }
  const kept = times.slice(Math.floor(ROUNDS / 10)).sort((a, b) => a - b);
  return { median: kept[Math.floor(kept.length / 2)], most: kept[kept.length - 1] };
}

const ms = (/** @type {number} */ value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
console.log(`${from.count.toLocaleString("en")} nodes each, ${(answer.exact.length + answer.line.length).toLocaleString("en")} links; ms\n`);
console.log("| | median | most |\n|---|--:|--:|");
for (const [name, run] of CASES) {
  const { median, most } = measure(run);
  console.log(`| ${name} | ${ms(median)} | ${ms(most)} |`);
}
