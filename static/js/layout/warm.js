/**
 * Layouts of a small made-up graph while the worker has nothing else to do. A first large graph comes right after the scripts:
 * laid out by code that never ran before it takes two to three times as long.
 */

import { allOpen, groupTree } from "../model/groups.js";
import { GraphModel, layoutModel, OP } from "../model/graph.js";
import { LayoutCache, layoutSteps } from "./layout.js";

/** Enough for the browser to compile what takes long; more is hardly faster. */
const ROUNDS = 12;
const BLOCKS = 6;

/** After so many milliseconds a look at whether there is something to do, and after so many all in all it is enough. */
const SLICE_MS = 4;
const MOST_MS = 200;

/**
 * @param {() => Promise<void>} pause lets messages in
 * @param {() => boolean} wanted whether there is something to do; then it ends
 * @param {() => number} now milliseconds
 */
export async function warmUp(pause, wanted, now) {
  const end = now() + MOST_MS;
  const steps = rounds();
  for (let since = now(); !steps.next().done; ) {
    if (now() - since < SLICE_MS) continue;
    await pause();
    since = now();
    if (wanted() || since > end) return;
  }
}

/** As requests are served, from the copy that a message makes. @returns {Generator<void>} */
export function* rounds() {
  const model = sample();
  yield;
  for (let round = 0; round < ROUNDS; round++) {
    const sent = structuredClone(layoutModel(model));
    const tree = groupTree(sent);
    yield;
    yield* layoutSteps(sent, tree, round % 2 ? allOpen(tree) : tree.open, new LayoutCache());
  }
}

/** Blocks in a row, with a shared module, weights, skips and a backward half: what most passes are there for. */
function sample() {
  const paths = ["", "x", ...Array.from({ length: BLOCKS }, (_, b) => [`x.${b}`, `x.${b}.norm`, `x.${b}.attn`, `x.${b}.act`]).flat()];
  /** @type {[number, number[], number][]} module, the nodes that are read, op */
  const nodes = [[0, [], OP.PLACEHOLDER]];
  const add = (/** @type {number} */ module, /** @type {number[]} */ ...args) => nodes.push([module, args, OP.CALL_FUNCTION]) - 1;
  const weight = (/** @type {number} */ module) => nodes.push([module, [], OP.PLACEHOLDER]) - 1;
  let value = 0;
  for (let block = 2; block < paths.length; block += 4) {
    const [norm, attn, act] = [block + 1, block + 2, block + 3];
    const mean = add(norm, value);
    const scaled = add(norm, add(norm, value, mean), weight(norm));
    const turned = add(act, add(attn, add(attn, scaled, weight(attn)), weight(attn)));
    value = add(block, add(act, add(attn, turned, scaled)), value);
  }
  const forward = nodes.length;
  for (let block = paths.length - 4; block > 1; block -= 4) {
    const read = Math.floor((block / paths.length) * forward);
    value = add(block, add(block + 1, add(block + 2, value, read), read), value);
  }
  nodes.push([0, [value], OP.OUTPUT]);
  return new GraphModel(columns(paths, nodes, forward));
}

/**
 * @param {string[]} paths @param {[number, number[], number][]} nodes @param {number} forward nodes before the backward half
 * @returns {import("../model/types.js").GraphColumns}
 */
function columns(paths, nodes, forward) {
  const zeros = nodes.map(() => 0);
  const module = nodes.map(([own]) => own);
  const edges = nodes.flatMap(([, args], node) => args.map((source) => [source, node]));
  return {
    id: "",
    title: "",
    stage: "joint",
    target: "",
    fragment: 0,
    inference: false,
    parent: "",
    strings: ["op", "f32[8, 64]"],
    kinds: ["input", "matmul"],
    modules: paths.map((path) => ({ path, cls: path.replace(/\d+/, ""), parent: paths.indexOf(path.slice(0, Math.max(0, path.lastIndexOf(".")))) - (path ? 0 : 1) })),
    calls: [],
    lines: [],
    bodies: [],
    outputs: [],
    returns: [],
    edges: { src: edges.map(([source]) => source), dst: edges.map(([, node]) => node), slot_s: edges.map(() => 0), output: edges.map(() => 0) },
    nodes: {
      name: nodes.map((_, node) => String(node)),
      op: nodes.map(([, , op]) => op),
      kind: nodes.map(([, args]) => Math.min(1, args.length)),
      module,
      group: module,
      type_s: nodes.map(() => 1),
      chip: nodes.map(([, args], node) => (node && !args.length ? 1 : 0)),
      backward: nodes.map((_, node) => (node >= forward && node < nodes.length - 1 ? 1 : 0)),
      line: nodes.map(() => -1),
      call: nodes.map(() => -1),
      target_s: zeros,
      label_s: zeros,
      dtype_s: zeros,
      bytes: zeros,
      core: zeros,
      tag_s: zeros,
      original_s: zeros,
    },
  };
}
