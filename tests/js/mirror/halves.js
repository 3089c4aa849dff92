// Forward and backward graphs as the API would send them, with what is saved between them.

import { MirrorModel } from "../../../static/js/model/mirror/mirror.js";
import { LayoutCache, layout } from "../../../static/js/layout/layout.js";
import { mirrorScene } from "../../../static/js/layout/mirror/mirror.js";
import { Sketch, random } from "../layout/samples.js";

/**
 * @typedef {import("../../../static/js/model/mirror/types.js").MirrorAnswer} MirrorAnswer
 * @typedef {{path: string, node: number, name: string, weight: number}} Step a call of the forward
 */

/** The columns of both graphs as they were given. @type {WeakMap<MirrorModel, {[gid: string]: import("../../../static/js/model/types.js").GraphColumns}>} */
export const given = new WeakMap();

/** Writes a forward step by step, and then the backward that differentiates it. */
export class Tape {
  constructor() {
    this.ahead = new Sketch("forward.0");
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Set<number>} calls that the backward makes again rather than read */
    this.again = new Set();
  }

  /** @param {string} op @param {number[]} args @param {string} path @param {boolean} [weighs] */
  call(op, args, path, weighs = false) {
    const weight = weighs ? this.ahead.parameter(`${path}.weight`, path) : -1;
    const node = this.ahead.node(op, weighs ? [...args, weight] : args, path, { kind: weighs ? "matmul" : "pointwise" });
    this.steps.push({ path, node, name: this.ahead.nodes[node].name, weight });
    return node;
  }

  /** @param {number[]} outputs @returns {MirrorModel} */
  mirror(outputs) {
    const back = new Sketch("backward.0");
    /** @type {MirrorAnswer["cut"]["saved"]} */
    const saved = [];
    const kin = [];
    const save = (/** @type {number} */ forward, /** @type {string} */ path) => {
      const made = this.ahead.nodes[forward];
      const backward = back.node(made.label, [], path, { op: 0, kind: "input" });
      back.nodes[backward].name = made.name;
      kin[backward] = forward;
      saved.push({
        ...SAVED,
        storage: saved.length,
        name: made.name,
        label: made.label,
        kind: made.chip ? "parameter" : "call",
        forward,
        backward,
      });
      return backward;
    };
    const kept = new Map();
    for (const { node, path, weight } of this.steps) {
      if (weight >= 0) kept.set(weight, save(weight, path));
      if (!this.again.has(node)) kept.set(node, save(node, path));
    }
    let grad = back.input("tangents_1");
    kin[grad] = -1;
    const gradients = [];
    const recomputed = [];
    for (const { node, path, weight, name } of [...this.steps].reverse()) {
      if (!kept.has(node)) {
        const twin = back.node(this.ahead.nodes[node].label, [grad], path);
        back.nodes[twin].name = name;
        kin[twin] = node;
        recomputed.push({ name, forward: node, backward: twin, module: path, free: false });
        kept.set(node, twin);
      }
      if (weight >= 0) {
        gradients.push({ name: this.ahead.nodes[weight].label, node: back.node("mm", [grad, kept.get(node)], path) });
        kin[gradients[gradients.length - 1].node] = node;
      }
      grad = back.node("mul", [grad, kept.get(weight >= 0 ? weight : node)], path);
      kin[grad] = node;
    }
    this.ahead.output([...outputs, ...saved.map((each) => each.forward)]);
    /** @type {[number, string, string][]} */
    const returns = outputs.map((node) => [node, "user_output", ""]);
    for (const each of saved) returns.push([each.forward, "saved", each.name]);
    const ahead = { ...this.ahead.columns(), returns };
    kin[back.output([grad, ...gradients.map((each) => each.node)])] = -1;
    const totals = { saved: saved.length, sizes: 0, bytes: 0, held_bytes: 0, unknown: 0, recomputed: 0, free: 0, gradients: 0 };
    const cut = { forward: "forward.0", backward: "backward.0", partitioner: /** @type {const} */ ("min_cut") };
    const storages = saved.map(({ name, bytes, kind }, i) => ({ name, bytes, held: kind === "parameter", saved: [i] }));
    const columns = { "forward.0": ahead, "backward.0": back.columns() };
    const mirror = new MirrorModel(
      { cut: { ...cut, saved, storages, recomputed, gradients, totals }, rows: [], kin, other: null, difference: [] },
      columns["forward.0"],
      columns["backward.0"],
    );
    given.set(mirror, columns);
    return mirror;
  }
}

/** @type {MirrorAnswer["cut"]["saved"][number]} */
const SAVED = Object.freeze({
  name: "",
  label: "",
  kind: "call",
  forward: -1,
  backward: -1,
  type: "f32[8, 64]",
  dtype: "float32",
  shape: [8, 64],
  bytes: 2048,
  storage: 0,
  view: false,
  module: "",
  readers: [],
  reasons: ["cheapest"],
  said: "",
});

/** A transformer of so many blocks. @param {number} blocks */
export function transformerHalves(blocks) {
  const tape = new Tape();
  let x = tape.call("embedding", [tape.ahead.input("ids")], "wte", true);
  for (let i = 0; i < blocks; i++) {
    const p = `h.${i}`;
    const n = tape.call("layer_norm", [x], `${p}.ln`, true);
    const q = tape.call("linear", [n], `${p}.attn.q`, true);
    const k = tape.call("linear", [n], `${p}.attn.k`, true);
    const s = tape.call("bmm", [q, k], `${p}.attn`);
    tape.again.add(s);
    x = tape.call("add", [x, tape.call("linear", [s], `${p}.attn.out`, true)], p);
    const gelu = tape.call("gelu", [tape.call("linear", [x], `${p}.mlp.fc`, true)], `${p}.mlp`);
    x = tape.call("add", [x, tape.call("linear", [gelu], `${p}.mlp.proj`, true)], p);
  }
  return tape.mirror([tape.call("linear", [x], "head", true)]);
}

/** Calls in modules at random, so that modules come back, depend on each other in circles, and stand beside each other. @param {number} seed @param {number} count */
export function randomHalves(seed, count) {
  const next = random(seed);
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  const tape = new Tape();
  const paths = [""];
  for (let i = 0; i < 1 + below(count / 3); i++) {
    const around = paths[below(paths.length)];
    if (around.split(".").length < 6) paths.push(around ? `${around}.m${i}` : `m${i}`);
  }
  const made = [tape.ahead.input("x"), tape.ahead.input("y")];
  const scattered = next() < 0.5;
  for (let i = 0; i < count; i++) {
    const path = paths[scattered ? below(paths.length) : Math.floor((i / count) * paths.length)];
    const args = [made[made.length - 1 - below(Math.min(made.length, 6))]];
    if (next() < 0.5) args.push(made[below(made.length)]);
    const node = tape.call("op".repeat(1 + below(5)), args, path, next() < 0.3);
    if (next() < 0.2) tape.again.add(node);
    made.push(node);
  }
  return tape.mirror([made[made.length - 1]]);
}

/** The mirror laid out, with these groups open. @param {MirrorModel} mirror @param {Uint8Array} [open] */
export function laidOut(mirror, open = mirror.tree.open) {
  const halves = mirror.halves(open);
  const { forward, backward } = mirror.sides;
  const scenes = {
    forward: layout(forward, mirror.trees.forward, halves.forward, new LayoutCache(), { wrap: false }),
    backward: layout(backward, mirror.trees.backward, halves.backward, new LayoutCache(), { wrap: false }),
  };
  return { ...mirrorScene(scenes.forward, scenes.backward, mirror.offsets, mirror.partner), halves: scenes };
}
