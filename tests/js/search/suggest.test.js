import assert from "node:assert/strict";
import { test } from "node:test";

import { search } from "../../../static/js/model/search/search.js";
import { examples, suggestions } from "../../../static/js/model/search/suggest.js";
import { Sketch, transformer } from "../layout/samples.js";

const model = transformer(2);
/** @param {string} text @param {number} [caret] */
const texts = (text, caret = text.length) => suggestions(model, text, caret).map((each) => each.text);

test("after a colon come the values that the graph has, the most frequent first", () => {
  assert.equal(texts("op:")[0], "linear");
  assert.deepEqual(texts("op:gel"), ["gelu"]);
  assert.deepEqual(texts("op:linear|gel"), ["gelu"], "the last alternative");
  assert.deepEqual(texts("relu -> dtype:"), ["f32", "i64"]);
  assert.deepEqual(texts("dtype:i64"), [], "nothing is left to say");
  assert.ok(texts("shape:[8, 64").includes("[8, 64]"));
});

test("one takes the place of what was typed of it, at the caret", () => {
  const text = "op:ge module:h.0";
  const [{ from, to, text: value, count }] = suggestions(model, text, 5);
  assert.equal(text.slice(0, from) + value + text.slice(to), "op:gelu module:h.0");
  assert.equal(count, 2);
});

test("a word that begins a field offers it, inside a word nothing is", () => {
  assert.deepEqual(texts("dt"), ["dtype:"]);
  assert.deepEqual(texts("linear mod"), ["module:"]);
  for (const none of ["", "d", "a.dtype", "x_op", "gelu", "unknown:ab"]) assert.deepEqual(texts(none), [], none);
});

test("values with spaces are quoted, and found again", () => {
  const g = new Sketch();
  g.module("a b", "Odd");
  g.node("relu", [], "a b");
  const odd = g.model();
  const [{ text }] = suggestions(odd, "module:", 7);
  assert.equal(text, '"a b"');
  assert.deepEqual(search(odd, `module:${text}`).nodes, [0]);
});

test("every search to begin with finds something", () => {
  const given = examples(model);
  assert.ok(given.some(({ text }) => text.includes("->")) && given.length >= 5);
  for (const { text } of given) assert.ok(search(model, text).nodes.length > 0, text);
  assert.deepEqual(examples(new Sketch().model()), [], "an empty graph has none");
});
