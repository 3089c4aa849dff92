import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_VIEW, decodeView, encodeView, paneView, roundCamera } from "../../../static/js/model/viewhash.js";

/** @typedef {import("../../../static/js/model/viewhash.js").View} View */

/** @param {Partial<View>} change @returns {View} */
const view = (change) => ({ ...DEFAULT_VIEW, ...change });

/** @type {[string, View][]} */
const VIEWS = [
  ["the default", view({})],
  ["one graph", view({ panes: [paneView("export.0")] })],
  ["a body of a higher-order op", view({ panes: [paneView("t2.export.0/true_graph_0")] })],
  ["a stage without a graph", view({ panes: [paneView("export")] })],
  [
    "two panes with cameras and groups",
    view({
      panes: [
        {
          ...paneView("forward.0"),
          camera: { x: 12.5, y: -40, k: 0.8125 },
          opened: ["blocks", "blocks.0.attention"],
          closed: ["head"],
        },
        { ...paneView("backward.0"), camera: { x: 0, y: 100000.3, k: 0.00123 }, opened: ["backward:blocks.0"] },
      ],
      active: 1,
    }),
  ],
  [
    "several nodes selected",
    view({ panes: [paneView("joint.0")], selection: { gid: "joint.0", names: ["sum_1", "mul"], group: null } }),
  ],
  ["a selected group", view({ panes: [paneView("joint.0")], selection: { gid: "joint.0", names: [], group: "blocks.0" } })],
  ["the root group selected", view({ panes: [paneView("joint.0")], selection: { gid: "joint.0", names: [], group: "" } })],
  ["panels", view({ side: "text", drawer: "breaks.2", search: "layer norm & f32[2, 3] 100%", variant: "readable" })],
  [
    "grouped by original op, coloured by module, all but two classes dimmed",
    view({
      panes: [
        { ...paneView("core_aten.0"), by: "op", flow: "right", wrap: false, opened: ["blocks.0.norm/layer_norm_3@1"] },
        { ...paneView("joint.0"), colour: "module", filter: ["blocks.0", "a,b&c"] },
      ],
    }),
  ],
  [
    "everything folded but one row of blocks; nothing folded",
    view({
      panes: [
        { ...paneView("joint.0"), folds: ["repeats", "chains", "views"], unfolded: ["backward:blocks.0", "a,b"] },
        { ...paneView("forward.0"), folds: [], map: false },
      ],
    }),
  ],
  ["a folded side", view({ side: "" })],
  [
    "three panes, locked",
    view({ panes: ["export.0", "core_aten.0", "joint.0"].map((show) => paneView(show)), active: 2, locked: true }),
  ],
  [
    "what is traced, lit in all panes and alone in one",
    view({
      panes: [
        { ...paneView("forward.0"), only: { how: "between", gid: "forward.0", from: "a:b", to: "c,d&e" } },
        { ...paneView("backward.0"), only: { how: "gradient", gid: "forward.0", from: "addmm", to: "" } },
      ],
      trace: { how: "ancestors", gid: "t2.export.0/true_graph_0", from: "mm_3", to: "" },
    }),
  ],
  [
    "names with every separator of the hash",
    view({
      panes: [{ ...paneView("export.0/a,b&c=d#e?f:g%h i+j"), opened: ["a,b", "c&d", "é", "=", "%2C"] }],
      selection: { gid: "export.0/a,b:c", names: ["x,y", "a=b", "n:1", "日本", "a_1~3", "_1"], group: "p,q&r" },
    }),
  ],
];

for (const [name, wanted] of VIEWS) {
  test(`encoding and decoding gives the same view: ${name}`, () => {
    assert.deepEqual(decodeView(encodeView(wanted)), wanted);
  });
  test(`a hash survives being an address: ${name}`, () => {
    const url = new URL(`http://localhost/c/abc${encodeView(wanted)}`);
    assert.deepEqual(decodeView(new URL(url.href).hash), wanted);
  });
}

test("all nodes of an operator make a short link", () => {
  const names = [
    "view",
    ...Array.from({ length: 2104 }, (_, i) => `view_${i + 1}`),
    "view_copy",
    "x_007",
    "x_008",
    "sum_1",
    "sum_3",
    "sum_4",
  ];
  const wanted = view({ selection: { gid: "joint.0", names, group: null } });
  const hash = encodeView(wanted);
  assert.equal(hash, "#v1?s=joint.0:view,view_1~2104,view_copy,x_007,x_008,sum_1,sum_3~4");
  assert.deepEqual(decodeView(hash), wanted);
});

test("a range of names cannot fill the memory, and a broken one is a name", () => {
  assert.equal(decodeView("#v1?s=a.0:x_0~999999999")?.selection?.names.length, 200_000);
  assert.deepEqual(decodeView("#v1?s=a.0:x_5~2,y~3,z_1~")?.selection?.names, ["x_5~2", "y~3", "z_1~"]);
});

