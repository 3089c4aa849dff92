// How long layout takes, how that grows, and how long dagre and ELK take for the same boxes and lines: Markdown tables.
//
//     node benchmarks/layout.js [--rounds=3] [PAGE ...]
//
// PAGE: the page of a capture on a running server, such as http://127.0.0.1:8000/c/ID: one graph of each of its stages is laid
// out by all three, or those of its panes where it is a link with panes (ID#v1?p=joint.0). Without a page it is the growth of
// made-up joint graphs of transformers that is measured, and two of them are laid out by all three.
//
// CPU milliseconds of the process (user + system), the least of ROUNDS rounds, each with a fresh cache; a round before
// warms the compiler. "x" is the growth over the row above, and beside a peer how many times our own time it takes. Peers get
// PEER_SECONDS of CPU and a large stack, since dagre is recursive; without one it fails on chains of some thousand nodes.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { LayoutCache, layout } from "../static/js/layout/layout.js";
import { GraphModel } from "../static/js/model/graph.js";
import { allOpen, groupTree, toggled } from "../static/js/model/groups.js";
import { decodeView } from "../static/js/model/viewhash.js";
import { jointGraph } from "../tests/js/layout/samples.js";

const SIZES = [9, 94, 940]; // layers: about 1,000, 10,000 and 100,000 nodes
const PEER_SECONDS = 90;
const OPTION = "--rounds=";
const ROUNDS = Number(process.argv.find((word) => word.startsWith(OPTION))?.slice(OPTION.length) ?? 3);
const CAPTURES = process.argv.slice(2).filter((word) => !word.startsWith(OPTION));

/** @typedef {import("../static/js/base/scene/scene.js").Scene} Scene */

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
 * @param {GraphModel} model
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

/** Prints a table, each row as it comes. @param {Iterable<{[column: string]: string}>} rows */
function table(rows) {
  let columns = /** @type {string[]} */ ([]);
  for (const row of rows) {
    if (columns.length === 0) {
      columns = Object.keys(row);
      console.log(`| ${columns.join(" | ")} |\n|${columns.map((_, i) => (i === 0 ? "---|" : "--:|")).join("")}`);
    }
    console.log(`| ${columns.map((name) => row[name]).join(" | ")} |`);
  }
}

function growth() {
  for (const modules of [true, false]) {
    const rows = SIZES.map((layers) => measure(layers, modules));
    console.log(`\n${modules ? "Grouped by module" : "Without modules: one flat group"}; CPU ms\n`);
    const cells = rows.map((row, i) => {
      const before = /** @type {{[column: string]: number}} */ (rows[i - 1] ?? {});
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value, before[name])]));
    });
    table(cells);
  }
}

/** The same graph without modules: one group holds everything, which is all that dagre can lay out. @param {GraphModel} model */
function flattened(model) {
  const all = { group: new Int32Array(model.count), modules: model.modules.slice(0, 1), backward: new Uint8Array(model.count) };
  return /** @type {GraphModel} */ (Object.assign(Object.create(model), all));
}

/** What a peer is given: the boxes and the lines of the flat drawing. @param {Scene} scene @returns {string} */
function asPeersHaveIt({ items, edges }) {
  return JSON.stringify({
    nodes: Array.from(items.w, (w, i) => [w, items.h[i]]),
    edges: Array.from(edges.from, (from, e) => [from, edges.to[e]]),
  });
}

/** CPU milliseconds of a peer; null: nothing within PEER_SECONDS of CPU, or it failed, with the reason on standard error. @param {string} peer @param {string} graph @returns {number|null} */
function peerMs(peer, graph) {
  const script = fileURLToPath(new URL("./peers/layout.js", import.meta.url));
  const limited = ["-c", `ulimit -t ${PEER_SECONDS}; exec "$@"`, "sh", process.execPath, "--stack-size=4000", script, peer];
  const ran = spawnSync("sh", limited, { input: graph, encoding: "utf8" });
  const value = Number.parseFloat(ran.stdout);
  if (Number.isFinite(value)) return value;
  if (ran.signal !== "SIGXCPU" && ran.signal !== "SIGKILL") console.error(`${peer}: ${ran.stderr.trim().split("\n").find((line) => /Error/.test(line)) ?? ran.error}`);
  return null;
}

/** @param {string} name @param {GraphModel} model */
function compared(name, model) {
  const flat = flattened(model);
  const flatTree = groupTree(flat);
  const scene = layout(flat, flatTree, allOpen(flatTree));
  const tree = groupTree(model);
  const graph = asPeersHaveIt(scene);
  const ours = least(() => void layout(flat, flatTree, allOpen(flatTree)));
  const [dagre, elk] = ["dagre", "elk"].map((peer) => peerMs(peer, graph));
  const times = (/** @type {number|null} */ peer) => (peer === null ? `more than ${PEER_SECONDS} s, or failed` : `${cell(peer, 0)} (x${Math.round(peer / ours)})`);
  return {
    graph: name,
    nodes: model.count.toLocaleString("en"),
    boxes: scene.items.count.toLocaleString("en"),
    lines: scene.edges.count.toLocaleString("en"),
    "flat, ours": cell(ours, 0),
    "flat, dagre": times(dagre),
    "flat, ELK": times(elk),
    "in groups, all open": cell(least(() => void layout(model, tree, allOpen(tree))), 0),
    "in groups, as it opens": cell(least(() => void layout(model, tree, tree.open)), 0),
  };
}

/** @param {[string, GraphModel][]} graphs */
function* comparisons(graphs) {
  for (const [name, model] of graphs) yield compared(name, model);
}

/** The graphs of a capture on a running server: those of the link's panes, else one of each stage. @param {string} address its page @returns {Promise<[string, GraphModel][]>} */
async function graphsOf(address) {
  const page = new URL(address);
  const api = `${page.origin}/api/captures/${page.pathname.split("/").pop()}`;
  const capture = await (await fetch(api)).json();
  const linked = decodeView(page.hash)?.panes.map(({ show }) => show) ?? [];
  const all = capture.targets
    .flatMap((/** @type {any} */ target) => target.stages)
    .flatMap((/** @type {any} */ stage) => stage.graphs.slice(0, 1))
    .map((/** @type {any} */ graph) => graph.id);
  /** @type {[string, GraphModel][]} */
  const found = [];
  for (const gid of linked.length ? linked : all) {
    const answer = await (await fetch(`${api}/graphs/${encodeURIComponent(gid)}`)).json();
    found.push([`${capture.source.files[0]?.name ?? capture.id} ${gid}`, new GraphModel(answer)]);
  }
  return found;
}

async function againstPeers() {
  const graphs = /** @type {[string, GraphModel][]} */ ([]);
  for (const address of CAPTURES) graphs.push(...(await graphsOf(address)));
  if (graphs.length === 0) graphs.push(["a made-up joint graph of 9 layers", jointGraph(9)], ["of 94 layers", jointGraph(94)]);
  console.log(`\nAgainst dagre ${version("@dagrejs/dagre")} and ELK ${version("elkjs")}; CPU ms, each in one process\n`);
  table(comparisons(graphs));
}

/** @param {string} library */
function version(library) {
  const { resolve } = createRequire(import.meta.url);
  const inside = resolve(library).slice(0, resolve(library).lastIndexOf(`node_modules/${library}`));
  return JSON.parse(readFileSync(`${inside}node_modules/${library}/package.json`, "utf8")).version;
}

if (CAPTURES.length === 0) growth();
await againstPeers();
