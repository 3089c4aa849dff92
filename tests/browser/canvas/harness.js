// Mounts a GraphView for the tests: `harness.show(...)` puts a made-up graph in it, `harness.calls` is what it reported.
import { GraphView } from "/static/js/render/graphview.js";
import { fit, toScreen } from "/static/js/render/lens/camera.js";
import { allOpen, toggled } from "/static/js/model/groups.js";
import { layout } from "/static/js/layout/layout.js";
import { layOut, load, small, transformer } from "/tests/js/render/synthetic.js";

const calls = [];
const record = (name) => (...args) => { calls.push([name, ...args]); };

const view = new GraphView(document.getElementById("host"), {
  onSelect: (nodes, how) => {
    calls.push(["select", nodes, how]);
    view.setSelection(nodes);
  },
  onSelectGroup: (group) => {
    calls.push(["group", group]);
    view.setSelection([], group);
  },
  onToggle: (group) => {
    calls.push(["toggle", group]);
    open = toggled(tree, open, group);
    view.setGraph(model, tree, layOut(model, tree, open), { keep: { group } });
  },
  onHover: record("hover"),
  onEnterBody: record("body"),
  onCamera: record("camera"),
});

let model;
let tree;
let open;

/** Shows `small`, or a transformer of so many blocks; `real`: laid out as on the page, which takes longer. */
function show(what, { expanded = false, real = false, longest = 4000, column = Infinity } = {}) {
  ({ model, tree } = load(what === "small" ? small() : transformer(what)));
  open = expanded ? allOpen(tree) : tree.open;
  const scene = real ? layout(model, tree, open) : layOut(model, tree, open, { longest, column });
  const before = performance.now();
  view.setGraph(model, tree, scene);
  calls.length = 0;
  return { nodes: model.count, items: scene.items.count, edges: scene.edges.count, ms: performance.now() - before };
}

/** Where an item's box is on the screen; an item is found by the name of its node or the title of its group. */
function where(name) {
  const { items } = view.drawing.scene;
  const item = Array.from({ length: items.count }, (_, i) => i).find((i) => view.drawing.nameOf(i) === name);
  if (item === undefined) return null;
  const at = toScreen(view.camera(), view.port.surface.size, items.x[item], items.y[item]);
  const { k } = view.camera();
  return { x: at.x, y: at.y, w: items.w[item] * k, h: items.h[item] * k };
}

const fitted = () => fit(view.port.rect, view.port.surface.size);

window.harness = { view, calls, show, where, fitted, names: () => model.name, tree: () => tree };
