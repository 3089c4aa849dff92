// Writes the API's answer about a made-up joint graph of a transformer: `node benchmarks/viewer/made.js LAYERS`, as the server sends it.
//
// 94 layers are about 10,000 nodes, 940 about 100,000; benchmarks/layout.js lays out the same graphs.

import { jointGraph } from "../../tests/js/layout/samples.js";

const { columns } = jointGraph(Number(process.argv[2]));
process.stdout.write(JSON.stringify({ ...columns, id: process.argv[3] ?? columns.id }));
