/**
 * What may stand before a colon. A field says of every node whether one text holds of it, and which texts there are to ask for.
 */

import { OP } from "../graph.js";
import { shapeTest, tensorsOf } from "./shape.js";
import { tablesOf } from "./tables.js";
import { matching } from "./words.js";

/**
 * @typedef {import("../graph.js").GraphModel} GraphModel
 *
 * @typedef {object} Field
 * @property {string} what one line for the help
 * @property {string} example
 * @property {(model: GraphModel, text: string) => Uint8Array} mask 1: the text, in small letters, holds of this node
 * @property {(model: GraphModel, node: number) => readonly string[]} values what of this node can be asked for
 */

/** @type {Readonly<{[name: string]: Field}>} */
export const FIELDS = Object.freeze({
  op: {
    what: "operator by its name: add is not addmm; * for any letters",
    example: "op:aten.*mm",
    mask: (model, text) => {
      const found = matching(tablesOf(model).strings, text, tablesOf(model).operators);
      return each(model, (i) => isCall(model, i) && (found[model.label[i]] || found[model.target[i]]));
    },
    values: (model, node) => (isCall(model, node) ? [model.labelOf(node)] : []),
  },
  name: {
    what: "the node's name in the graph",
    example: "name:linear_*",
    mask: (model, text) => matching(tablesOf(model).names, text),
    values: () => [],
  },
  dtype: {
    what: "data type of a value",
    example: "dtype:bf16",
    mask: (model, text) => ofTensors(model, (tensor) => tensor.dtype === (DTYPES[text] ?? text)),
    values: (model, node) => tensorsOf(model.typeOf(node)).map(({ dtype }) => dtype),
  },
  shape: {
    what: "shape of a value; * is any dimension, ... any number of them, a number alone a dimension anywhere",
    example: "shape:[8, *, 64]",
    mask: (model, text) => {
      const test = shapeTest(text);
      return ofTensors(model, ({ dims }) => test(dims));
    },
    values: (model, node) => tensorsOf(model.typeOf(node)).map(({ dims }) => `[${dims.join(", ")}]`),
  },
  rank: {
    what: "how many dimensions a value has",
    example: "rank:4",
    mask: (model, text) => ofTensors(model, ({ dims }) => String(dims.length) === text),
    values: (model, node) => tensorsOf(model.typeOf(node)).map(({ dims }) => String(dims.length)),
  },
  module: {
    what: "path or class of a module around the node",
    example: "module:blocks.0",
    mask: ofModule,
    values: (model, node) => [model.modulePathOf(node)],
  },
  kind: {
    what: "what the colours say: matmul, pointwise, view …",
    example: "kind:reduction",
    mask: (model, text) => {
      const found = matching(model.kinds, text);
      return each(model, (i) => found[model.kind[i]]);
    },
    values: (model, node) => [model.kindOf(node)],
  },
  from: {
    what: "the operator that was decomposed into the node",
    example: "from:gelu",
    mask: (model, text) => {
      const asked = new Uint8Array(model.strings.length);
      for (const original of model.original) asked[original] = 1;
      const found = matching(tablesOf(model).strings, text, asked);
      return each(model, (i) => found[model.original[i]]);
    },
    values: (model, node) => [model.strings[model.original[node]]],
  },
  line: {
    what: "line of the source, alone or behind its file",
    example: "line:12",
    mask: (model, text) => {
      const found = Uint8Array.from(tablesOf(model).files, (place) => (place === text || place.endsWith(`:${text}`) ? 1 : 0));
      return each(model, (i) => model.line[i] >= 0 && found[model.line[i]]);
    },
    values: (model, node) => {
      const line = model.lineOf(node);
      return line ? [String(line[1])] : [];
    },
  },
  bytes: {
    what: "size of a value: more (>) or less (<) than so many bytes, K, M or G",
    example: "bytes:>1M",
    mask: (model, text) => {
      const test = sizeTest(text);
      return each(model, (i) => model.bytes[i] >= 0 && test(model.bytes[i]));
    },
    values: () => [],
  },
});

/** @type {ReadonlySet<string>} */
export const FIELD_NAMES = new Set(Object.keys(FIELDS));

/** torch's names of what types call by short ones. @type {{[name: string]: string|undefined}} */
const DTYPES = Object.freeze({
  float64: "f64",
  double: "f64",
  float32: "f32",
  float: "f32",
  float16: "f16",
  half: "f16",
  bfloat16: "bf16",
  int64: "i64",
  long: "i64",
  int32: "i32",
  int: "i32",
  int16: "i16",
  int8: "i8",
  uint8: "u8",
  bool: "b8",
  complex64: "c64",
  complex128: "c128",
});

/** @param {GraphModel} model @param {number} node */
function isCall(model, node) {
  return model.op[node] > OP.GET_ATTR && model.op[node] < OP.OUTPUT;
}

/** @param {GraphModel} model @param {(node: number) => unknown} holds @returns {Uint8Array} */
export function each(model, holds) {
  const mask = new Uint8Array(model.count);
  for (let i = 0; i < model.count; i++) if (holds(i)) mask[i] = 1;
  return mask;
}

/** Every type is taken apart once. @param {GraphModel} model @param {(tensor: import("./shape.js").Tensor) => boolean} test */
function ofTensors(model, test) {
  const { strings } = tablesOf(model);
  const known = new Int8Array(strings.length).fill(-1);
  return each(model, (i) => {
    const type = model.type[i];
    if (known[type] < 0) known[type] = tensorsOf(strings[type]).some(test) ? 1 : 0;
    return known[type];
  });
}

/** Whole paths or classes first; a module inside one that matches is in it too. @param {GraphModel} model @param {string} text */
function ofModule(model, text) {
  const { paths, classes } = tablesOf(model);
  const found = matching([...paths, ...classes], text);
  const inside = new Uint8Array(model.modules.length);
  model.modules.forEach(({ parent }, i) => {
    inside[i] = found[i] | found[paths.length + i] | (parent < 0 ? 0 : inside[parent]);
  });
  return each(model, (i) => inside[model.group[i]] || (model.module[i] >= 0 && inside[model.module[i]]));
}

const UNITS = Object.freeze({ "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 });

/** @param {string} text `>1m`, `<=4096` @returns {(bytes: number) => boolean} never true for what cannot be read */
function sizeTest(text) {
  const match = /^([<>]?)(=?)(\d+(?:\.\d+)?)([kmg]?)(?:i?b)?$/.exec(text);
  if (!match) return () => false;
  const [, way, equal, digits, unit] = match;
  const limit = Number(digits) * UNITS[/** @type {"k"} */ (unit)];
  return (bytes) =>
    (way === ">" && bytes > limit) || (way === "<" && bytes < limit) || ((way === "" || equal !== "") && bytes === limit);
}
