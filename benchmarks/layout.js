// How long layout takes, and how that grows: joint graphs of transformers, as one Markdown table on standard output.
//
//     node benchmarks/layout.js [ROUNDS]
//
// CPU milliseconds of this process (user + system), the least of ROUNDS rounds (3), each with a fresh cache; the first round
// warms the compiler. "x" is the growth over the row above.

import { LayoutCache, layout } from "../static/js/layout/layout.js";
import { allOpen, groupTree, toggled } from "../static/js/model/groups.js";
import { jointGraph } from "../tests/js/layout/samples.js";

const SIZES = [9, 94, 940]; // layers: about 1,000, 10,000 and 100,000 nodes
const ROUNDS = Number(process.argv[2] ?? 3);

/** @param {() => void} run */
function cpuMs(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {() => void} run */
function least(run) {
  return Math.min(...Array.from({ length: ROUNDS + 1 }, () => cpuMs(run)).slice(1));
}

/**
 * The slowest of opening each of the first groups, from the graph as it opens by itself.
 * @param {import("../static/js/model/graph.js").GraphModel} model
 * @param {import("../static/js/model/types.js").GroupTree} tree
 */
function slowestToggle(model, tree) {
  const cache = new LayoutCache();
  layout(model, tree, tree.open, cache);
  const closed = [...tree.path.keys()].filter(
    (group) => tree.shown[group] === group && !tree.open[group] && tree.open[tree.box[group]],
  );
  return Math.max(
    0,
    ...closed.slice(0, 20).map(
      (group) =>
        least(() => {
          layout(model, tree, toggled(tree, tree.open, group), cache);
          layout(model, tree, tree.open, cache);
        }) / 2,
    ),
  );
}

/** @param {number} layers @param {boolean} modules */
function measure(layers, modules) {
  const model = jointGraph(layers, modules);
  const tree = groupTree(model);
  const scene = layout(model, tree, allOpen(tree));
  return {
    nodes: model.count,
    edges: scene.edges.count,
    stubs: scene.edges.stub.reduce((sum, each) => sum + each, 0),
    "group tree": least(() => void groupTree(model)),
    "as it opens": least(() => void layout(model, tree, tree.open)),
    "all open": least(() => void layout(model, tree, allOpen(tree))),
    "one toggle": slowestToggle(model, tree),
  };
}

/** @param {number} value @param {number|undefined} before */
const cell = (value, before) =>
  `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")}${before ? ` (x${(value / before).toFixed(1)})` : ""}`;

for (const modules of [true, false]) {
  const rows = SIZES.map((layers) => measure(layers, modules));
  const columns = Object.keys(rows[0]);
  console.log(`\n${modules ? "Grouped by module" : "Without modules: one flat group"}; CPU ms\n`);
  console.log(`| ${columns.join(" | ")} |\n|${columns.map(() => "--:|").join("")}`);
  rows.forEach((row, i) => console.log(`| ${columns.map((name) => cell(row[name], rows[i - 1]?.[name])).join(" | ")} |`));
}
