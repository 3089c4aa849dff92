import assert from "node:assert/strict";
import { test } from "node:test";
import { allOpen, groupTree } from "../../../static/js/model/groups.js";
import { LayoutCache, layout } from "../../../static/js/layout/layout.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { KEYS } from "../../../static/js/panels/find/keys.js";
import { CANVAS_KEYS, press } from "../../../static/js/render/input/keyboard.js";
import { Trail } from "../../../static/js/render/input/trail.js";
import { alongFlow, step } from "../../../static/js/render/input/walk.js";
import { Sketch } from "../layout/samples.js";
import { layOut, load, small, transformer } from "./synthetic.js";

/** @param {import("../../../static/js/model/types.js").GraphColumns} columns @param {boolean} [expanded] */
function drawingOf(columns, expanded = false) {
  const { model, tree } = load(columns);
  return new Drawing(model, tree, layOut(model, tree, expanded ? allOpen(tree) : tree.open));
}

/** @param {Drawing} drawing @param {string} name */
function itemOf(drawing, name) {
  for (let item = 0; item < drawing.scene.items.count; item++) if (drawing.nameOf(item) === name) return item;
  return assert.fail(`no item ${name}`);
}

test("down follows the first user, up the first input", () => {
  const drawing = drawingOf(small());
  const go = (/** @type {string} */ from, /** @type {import("../../../static/js/render/input/keyboard.js").Direction} */ way) => drawing.nameOf(step(drawing, itemOf(drawing, from), way));
  assert.equal(go("relu_4", "down"), "sym_size_5");
  assert.equal(go("view_6", "up"), "relu_4");
  assert.equal(go("cond_8", "up"), "any_7");
  assert.equal(go("any_7", "right"), "dropout_9");
  assert.equal(go("dropout_9", "left"), "any_7");
});

test("where a graph flows to the right the arrows follow it", () => {
  const g = new Sketch();
  const x = g.input("x");
  g.output([g.node("add", [g.node("sin", [x]), g.node("cos", [x])])]);
  const model = g.model();
  const tree = groupTree(model);
  const drawing = new Drawing(model, tree, layout(model, tree, tree.open, new LayoutCache(), { flow: "right" }));
  const go = (/** @type {string} */ from, /** @type {import("../../../static/js/render/input/keyboard.js").Direction} */ way) => drawing.nameOf(step(drawing, itemOf(drawing, from), alongFlow(drawing, way)));
  assert.equal(go("x_0", "right"), "sin_1");
  assert.equal(go("sin_1", "right"), "add_3");
  assert.equal(go("cos_2", "left"), "x_0");
  assert.equal(go("sin_1", "down"), "cos_2");
  assert.equal(go("cos_2", "up"), "sin_1");
});

test("where there is no way one stays", () => {
  const drawing = drawingOf(small());
  assert.equal(step(drawing, itemOf(drawing, "x_0"), "up"), itemOf(drawing, "x_0"));
  assert.equal(step(drawing, itemOf(drawing, "output_11"), "down"), itemOf(drawing, "output_11"));
  assert.equal(step(drawing, itemOf(drawing, "relu_4"), "left"), itemOf(drawing, "relu_4"));
});

test("from nowhere one comes to the first box, never to a frame", () => {
  const drawing = drawingOf(transformer(2), true);
  assert.notEqual(drawing.scene.items.kind[step(drawing, -1, "right")], 2);
});

test("down from an open group goes in, up from its first thing goes to what it reads", () => {
  const drawing = drawingOf(transformer(2), true);
  const group = itemOf(drawing, "h.1");
  const inside = step(drawing, group, "down");
  assert.equal(drawing.scene.items.parent[inside], group);
});

test("every node of a graph can be reached by arrows from the first one", () => {
  const drawing = drawingOf(transformer(2), true);
  const ways = /** @type {const} */ (["down", "up", "left", "right"]);
  const seen = new Set([step(drawing, -1, "down")]);
  for (const item of seen) for (const way of ways) seen.add(step(drawing, item, way));
  const nodes = Array.from({ length: drawing.scene.items.count }, (_, item) => item).filter((item) => drawing.isNode(item));
  const missed = nodes.filter((item) => !seen.has(item));
  assert.deepEqual(missed.map((item) => drawing.nameOf(item)), []);
});

