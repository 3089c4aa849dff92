// Graphs to lay out: hand-made models as the API would send them, and seeded random ones.

import { GraphModel } from "../../../static/js/model/graph.js";

export const KINDS = [
  "input",
  "parameter",
  "buffer",
  "constant",
  "output",
  "matmul",
  "conv",
  "pointwise",
  "reduction",
  "view",
  "random",
  "higher-order",
  "symbolic",
  "other",
];

/** Builds columns node by node. */
export class Sketch {
  /** @param {string} [id] */
  constructor(id = "export.0") {
    this.id = id;
    /** @type {Map<string, number>} */
    this.strings = new Map();
    /** @type {Map<string, number>} */
    this.paths = new Map([["", 0]]);
    /** @type {{path: string, cls: string, parent: number}[]} */
    this.modules = [{ path: "", cls: "Model", parent: -1 }];
    /**
     * @type {{name: string, op: number, target: string, label: string, kind: string, type: string, group: number, chip: number,
     *   backward: number, call: number, bytes: number, core: number, tag: string, original: string}[]}
     */
    this.nodes = [];
    /** @type {{name: string, op: string, backward: boolean}[]} */
    this.calls = [];
    this.call = -1;
    /** @type {[number, number, string][]} */
    this.edges = [];
    this.backward = 0;
  }

  /** @param {string} path @param {string} [cls] @returns {number} */
  module(path, cls = "Module") {
    const known = this.paths.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf(".");
    const parent = cut < 0 ? 0 : this.module(path.slice(0, cut));
    this.paths.set(path, this.modules.length);
    return this.modules.push({ path, cls, parent }) - 1;
  }

  /**
   * @param {string} label
   * @param {number[]} args
   * @param {string} [path]
   * @param {{op?: number, kind?: string, type?: string, chip?: number, bytes?: number, core?: number, tag?: string,
   *   original?: string}} [more]
   * @returns {number} the node
   */
  node(label, args, path = "", { op = 2, kind = "other", type = "f32[8, 64]", chip = 0, ...more } = {}) {
    const index = this.nodes.length;
    this.nodes.push({
      name: `${label.replace(/\W/g, "_")}_${index}`,
      op,
      target: `aten.${label}.default`,
      label,
      kind,
      type,
      group: this.module(path),
      chip,
      backward: this.backward,
      call: this.call,
      bytes: more.bytes ?? -1,
      core: more.core ?? -1,
      tag: more.tag ?? "",
      original: more.original ?? "",
    });
    args.forEach((source, i) => this.edges.push([source, index, String(i)]));
    return index;
  }

  /** What is made meanwhile was decomposed from one call. @template T @param {string} name @param {string} op @param {() => T} make */
  decomposed(name, op, make) {
    this.call = this.calls.push({ name, op, backward: this.backward === 1 }) - 1;
    const made = make();
    this.call = -1;
    return made;
  }

  /** @param {string} label */
  input(label, type = "f32[8, 64]") {
    return this.node(label, [], "", { op: 0, kind: "input", type });
  }

  /** @param {string} label @param {string} [path] */
  parameter(label, path = "", type = "f32[64, 64]") {
    return this.node(label, [], path, { op: 0, kind: "parameter", type, chip: 1 });
  }

  /** @param {number[]} args */
  output(args) {
    return this.node("output", args, "", { op: 5, kind: "output", type: "" });
  }

  /** @param {string} text */
  text(text) {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    this.strings.set(text, this.strings.size);
    return this.strings.size - 1;
  }

  columns() {
    const pick = (/** @type {(node: any) => any} */ of) => this.nodes.map(of);
    const columns = {
      id: this.id,
      title: this.id,
      stage: this.id.split(".")[0],
      target: "t1",
      fragment: 0,
      inference: false,
      parent: "",
      nodes: {
        name: pick((n) => n.name),
        op: pick((n) => n.op),
        target_s: pick((n) => this.text(n.target)),
        label_s: pick((n) => this.text(n.label)),
        kind: pick((n) => KINDS.indexOf(n.kind)),
        type_s: pick((n) => this.text(n.type)),
        module: pick((n) => n.group),
        group: pick((n) => n.group),
        line: pick(() => -1),
        chip: pick((n) => n.chip),
        backward: pick((n) => n.backward),
        call: pick((n) => n.call),
        dtype_s: pick((n) => this.text(n.type.replace(/\[.*/, ""))),
        bytes: pick((n) => n.bytes),
        core: pick((n) => n.core),
        tag_s: pick((n) => this.text(n.tag)),
        original_s: pick((n) => this.text(n.original)),
      },
      edges: {
        src: this.edges.map((e) => e[0]),
        dst: this.edges.map((e) => e[1]),
        slot_s: this.edges.map((e) => this.text(e[2])),
        output: this.edges.map(() => 0),
      },
      kinds: KINDS,
      modules: this.modules,
      calls: this.calls,
      lines: [],
      bodies: [],
      outputs: [],
      returns: [],
    };
    return { ...columns, strings: [...this.strings.keys()] };
  }

  model() {
    return new GraphModel(this.columns());
  }
}

/** Small seeded generator (mulberry32): numbers in [0, 1). @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** @param {Sketch} g @param {number} x @param {string} path */
export function linear(g, x, path) {
  g.module(path, "Linear");
  const w = g.parameter(`${path}.weight`, path);
  const b = g.parameter(`${path}.bias`, path, "f32[64]");
  return g.node("linear", [x, w, b], path, { kind: "matmul" });
}

export function mlp() {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < 3; i++) {
    x = linear(g, x, `layers.${2 * i}`);
    if (i < 2) {
      g.module(`layers.${2 * i + 1}`, "ReLU");
      x = g.node("relu", [x], `layers.${2 * i + 1}`, { kind: "pointwise" });
    }
  }
  g.output([x]);
  return g.model();
}

