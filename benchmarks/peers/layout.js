// One layout by somebody else's library, in a process of its own that may be ended: its CPU milliseconds on standard output.
//
//     node benchmarks/peers/layout.js (dagre|elk) < GRAPH
//
// GRAPH: {"nodes": [[width, height], ...], "edges": [[from, to], ...]}. A small graph is laid out first, to warm the compiler.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** @typedef {{nodes: [number, number][], edges: [number, number][]}} Graph */

/** @type {{[peer: string]: () => (graph: Graph) => Promise<void>}} */
const PEERS = {
  dagre: () => {
    const dagre = require("@dagrejs/dagre");
    return async ({ nodes, edges }) => {
      const g = new dagre.graphlib.Graph({ multigraph: false });
      g.setGraph({ rankdir: "TB" });
      g.setDefaultEdgeLabel(() => ({}));
      nodes.forEach(([width, height], i) => g.setNode(String(i), { width, height }));
      for (const [from, to] of edges) g.setEdge(String(from), String(to));
      dagre.layout(g);
    };
  },
  elk: () => {
    const elk = new (require("elkjs"))();
    return async ({ nodes, edges }) => {
      await elk.layout({
        id: "root",
        layoutOptions: { "elk.algorithm": "layered", "elk.direction": "DOWN", "elk.edgeRouting": "ORTHOGONAL" },
        children: nodes.map(([width, height], i) => ({ id: String(i), width, height })),
        edges: edges.map(([from, to], i) => ({ id: `e${i}`, sources: [String(from)], targets: [String(to)] })),
      });
    };
  },
};

/** @param {(graph: Graph) => Promise<void>} layOut @param {Graph} graph */
async function cpuMs(layOut, graph) {
  const before = process.cpuUsage();
  await layOut(graph);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const layOut = PEERS[process.argv[2]]();
const graph = JSON.parse(readFileSync(0, "utf8"));
await layOut({ nodes: Array(60).fill([80, 40]), edges: Array.from({ length: 59 }, (_, i) => [i, i + 1]) });
const first = await cpuMs(layOut, graph);
const again = first < 5_000 ? [await cpuMs(layOut, graph), await cpuMs(layOut, graph)] : [];
console.log(Math.min(first, ...again));
process.exit(0);