test("keys: what is ours and what is the browser's", () => {
  /** @type {string[]} */
  const done = [];
  const say = (/** @type {string} */ what) => (/** @type {unknown[]} */ ...args) => { done.push([what, ...args].join(" ")); };
  const keys = { walk: say("walk"), zoom: say("zoom"), pan: say("pan"), fit: say("fit"), enter: say("enter"), clear: say("clear"),
    turn: say("turn"), end: say("end"), out: say("out"), chip: say("chip"), page: say("page") };
  const plain = { altKey: false, shiftKey: false, ctrlKey: false, metaKey: false };
  const hit = (/** @type {string} */ key, change = {}) => press({ ...plain, key, ...change }, keys);
  assert.ok(hit("ArrowUp") && hit("ArrowDown", { shiftKey: true }) && hit("ArrowLeft", { altKey: true }));
  assert.ok(hit("+", { shiftKey: true }) && hit("-") && hit("f") && hit("Enter") && hit("Escape"));
  assert.ok(!hit("f", { ctrlKey: true }) && !hit("+", { metaKey: true }) && !hit("f", { altKey: true }) && !hit("/") && !hit("toString"));
  assert.deepEqual(done.splice(0), ["walk up false", "walk down true", "pan 80 0", "zoom 1.25", "zoom 0.8", "fit", "enter", "clear"]);
  assert.ok(["[", "]", "Home", "End", "PageUp", "PageDown", "Backspace", "c"].every((key) => hit(key)));
  assert.deepEqual(done, ["turn -1", "turn 1", "end false", "end true", "page -1", "page 1", "out", "chip"]);
});

test("back along the edge one came, whichever input that was", () => {
  const g = new Sketch();
  const x = g.input("x");
  const a = g.node("a", [x]);
  const b = g.node("b", [x]);
  g.node("add", [a, b]);
  const drawing = drawingOf(g.columns());
  const trail = new Trail(drawing);
  const item = (/** @type {string} */ name) => itemOf(drawing, name);
  assert.equal(trail.walk(item("b_2"), "down"), item("add_3"));
  assert.equal(trail.walk(item("add_3"), "up"), item("b_2"), "not to the first input");
  assert.equal(trail.walk(item("b_2"), "up"), item("x_0"));
  assert.equal(trail.walk(item("x_0"), "down"), item("b_2"), "and down again the same way");
  assert.equal(new Trail(drawing).walk(item("add_3"), "up"), item("a_1"));
});

test("from the end of an edge one turns to the other ends", () => {
  const g = new Sketch();
  const x = g.input("x");
  for (const label of ["a", "b", "c"]) g.node(label, [x]);
  const drawing = drawingOf(g.columns());
  const trail = new Trail(drawing);
  let at = trail.walk(itemOf(drawing, "x_0"), "down");
  const seen = [at, (at = trail.turn(at, 1)), (at = trail.turn(at, 1)), (at = trail.turn(at, 1)), (at = trail.turn(at, -1))];
  assert.deepEqual(seen.map((item) => drawing.nameOf(item)), ["a_1", "b_2", "c_3", "a_1", "c_3"]);
  assert.equal(trail.choice(at).of, 2);
  assert.equal(drawing.nameOf(trail.walk(at, "up")), "x_0");
  const lost = itemOf(drawing, "b_2");
  assert.equal(trail.turn(lost, 1), lost, "who came otherwise has nowhere to turn");
  assert.deepEqual(trail.choice(lost).all, []);
});

test("the help lists every key of the drawing", () => {
  const listed = new Set(KEYS.flatMap(({ keys }) => keys.flatMap((key) => key.keys)));
  assert.deepEqual(CANVAS_KEYS.filter((key) => !listed.has(key)), []);
});
