/** By kind, and by what only some stages record. */

import { OP } from "../graph.js";
import { NONE, sorted } from "./classes.js";

/** @typedef {import("../graph.js").GraphModel} GraphModel */
/** @typedef {import("./types.js").Colouring} Colouring */

/** @param {GraphModel} model @returns {Colouring} */
export function byKind(model) {
  return sorted(
    model.count,
    (node) => model.kindOf(node),
    model.kinds.map((kind) => ({ id: kind, title: kind, colour: `kind-${kind}` })),
  );
}

/** @param {GraphModel} model @returns {Colouring} */
export function byCore({ count, core }) {
  return sorted(count, (node) => ["no", "yes"][core[node]] ?? NONE, [
    { id: NONE, title: "no ATen operator", colour: NONE },
    { id: "yes", title: "core ATen", colour: "hue-1" },
    { id: "no", title: "not core", colour: "hue-2" },
  ]);
}

/** Whether an operator is the one that was called, or what that was decomposed into. @param {GraphModel} model @returns {Colouring} */
export function byDecomposition({ count, core, strings, original, target }) {
  const wordOf = (/** @type {number} */ node) => {
    if (core[node] < 0) return NONE;
    if (strings[original[node]] === "") return "unknown";
    return strings[original[node]] === strings[target[node]] ? "kept" : "decomposed";
  };
  return sorted(count, wordOf, [
    { id: NONE, title: "no ATen operator", colour: NONE },
    { id: "kept", title: "as it was called", colour: "hue-1" },
    { id: "decomposed", title: "from another operator", colour: "hue-2" },
    { id: "unknown", title: "nothing recorded", colour: "hue-6" },
  ]);
}

/** @type {{[tag: string]: string}} */
const TAGS = {
  is_forward: "forward",
  is_backward: "backward",
  must_be_in_forward: "kept in the forward",
  must_be_in_backward: "kept in the backward",
};

/** By the partitioner's tag where there are any, else by autograd's own word. @param {GraphModel} model @returns {Colouring} */
export function byHalf({ count, strings, tag, backward, op }) {
  const tagged = tag.some((text) => strings[text] !== "");
  const others = [...new Set(Array.from(tag, (text) => strings[text]))].filter((word) => word !== "" && !(word in TAGS)).sort();
  const given = (/** @type {number} */ node) => op[node] < OP.CALL_FUNCTION || op[node] === OP.OUTPUT;
  const wordOf = (/** @type {number} */ node) => {
    if (tagged) return strings[tag[node]] || NONE;
    return given(node) ? NONE : backward[node] ? "is_backward" : "is_forward";
  };
  return sorted(count, wordOf, [
    { id: NONE, title: tagged ? "no tag" : "inputs and output", colour: NONE },
    ...Object.entries(TAGS).map(([id, title], i) => ({ id, title, colour: ["hue-5", "hue-7", "hue-1", "hue-4"][i] })),
    ...others.slice(0, 4).map((id, i) => ({ id, title: id, colour: ["hue-2", "hue-3", "hue-6", "hue-8"][i] })),
  ]);
}

const OPCODES = ["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"];

/** @param {GraphModel} model @returns {Colouring} */
export function byFxOp({ count, op }) {
  return sorted(
    count,
    (node) => OPCODES[op[node]],
    OPCODES.map((id, i) => ({ id, title: id, colour: ["hue-5", "hue-8", "hue-1", "hue-2", "hue-3", NONE][i] })),
  );
}
