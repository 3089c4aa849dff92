/** What a list of traced nodes says of them. */

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 * @typedef {{node: number, name: string, dtype: string, shape: string, bytes: number}} Tensor `bytes`: -1 when not known
 */

/** Kinds of what comes into a graph, in the order in which a summary names them. */
const GIVEN = ["input", "parameter", "buffer", "constant"];

/**
 * Values kept for the backward among some nodes: in a forward what it returns for it, in a backward what it is given.
 * @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {Tensor[]} in execution order
 */
export function savedAmong(model, nodes) {
  const saved = savedIn(model);
  return Array.from(nodes)
    .filter((node) => saved.has(node))
    .map((node) => tensorOf(model, node));
}

/** @param {GraphModel} model @returns {Set<number>} */
function savedIn(model) {
  if (model.stage !== "backward") return new Set(model.returns.filter(([, kind]) => kind === "saved").map(([node]) => node));
  const given = [...Array(model.count).keys()].filter((node) => model.op[node] === 0);
  return new Set(given.filter((node) => !/^tangents_\d+$/.test(model.name[node]))); // AOTAutograd's name for a gradient that comes in
}

/** @param {GraphModel} model @param {number} node @returns {Tensor} */
export function tensorOf(model, node) {
  const [, dtype = "", shape = ""] = /^(\w+)(\[.*\])$/.exec(model.typeOf(node)) ?? [];
  return { node, name: model.name[node], dtype, shape, bytes: model.bytes[node] };
}

/** The sum of what is known. @param {readonly {bytes: number}[]} tensors */
export function bytesOf(tensors) {
  return tensors.reduce((sum, { bytes }) => sum + Math.max(0, bytes), 0);
}

/**
 * How many of some nodes are given to the graph, by kind, and how many of its results they are.
 * @param {GraphModel} model @param {ArrayLike<number>} nodes @returns {[kind: string, count: number][]} only what there is
 */
export function endsOf(model, nodes) {
  const counts = new Map(GIVEN.map((kind) => [kind, 0]));
  let gradients = 0;
  const gradient = new Set(model.returns.filter(([, kind]) => kind === "gradient").map(([node]) => node));
  for (let i = 0; i < nodes.length; i++) {
    const kind = model.kindOf(nodes[i]);
    if (model.op[nodes[i]] < 2 && counts.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (gradient.has(nodes[i])) gradients++;
  }
  return /** @type {[string, number][]} */ ([...counts, ["gradient", gradients]]).filter(([, count]) => count > 0);
}
