// Captured graphs: torch's own type of what a getitem gives is the type of the output that its edge carries.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { GraphModel } from "../../../static/js/model/graph.js";

const FOLDER = new URL("../../browser/golden/graphs/", import.meta.url);

test("every edge into a getitem carries the output that it takes, of the type that torch gives it", () => {
  let taken = 0;
  for (const file of readdirSync(FOLDER)) {
    const model = new GraphModel(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));
    for (let e = 0; e < model.edges.count; e++) {
      const user = model.edges.dst[e];
      const number = /^getitem\[(\d+)\]$/.exec(model.labelOf(user));
      if (!number || !model.outputs.has(model.edges.src[e])) continue;
      assert.equal(model.edges.output[e], Number(number[1]), `${file}: ${model.name[user]}`);
      assert.equal(model.typeOnEdge(e), model.typeOf(user), `${file}: ${model.name[user]}`);
      taken++;
    }
  }
  assert.ok(taken > 60, `${taken} such edges`);
});

test("any other edge carries the whole value of its source", () => {
  for (const file of readdirSync(FOLDER)) {
    const model = new GraphModel(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));
    for (let e = 0; e < model.edges.count; e++) {
      if (model.labelOf(model.edges.dst[e]).startsWith("getitem")) continue;
      assert.equal(model.edges.output[e], model.outputs.has(model.edges.src[e]) ? -1 : 0, `${file}: edge ${e}`);
      assert.equal(model.typeOnEdge(e), model.typeOf(model.edges.src[e]));
    }
  }
});
