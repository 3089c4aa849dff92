/** By data type. The common ones have the same colour in every graph. */

import { NONE, RAMP, sorted } from "./classes.js";

const COMMON = ["f32", "bf16", "f16", "i64", "b8", "f64", "i32", "u8"];

/** @param {import("../graph.js").GraphModel} model @returns {import("./types.js").Colouring} */
export function byDtype({ count, strings, dtype }) {
  const there = new Set(Array.from(dtype, (text) => strings[text]));
  const rare = [...there].filter((name) => name !== "" && name !== "several" && !COMMON.includes(name)).sort();
  return sorted(count, (node) => strings[dtype[node]] || NONE, [
    { id: NONE, title: "no tensor", colour: NONE },
    ...COMMON.map((name, i) => ({ id: name, title: name, colour: `hue-${i + 1}` })),
    ...rare.map((name, i) => ({ id: name, title: name, colour: `ramp-${(5 * i + 3) % RAMP}` })),
    { id: "several", title: "several", colour: `ramp-${RAMP - 1}` },
  ]);
}
