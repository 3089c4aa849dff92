import assert from "node:assert/strict";
import { test } from "node:test";

import { themed } from "../../../static/js/panels/charts/themed.js";

const read = (/** @type {string} */ name) => `value of ${name}`;

test("bars and tiles take the colours they are named by", () => {
  const { data } = themed({ data: [{ type: "bar", meta: { colour: "hue-2" } }, { type: "treemap", meta: { colours: ["ground", "hue-1"] } }], layout: {} }, read);
  assert.equal(data[0].marker.color, "value of --hue-2");
  assert.deepEqual(data[1].marker.colors, ["value of --hover", "value of --hue-1"]);
});

test("the figure is not changed, and keeps what it says", () => {
  const figure = { data: [{ type: "bar", x: ["a"], y: [1], meta: { colour: "hue-1" } }], layout: { xaxis: { type: "category" }, yaxis: { title: { text: "calls" } } } };
  const before = JSON.stringify(figure);
  const { data, layout } = themed(figure, read);
  assert.equal(JSON.stringify(figure), before);
  assert.deepEqual([data[0].x, layout.xaxis.type, layout.yaxis.title.text], [["a"], "category", "calls"]);
  assert.equal(layout.font.color, "value of --text");
});

test("an axis or note that a figure does not have is not there at all: plotly would read it", () => {
  const { layout } = themed({ data: [], layout: {} }, read);
  for (const name of ["xaxis", "yaxis", "annotations"]) assert.equal(name in layout, false, name);
  const noted = themed({ data: [], layout: { annotations: [{ text: "min_cut" }] } }, read).layout.annotations;
  assert.deepEqual(noted.map((/** @type {any} */ note) => [note.text, note.font.color]), [["min_cut", "value of --text"]]);
});