test("the default view needs no hash", () => {
  assert.equal(encodeView(view({})), "");
  assert.deepEqual(decodeView(""), DEFAULT_VIEW);
  assert.deepEqual(decodeView("#"), DEFAULT_VIEW);
});

test("only what differs from the default is written", () => {
  assert.equal(encodeView(view({ panes: [paneView("export.0")] })), "#v1?p=export.0");
  assert.equal(
    encodeView(view({ panes: [paneView("cond.0/true_graph_0")], drawer: "breaks" })),
    "#v1?p=cond.0/true_graph_0&d=breaks",
  );
});

test("unknown keys are skipped", () => {
  assert.deepEqual(
    decodeView("#v1?zz=1&__proto__=1&toString=1&p=export.0&new=a,b&&=&d=breaks"),
    view({ panes: [paneView("export.0")], drawer: "breaks" }),
  );
});

test("another version, or no hash of ours, is null", () => {
  for (const hash of ["#v2?p=export.0", "#section", "#v10", "#?p=a"]) assert.equal(decodeView(hash), null, hash);
});

test("damaged parts fall back to their defaults", () => {
  const pane = (/** @type {string} */ camera) => decodeView(`#v1?p=export.0&c=${camera}`)?.panes[0].camera;
  for (const camera of ["", "1,2", "1,2,0", "1,2,-3", "a,b,c", "1,2,3,4", "NaN,1,1", "1,Infinity,1"])
    assert.equal(pane(camera), null, camera);
  assert.equal(decodeView("#v1?p=export.0&a=7")?.active, 0);
  assert.equal(decodeView("#v1?s=nodes")?.selection, null);
  assert.equal(decodeView("#v1?q=%E0%A4%A")?.search, "%E0%A4%A");
  assert.deepEqual(decodeView("#v1?c=1,2,3&o=a&x=b&g=c"), DEFAULT_VIEW);
});

test("a trace that is not whole is none", () => {
  for (const text of [
    "",
    "ancestors",
    "ancestors:a.0",
    "ancestors:a.0:",
    "sideways:a.0:x",
    "between:a.0:x",
    "ancestors:a.0:x:y",
    "between:a.0:x:y:z",
    "near:a.0:x",
    "near:a.0:x:12",
    "found:a.0:x:y",
    "ancestors:a.0:x:1",
  ]) {
    assert.equal(decodeView(`#v1?h=${text}`)?.trace, null, text);
    assert.equal(decodeView(`#v1?p=a.0&i=${text}`)?.panes[0].only, null, text);
  }
});

test("neighbourhoods and searches that are drawn alone", () => {
  for (const [how, from, to] of /** @type {const} */ ([
    ["near", "add_3,mul", "2"],
    ["near", "@blocks.0/layer_norm", "1"],
    ["found", "layer_norm -> f32[8, *] : x", ""],
    ["found", "op:mm|bmm & ~", "0"],
  ])) {
    const only = { how, gid: "export.0", from, to };
    const view = decodeView(encodeView({ ...DEFAULT_VIEW, panes: [{ ...paneView("export.0"), only }] }));
    assert.deepEqual(view?.panes[0].only, only);
  }
});

test("links made before there were traces and locks open as they did", () => {
  const old = "#v1?p=forward.0&c=12,40,0.8&o=blocks&p=backward.0&a=1&s=forward.0:sum&t=text&d=breaks.2&q=mm";
  const seen = decodeView(old);
  assert.deepEqual([seen?.panes.length, seen?.trace, seen?.locked, seen?.panes[0].only], [2, null, false, null]);
  assert.equal(encodeView(/** @type {View} */ (seen)), old);
});

test("a lone surrogate does not break the address", () => {
  const hash = encodeView(view({ search: "a\ud800b" }));
  assert.equal(decodeView(hash)?.search, "a\ufffdb");
});

test("a rounded camera is what the address holds", () => {
  for (const camera of [
    { x: 1 / 3, y: -1e6 / 7, k: 1 / 9 },
    { x: -0.04, y: 0, k: 3.99999 },
    { x: 1e-9, y: 1e9 + 0.123, k: 1.2345e-5 },
  ]) {
    const rounded = roundCamera(camera);
    const hash = encodeView(view({ panes: [{ ...paneView("a.0"), camera: rounded }] }));
    assert.deepEqual(decodeView(hash)?.panes[0].camera, rounded);
    assert.deepEqual(roundCamera(rounded), rounded);
    assert.ok(Math.abs(rounded.x - camera.x) <= 0.05 && Math.abs(rounded.k / camera.k - 1) < 1e-3);
  }
});

test("a link from before groups and colours could be chosen has neither", () => {
  const [pane] = decodeView("#v1?p=joint.0&o=blocks.0")?.panes ?? [];
  assert.deepEqual([pane.by, pane.colour, pane.filter], ["module", "kind", []]);
  assert.equal(decodeView("#v1?p=joint.0&b=weather")?.panes[0].by, "module");
  assert.equal(encodeView(view({ panes: [{ ...pane, opened: [] }] })), "#v1?p=joint.0");
});
