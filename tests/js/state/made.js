// Small captures and graphs for tests.

import { GraphModel } from "../../../static/js/model/graph.js";
import { KINDS } from "../layout/samples.js";

/** @param {string} id @param {string} [parent] @param {Partial<Api.GraphHead>} [more] @returns {Api.GraphHead} */
export function graph(id, parent = "", more = {}) {
  const head = { id, title: id, fragment: 0, nodes: 3, edges: 2, inference: false, parent, variant: "", recompile: 0, replay: null };
  return { ...head, program_bytes: 0, ...more };
}

/** @param {string} id @param {Api.StageStatus} status @param {Api.GraphHead[]} graphs @returns {Api.Stage} */
export function stage(id, status, graphs) {
  return { id, status, seconds: null, reason: "", notes: [], error: null, failures: [], breaks: 0, guards: 0, symbols: [], constraints: [], graphs };
}

/** @param {Api.Stage[]} stages @returns {Api.Capture} */
export function capture(stages) {
  return {
    id: "abc",
    status: "done",
    queue_position: null,
    created: "2026-01-01T00:00:00Z",
    seconds: 1,
    source: { files: [], kind: "py" },
    options: {},
    torch: "2.13.0",
    failures: [],
    log_bytes: 0,
    stages,
    targets: stages.length ? [{ id: "t1", title: "Sin", rule: "", frame: null, stages }] : [],
  };
}

/** x -> sin -> out, `sin` in module `layer`. @param {string} id */
export function model(id) {
  return new GraphModel({
    id,
    title: "",
    stage: "export",
    target: "t1",
    fragment: 0,
    inference: false,
    parent: "",
    strings: ["x", "sin", "out", ""],
    nodes: {
      name: ["x", "sin", "out"],
      op: [0, 2, 5],
      target_s: [0, 1, 2],
      label_s: [0, 1, 2],
      kind: [0, 7, 4],
      type_s: [3, 3, 3],
      module: [-1, 1, -1],
      group: [0, 1, 0],
      line: [-1, 0, -1],
      chip: [0, 0, 0],
      backward: [0, 0, 0],
      call: [-1, -1, -1],
      dtype_s: [3, 3, 3],
      bytes: [-1, -1, -1],
      core: [-1, -1, -1],
      tag_s: [3, 3, 3],
      original_s: [3, 3, 3],
    },
    kinds: KINDS,
    modules: [
      { path: "", cls: "Root", parent: -1 },
      { path: "layer", cls: "Layer", parent: 0 },
    ],
    calls: [],
    lines: [["model.py", 3]],
    edges: { src: [0, 1], dst: [1, 2], slot_s: [3, 3], output: [0, 0] },
    bodies: [],
    outputs: [],
    returns: [[1, "user_output", ""]],
  });
}
