// A graph in which nodes have several outputs, a parameter is shared, a buffer is written and a far value arrives late.
import { allOpen, groupTree } from "../../../static/js/model/groups.js";
import { layout } from "../../../static/js/layout/layout.js";
import { GraphModel, layoutModel } from "../../../static/js/model/graph.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { Sketch } from "../layout/samples.js";

export const TYPES = Object.freeze(["f32[4, 3]", "i64[4, 3]"]);

/** @returns {import("../../../static/js/model/types.js").GraphColumns} */
export function severalOutputs() {
  const g = new Sketch("joint.0");
  const x = g.input("x");
  const weight = g.parameter("tied.weight", "", "f32[8, 8]");
  const count = g.parameter("steps", "", "i64[]");
  const first = g.node("linear", [x, weight]);
  const topk = g.node("topk", [first], "", { type: "(f32[4, 3], i64[4, 3])" });
  const values = g.node("getitem", [topk], "", { type: "f32[4, 3]" });
  const again = g.node("linear", [values, weight]);
  const next = g.node("add", [count]);
  const last = g.node("mul", [again, x]);
  g.output([last, next]);
  const columns = g.columns();
  const at = (/** @type {string} */ text) => columns.strings.push(text) - 1;
  columns.edges.src.forEach((source, e) => {
    if (source === topk) columns.edges.output[e] = 0;
  });
  return { ...columns, outputs: [[topk, TYPES.map(at)]], returns: [[next, "buffer_mutation", "steps"], [last, "user_output", ""]] };
}

/** The drawing of a graph with everything open. @param {import("../../../static/js/model/types.js").GraphColumns} columns */
export function drawn(columns) {
  const model = new GraphModel(columns);
  const tree = groupTree(model);
  return new Drawing(model, tree, layout(layoutModel(model), tree, allOpen(tree)));
}

/** The item of a node. @param {Drawing} drawing @param {string} label @param {number} [turn] which of those with this label */
export function item(drawing, label, turn = 0) {
  const { model } = drawing;
  const nodes = model.name.map((_, node) => node).filter((node) => model.labelOf(node) === label);
  return drawing.itemOfNode[nodes[turn]];
}

/** The scene edge between two items. @param {Drawing} drawing @param {number} from @param {number} to */
export function between({ scene: { edges } }, from, to) {
  for (let e = 0; e < edges.count; e++) if (edges.from[e] === from && edges.to[e] === to) return e;
  throw new Error(`no edge from ${from} to ${to}`);
}