/** @param {number} length */
export function chain(length) {
  const g = new Sketch();
  let x = g.input("x");
  for (let i = 0; i < length; i++)
    x = g.node(i % 3 ? "relu" : "some_longer_name", [x], "", { type: i % 2 ? "f32[8]" : "f32[8, 1024, 1024]" });
  g.output([x]);
  return g.model();
}

/** @param {Sketch} g @param {number} x @param {string} p */
function attention(g, x, p) {
  g.module(p, "Attention");
  const heads = ["q", "k", "v"].map((each) => {
    const projected = linear(g, x, `${p}.${each}_proj`);
    const view = g.node("view", [projected], p, { kind: "view", type: "f32[8, 16, 4, 16]" });
    return g.node("transpose", [view], p, { kind: "view", type: "f32[8, 4, 16, 16]" });
  });
  const mask = g.parameter(`${p}.mask`, p);
  const scores = g.node("matmul", [heads[0], g.node("transpose", [heads[1]], p, { kind: "view" })], p, { kind: "matmul" });
  const scaled = g.node("div", [scores], p, { kind: "pointwise" });
  const masked = g.node("where", [scaled, mask], p, { kind: "pointwise" });
  const weights = g.node("softmax", [masked], p, { kind: "reduction" });
  const mixed = g.node("matmul", [weights, heads[2]], p, { kind: "matmul" });
  const back = g.node("transpose", [mixed], p, { kind: "view" });
  return linear(g, g.node("reshape", [back], p, { kind: "view" }), `${p}.out_proj`);
}

/** @param {Sketch} g @param {number} x @param {string} p */
export function block(g, x, p) {
  g.module(p, "Block");
  const norm = (/** @type {number} */ y, /** @type {string} */ path) => {
    g.module(path, "LayerNorm");
    return g.node("layer_norm", [y, g.parameter(`${path}.weight`, path), g.parameter(`${path}.bias`, path)], path, {
      kind: "reduction",
    });
  };
  const a = g.node("add", [x, attention(g, norm(x, `${p}.ln_1`), `${p}.attn`)], p, { kind: "pointwise" });
  g.module(`${p}.mlp`, "MLP");
  const up = linear(g, norm(a, `${p}.ln_2`), `${p}.mlp.fc`);
  const gelu = g.node("gelu", [up], `${p}.mlp`, { kind: "pointwise" });
  return g.node("add", [a, linear(g, gelu, `${p}.mlp.proj`)], p, { kind: "pointwise" });
}

/** @param {number} layers */
export function transformer(layers) {
  const g = new Sketch();
  const ids = g.input("ids", "i64[8, 16]");
  let x = g.node("embedding", [ids, g.parameter("wte.weight", "wte")], "wte", { kind: "other" });
  x = g.node("add", [x, g.parameter("wpe.weight", "wpe")], "", { kind: "pointwise" });
  for (let i = 0; i < layers; i++) x = block(g, x, `h.${i}`);
  g.output([linear(g, x, "lm_head")]);
  return g.model();
}

/** A recurrent cell unrolled: two lines of state, gates in between. @param {number} steps */
export function lstm(steps) {
  const g = new Sketch();
  const x = g.input("x");
  let h = g.input("h0");
  let c = g.input("c0");
  const w = g.parameter("lstm.weight_ih", "lstm");
  const u = g.parameter("lstm.weight_hh", "lstm");
  const parts = g.node("unbind", [x], "lstm", { kind: "view" });
  const outs = [];
  for (let t = 0; t < steps; t++) {
    const xt = g.node("getitem", [parts], "lstm", { kind: "view" });
    const gates = g.node(
      "add",
      [g.node("linear", [xt, w], "lstm", { kind: "matmul" }), g.node("linear", [h, u], "lstm", { kind: "matmul" })],
      "lstm",
      { kind: "pointwise" },
    );
    const split = g.node("chunk", [gates], "lstm", { kind: "view" });
    const [i, f, o, n] = [0, 1, 2, 3].map((k) =>
      g.node(k < 3 ? "sigmoid" : "tanh", [g.node("getitem", [split], "lstm", { kind: "view" })], "lstm", {
        kind: "pointwise",
      }),
    );
    c = g.node("add", [g.node("mul", [f, c], "lstm"), g.node("mul", [i, n], "lstm")], "lstm", { kind: "pointwise" });
    h = g.node("mul", [o, g.node("tanh", [c], "lstm")], "lstm", { kind: "pointwise" });
    outs.push(h);
  }
  g.output([g.node("stack", outs, "lstm", { kind: "view" }), h, c]);
  return g.model();
}

