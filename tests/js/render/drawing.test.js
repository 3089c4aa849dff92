import assert from "node:assert/strict";
import { test } from "node:test";
import { allClosed, allOpen } from "../../../static/js/model/groups.js";
import { distance } from "../../../static/js/render/draw/lines/curve.js";
import { Visible } from "../../../static/js/render/visible.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { EdgePicker, pick } from "../../../static/js/render/input/pick.js";
import { Marked } from "../../../static/js/render/marked.js";
import { layOut, load, small, transformer } from "./synthetic.js";

/** @param {import("../../../static/js/model/types.js").GraphColumns} columns @param {"open" | "closed"} how @param {{longest?: number}} [options] */
function drawingOf(columns, how, options) {
  const { model, tree } = load(columns);
  return new Drawing(model, tree, layOut(model, tree, how === "open" ? allOpen(tree) : allClosed(tree), options));
}

/** @param {Drawing} drawing @param {string} name */
function itemOf(drawing, name) {
  for (let item = 0; item < drawing.scene.items.count; item++) if (drawing.nameOf(item) === name) return item;
  return assert.fail(`no item ${name}`);
}

/** @param {Drawing} drawing @param {import("../../../static/js/render/lens/camera.js").Rect} view @param {number} k */
function seen(drawing, view, k) {
  const visible = new Visible();
  visible.collect(drawing.scene, view, k);
  return { drawing, visible, view, k };
}

test("a node is seen on itself, on the closed group around it, or on the users of a folded one", () => {
  const columns = transformer(3);
  const closed = drawingOf(columns, "closed");
  const open = drawingOf(columns, "open");
  const norm = open.model.indexOf("layer_norm_2");
  assert.deepEqual(open.itemsOf(norm).map((item) => open.nameOf(item)), ["layer_norm_2"]);
  assert.deepEqual(closed.itemsOf(norm).map((item) => closed.nameOf(item)), ["h.0"]);
  const weight = open.model.indexOf("p_h_0_attn_q_weight");
  assert.deepEqual(open.itemsOf(weight).map((item) => open.model.labelOf(open.scene.items.ref[item])), ["linear"]);
  assert.deepEqual(closed.itemsOf(weight).map((item) => closed.nameOf(item)), ["h.0"]);
  assert.deepEqual(open.itemsOf(99_999), []);
});

test("edges are ordered by length, each with its own bounds", () => {
  const { order, bounds, scene: { edges } } = drawingOf(transformer(4), "open");
  assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: edges.count }, (_, e) => e));
  const length = (/** @type {number} */ at) => bounds[4 * at + 2] - bounds[4 * at] + bounds[4 * at + 3] - bounds[4 * at + 1];
  for (let at = 1; at < order.length; at++) assert.ok(length(at) < 2.01 * length(at - 1) + 2, "never more than a factor of two out of order");
  const first = order[0];
  assert.equal(bounds[1], edges.points[2 * edges.start[first] + 1]);
});

test("the walk skips what is off the screen and does not enter what is small", () => {
  const drawing = drawingOf(transformer(40), "open");
  const { items } = drawing.scene;
  const all = seen(drawing, drawing.rect, 1).visible;
  assert.equal(all.nodes.length + all.open.length + all.closed.length + all.solid.length, items.count);
  const part = seen(drawing, { x: 0, y: 5000, w: 600, h: 800 }, 1).visible;
  for (const item of part.nodes) assert.ok(items.y[item] <= 5800 && items.y[item] + items.h[item] >= 5000);
  assert.ok(part.nodes.length > 5 && part.nodes.length < 60);
  const afar = seen(drawing, drawing.rect, 0.01).visible;
  assert.ok(afar.solid.length > 0);
  for (const item of afar.solid) assert.ok(!afar.holds(item), "what a solid group holds is not drawn");
  assert.ok(afar.holds(-1));
});

test("what a walk entered once is not taken for entered in the next", () => {
  const drawing = drawingOf(transformer(3), "open");
  const { visible } = seen(drawing, drawing.rect, 1);
  const group = itemOf(drawing, "h.2");
  assert.ok(visible.holds(group));
  visible.collect(drawing.scene, { x: 0, y: 0, w: 600, h: 100 }, 1);
  assert.ok(!visible.holds(group));
});

