// Draws a captured graph as the page does, and compares the canvas with an image: `golden.show`, `golden.compare`, `golden.image`.
import { GraphModel, layoutModel } from "/static/js/model/graph.js";
import { allClosed, allOpen, groupTree } from "/static/js/model/groups.js";
import { foldedModel } from "/static/js/model/folding/folded.js";
import { layout, LayoutCache } from "/static/js/layout/layout.js";
import { GraphView } from "/static/js/render/graphview.js";

/** Pixels of a block whose mean colours are compared: what antialiasing does to single pixels is not looked at. */
const BLOCK = 4;
/** A block differs when one of its mean colours does by more than this, of 255. */
const NEAR = 14;

const view = new GraphView(document.getElementById("host"));
const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/**
 * @param {object} columns of a graph
 * @param {{open?: "all" | "none", folds?: string[], by?: string, flow?: string, theme?: string, select?: string[], around?: string, k?: number, fit?: boolean}} how
 *   `around`: the node in the middle, at zoom `k`
 */
async function show(columns, { open, folds = ["repeats"], by = "module", flow = "down", theme = "light", select = [], around, k = 1, fit = false }) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("themechange"));
  const model = foldedModel(new GraphModel(columns), { folds, unfolded: [] });
  const tree = groupTree(model, by);
  const groups = open === "all" ? allOpen(tree) : open === "none" ? allClosed(tree) : tree.open;
  view.setGraph(model, tree, layout(layoutModel(model), tree, groups, new LayoutCache(), { flow }));
  view.setSelection(select.map((name) => model.indexOf(name)));
  if (around) view.setCamera(middle(model, around, k));
  if (fit) view.fit();
  await settled();
}

/** The camera with a node in the middle. */
function middle(model, name, k) {
  const { x, y, w, h } = view.drawing.rectOf(view.drawing.itemsOf(model.indexOf(name))[0]);
  return { x: x + w / 2, y: y + h / 2, k };
}

const canvas = () => view.port.surface.canvas;
const image = () => canvas().toDataURL("image/png");

/** Which part of its blocks differ from those of an image; 1 when the sizes do. @param {string} url @returns {Promise<number>} 0 to 1 */
async function compare(url) {
  const golden = new Image();
  golden.src = url;
  await golden.decode();
  const now = canvas();
  if (golden.width !== now.width || golden.height !== now.height) return 1;
  const [a, b] = [blocks(now), blocks(golden)];
  let differ = 0;
  for (let i = 0; i < a.length; i += 3) if ([0, 1, 2].some((c) => Math.abs(a[i + c] - b[i + c]) > NEAR)) differ++;
  return differ / (a.length / 3);
}

/** Mean red, green and blue of every block. */
function blocks(source) {
  const [w, h] = [Math.floor(source.width / BLOCK), Math.floor(source.height / BLOCK)];
  const plain = new OffscreenCanvas(source.width, source.height);
  const context = plain.getContext("2d");
  context.drawImage(source, 0, 0);
  const { data } = context.getImageData(0, 0, w * BLOCK, h * BLOCK);
  const sums = new Float64Array(3 * w * h);
  for (let at = 0; at < data.length; at += 4) {
    const pixel = at / 4;
    const block = Math.floor(pixel / (w * BLOCK) / BLOCK) * w + Math.floor((pixel % (w * BLOCK)) / BLOCK);
    for (let c = 0; c < 3; c++) sums[3 * block + c] += data[at + c] / BLOCK ** 2;
  }
  return sums;
}

/** Spoils the drawing a little, so that a test can see whether the comparison would notice. */
async function spoil(how) {
  const { items, edges } = view.drawing.scene;
  if (how === "an edge is missing") edges.points.fill(-1e6, 2 * edges.start[longest(edges)], 2 * edges.start[longest(edges) + 1]);
  if (how === "a box is moved") items.x[Array.from(items.kind).indexOf(0)] += 12;
  if (how === "a text is another") view.drawing.textsOf(Array.from(items.kind).indexOf(0)).title = "something else";
  view.port.frames.request();
  await settled();
}

/** The longest edge that is drawn and on the screen. */
function longest({ count, start, points, stub }) {
  const { x, y, w, h } = view.port.view();
  const inSight = (e) => points[2 * start[e]] > x && points[2 * start[e]] < x + w && points[2 * start[e] + 1] > y && points[2 * start[e] + 1] < y + h;
  const length = (e) => Math.abs(points[2 * start[e + 1] - 1] - points[2 * start[e] + 1]);
  return Array.from({ length: count }, (_, e) => e).filter((e) => !stub[e] && inSight(e)).sort((a, b) => length(b) - length(a))[0];
}

window.golden = { show, compare, image, spoil };
