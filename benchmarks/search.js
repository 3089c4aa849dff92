// How long a search takes, and how that grows with the graph.
//
//     node benchmarks/search.js [ROUNDS]
//
// Joint graphs of transformers of about 1,000, 10,000 and 100,000 nodes, as one Markdown table of milliseconds of CPU on standard output:
// the median of ROUNDS rounds (15) of one search in one process, every time as if for the first time but for the tables of the graph's
// texts, whose making is the last line. The last column says how many times longer the largest graph takes than the smallest.

import { allOpen, groupTree } from "../static/js/model/groups.js";
import { outlineOf } from "../static/js/model/outline/inside.js";
import { rowsOf } from "../static/js/model/outline/rows.js";
import { search } from "../static/js/model/search/search.js";
import { suggestions } from "../static/js/model/search/suggest.js";
import { GraphModel } from "../static/js/model/graph.js";
import { around } from "../static/js/model/trace/reach.js";
import { jointGraph } from "../tests/js/layout/samples.js";

const ROUNDS = Number(process.argv[2] ?? 15);
const SIZES = [9, 94, 940]; // layers
const SEARCHES = [
  "view",
  "mm attn",
  "op:mm f32[*, 64] module:h.3",
  "mm -> gelu -> mm",
  "layer_norm -> ... -> softmax",
  "view -> mm <- view",
];

/** @param {() => void} run @returns {number} milliseconds of CPU */
function median(run) {
  const times = Array.from({ length: ROUNDS }, () => {
    const { user } = process.cpuUsage();
    run();
    return (process.cpuUsage().user - user) / 1000;
  }).sort((a, b) => a - b);
  return times[times.length >> 1];
}

const models = SIZES.map((layers) => jointGraph(layers));
let turn = 0;
/** @type {[string, (model: GraphModel) => void][]} */
const rows = [
  ...SEARCHES.map(
    (text) =>
      /** @type {[string, (model: GraphModel) => void]} */ ([
        `\`${text}\``,
        (model) => void search(model, text + " ".repeat(1 + (turn++ % 9))),
      ]),
  ),
  ["suggestions for `shape:`", (model) => void suggestions(model, "shape:", 6)],
  [
    "outline, all open",
    (model) => {
      const tree = groupTree(model);
      rowsOf(outlineOf(model, tree), allOpen(tree));
    },
  ],
  ["neighbourhood, 3 steps", (model) => void around(model, [model.count >> 1], 3)],
  ["first search of a graph", (model) => void search(new GraphModel(model.columns), "view")],
];

console.log(`| | ${models.map((model) => `${model.count.toLocaleString("en-US")} nodes`).join(" | ")} | growth |`);
console.log(`|---|${models.map(() => "---|").join("")}---|`);
for (const [name, run] of rows) {
  const times = models.map((model) => median(() => run(model)));
  console.log(
    `| ${name.replaceAll("|", "\\|")} | ${times.map((time) => time.toFixed(2)).join(" | ")} | ${(times[times.length - 1] / times[0]).toFixed(0)}x |`,
  );
}