test("picking finds the innermost thing: node, chip, body, title, button, ground, nothing", () => {
  const drawing = drawingOf(transformer(2), "open");
  const look = seen(drawing, drawing.rect, 1);
  const at = (/** @type {number} */ item, /** @type {number} */ dx, /** @type {number} */ dy) => {
    const { x, y } = drawing.rectOf(item);
    return pick(look, { x: x + dx, y: y + dy });
  };
  const linear = drawing.itemsOf(drawing.model.indexOf("p_h_1_mlp_fc_weight"))[0];
  const group = itemOf(drawing, "h.1");
  assert.deepEqual(at(linear, 20, 10), { item: linear, part: "node" });
  const chip = at(linear, 20, 50);
  assert.deepEqual([chip.part, chip.chip?.node], ["chip", drawing.model.indexOf("p_h_1_mlp_fc_weight")]);
  assert.deepEqual(at(group, 12, 14), { item: group, part: "button" });
  assert.deepEqual(at(group, 80, 14), { item: group, part: "title" });
  assert.deepEqual(at(group, 8, 400), { item: group, part: "inside" });
  assert.deepEqual(pick(look, { x: -50, y: -50 }), { item: -1, part: "none" });
});

test("where chips and buttons are too small to see they are not picked", () => {
  const drawing = drawingOf(transformer(2), "open");
  const look = seen(drawing, drawing.rect, 0.2);
  const linear = drawing.itemsOf(drawing.model.indexOf("p_h_1_mlp_fc_weight"))[0];
  const group = itemOf(drawing, "h.1");
  const [a, b] = [drawing.rectOf(linear), drawing.rectOf(group)];
  assert.equal(pick(look, { x: a.x + 20, y: a.y + 50 }).part, "node");
  assert.equal(pick(look, { x: b.x + 12, y: b.y + 14 }).part, "title");
});

test("a group too small to enter is picked whole", () => {
  const drawing = drawingOf(transformer(40), "open");
  const look = seen(drawing, drawing.rect, 0.005);
  const group = itemOf(drawing, "h.7");
  const { x, y, w, h } = drawing.rectOf(group);
  assert.deepEqual(pick(look, { x: x + w / 2, y: y + h / 2 }), { item: group, part: "group" });
});

test("edges are found by their drawn line, far ones are not", () => {
  const drawing = drawingOf(small(), "open", { longest: 300 });
  const { edges } = drawing.scene;
  const look = seen(drawing, drawing.rect, 1);
  const picker = new EdgePicker(drawing);
  for (let edge = 0; edge < edges.count; edge++) {
    const at = 2 * edges.start[edge];
    const point = { x: edges.points[at] + 1, y: edges.points[at + 1] + 4 };
    const found = picker.pick(look, point);
    if (edges.stub[edge]) assert.notEqual(found, edge);
    // Another edge may share its trunk.
    else assert.ok(distance(edges.points, edges.start[found], edges.start[found + 1], point.x, point.y) <= 1, drawing.nameOf(edges.from[edge]));
  }
  assert.equal(picker.pick(look, { x: -500, y: 0 }), -1);
});

test("selecting finds the edges in and out, of an open group those across its border", () => {
  const drawing = drawingOf(transformer(3), "open");
  const marked = new Marked();
  marked.setSelection(drawing, [drawing.model.indexOf("layer_norm_2")], -1);
  const { edges } = drawing.scene;
  assert.deepEqual(marked.edgesIn.map((edge) => drawing.nameOf(edges.from[edge])), ["x_0"]);
  assert.equal(marked.edgesOut.length, 3);
  const group = drawing.tree.path.indexOf("h.1");
  marked.setSelection(drawing, [], group);
  const item = drawing.itemOfGroup[group];
  assert.ok(marked.edgesIn.length > 0 && marked.edgesOut.length > 0);
  for (const edge of marked.edgesIn) assert.ok(edges.from[edge] < item || edges.from[edge] >= drawing.scene.items.end[item]);
});

test("a folded parameter is found as a chip, a hidden node as its closed group with a count", () => {
  const columns = transformer(3);
  const marked = new Marked();
  const open = drawingOf(columns, "open");
  const bias = open.model.indexOf("p_h_0_attn_q_bias");
  marked.setSelection(open, [bias], -1);
  assert.equal(marked.selected.items.size, 0);
  assert.deepEqual(marked.selected.chips.map(([, row]) => row), [1]);
  const closed = drawingOf(columns, "closed");
  marked.setHighlights(closed, [{ nodes: closed.model.name.map((_, node) => node).filter((node) => closed.model.labelOf(node) === "linear"), style: "search" }]);
  assert.deepEqual([...marked.highlighted[0].found.items.values()], [6, 6, 6]);
});

test("chips: folded nodes first, then bodies, more than fit are summed up", () => {
  const drawing = drawingOf(small(), "open");
  const chips = drawing.textsOf(itemOf(drawing, "cond_8")).chips;
  assert.deepEqual(chips, [
    { look: "body", text: "true_graph_0", node: -1, gid: "export.0/true_graph_0", output: -1 },
    { look: "body", text: "false_graph_0", node: -1, gid: "export.0/false_graph_0", output: -1 },
  ]);
  const conv = drawing.textsOf(itemOf(drawing, "conv2d_3")).chips;
  assert.deepEqual(conv.map(({ node }) => drawing.model.name[node]), ["p_conv_weight", "p_conv_bias"]);
});