/**
 * Forward and backward of a transformer in one graph: the forward's values are read again, in reverse order.
 * @param {number} layers @param {boolean} [modules] false: nothing is in a module
 */
export function jointGraph(layers, modules = true) {
  const g = new Sketch("joint.0");
  const at = (/** @type {string} */ path) => (modules ? path : "");
  /** @type {{path: string, y: number, saved: number[], weight: number}[]} */
  const tape = [];
  /** @param {string} op @param {number[]} args @param {string} path @param {string} kind */
  const step = (op, args, path, kind) => {
    const weight = kind === "matmul" ? g.parameter(`${path}.weight`, at(path)) : -1;
    const view = g.node("view", [args[0]], at(path), { kind: "view" });
    const core = g.node(op, weight < 0 ? [view, ...args.slice(1)] : [view, ...args.slice(1), weight], at(path), { kind });
    const y = g.node("view", [core], at(path), { kind: "view" });
    tape.push({ path, y, saved: [view, core], weight });
    return y;
  };
  const sublayer = (/** @type {number} */ x, /** @type {string} */ p) => {
    const q = step("mm", [x], `${p}.q`, "matmul");
    const k = step("mm", [x], `${p}.k`, "matmul");
    const v = step("mm", [x], `${p}.v`, "matmul");
    const s = step("softmax", [step("bmm", [q, k], p, "reduction")], p, "reduction");
    return step("mm", [step("bmm", [s, v], p, "reduction")], `${p}.o`, "matmul");
  };
  let x = g.input("x");
  const tangent = g.input("tangents_1");
  for (let i = 0; i < layers; i++) {
    const p = `h.${i}`;
    x = g.node("add", [x, sublayer(step("layer_norm", [x], `${p}.ln_1`, "reduction"), `${p}.attn`)], at(p), {
      kind: "pointwise",
    });
    const m = step(
      "gelu",
      [step("mm", [step("layer_norm", [x], `${p}.ln_2`, "reduction")], `${p}.mlp.fc`, "matmul")],
      `${p}.mlp`,
      "pointwise",
    );
    x = g.node("add", [x, step("mm", [m], `${p}.mlp.proj`, "matmul")], at(p), { kind: "pointwise" });
  }
  const out = step("mm", [x], "head", "matmul");
  g.backward = 1;
  let grad = tangent;
  const grads = [];
  for (const { path, saved, weight } of tape.reverse()) {
    const view = g.node("view", [grad], at(path), { kind: "view" });
    if (weight >= 0) {
      const t = g.node("permute", [weight], at(path), { kind: "view" });
      grads.push(
        g.node("permute", [g.node("mm", [view, saved[0]], at(path), { kind: "matmul" })], at(path), { kind: "view" }),
      );
      grad = g.node("view", [g.node("mm", [view, t], at(path), { kind: "matmul" })], at(path), { kind: "view" });
    } else {
      grad = g.node(
        "view",
        [g.node("mul", [view, g.node("detach", [saved[1]], at(path), { kind: "view" })], at(path), { kind: "pointwise" })],
        at(path),
        { kind: "view" },
      );
    }
    if (path.includes("ln_"))
      grad = g.node("add", [grad, view], at(path.slice(0, path.lastIndexOf("."))), { kind: "pointwise" });
  }
  g.backward = 0;
  g.output([out, grad, ...grads]);
  return g.model();
}

/**
 * A random graph: nested groups at random (so groups may depend on each other in circles), multi-edges, hubs, parts that
 * hang together with nothing.
 * @param {number} seed @param {number} count
 */
export function randomGraph(seed, count) {
  const next = random(seed);
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  const g = new Sketch(`random.${seed}`);
  const groups = [""];
  const wanted = below(Math.ceil(count / 4) + 1);
  for (let k = 0; k < wanted; k++) {
    const around = groups[below(groups.length)];
    if (around.split(".").length < 9) groups.push(around ? `${around}.m${k}` : `m${k}`);
  }
  const near = next() < 0.5;
  const scattered = next() < 0.3;
  const degree = 0.5 + next() * 2;
  for (let i = 0; i < count; i++) {
    const path = groups[scattered ? below(groups.length) : Math.floor((i / count) * groups.length)];
    const args = [];
    for (let k = 0; i > 0 && k < 4; k++) {
      if (next() * 4 < degree) args.push(near ? Math.max(0, i - 1 - below(6)) : next() < 0.1 ? 0 : below(i));
    }
    const chip = args.length === 0 && next() < 0.3 ? 1 : 0;
    g.backward = i > count / 2 && seed % 3 === 0 ? 1 : 0;
    g.node("op".repeat(1 + below(8)), args, path, {
      chip,
      op: args.length ? 2 : 0,
      type: next() < 0.1 ? "" : "f32[2, 3]".repeat(1 + below(4)),
    });
  }
  return g.model();
}
