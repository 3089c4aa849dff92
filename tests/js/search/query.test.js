import assert from "node:assert/strict";
import { test } from "node:test";

import { FIELD_NAMES } from "../../../static/js/model/search/fields.js";
import { parseQuery } from "../../../static/js/model/search/query.js";
import { shapeTest, tensorsOf } from "../../../static/js/model/search/shape.js";
import { globOf, hasPart, matching } from "../../../static/js/model/search/words.js";

/** A query as one line: `field:a|b !c -> d`. @param {string} text */
function read(text) {
  const { steps, arrows } = parseQuery(text, FIELD_NAMES);
  const terms = steps.map(
    (step) =>
      step.terms.map(({ field, not, any }) => `${not ? "!" : ""}${field ? `${field}:` : ""}${any.join("|")}`).join(" ") || "*",
  );
  return terms.reduce(
    (line, term, i) =>
      `${line} ${arrows[i - 1].down ? "" : "<"}${arrows[i - 1].far ? "~~" : "--"}${arrows[i - 1].down ? ">" : ""} ${term}`,
  );
}

test("words, fields, alternatives, negation", () => {
  assert.equal(read("Linear  BF16"), "linear bf16");
  assert.equal(read("op:mm|bmm -kind:view"), "op:mm|bmm !kind:view");
  assert.equal(read('module:"a b" "x | y"'), "module:a b x | y");
  assert.equal(read("-"), "-", "alone it is a word");
});

test("only a known field takes a colon", () => {
  assert.equal(read("model.py:12"), "model.py:12");
  assert.equal(read("aten::add"), "aten.add", "as schemas write it");
  assert.equal(read("toString:x constructor:y"), "tostring:x constructor:y");
});

test("a type is a data type and a shape; an index is a word", () => {
  assert.equal(read("f32[8, *, 64]"), "dtype:f32 shape:[8, *, 64]");
  assert.equal(read("[8, 64]"), "shape:[8, 64]");
  assert.equal(read("getitem[0]"), "getitem[0]");
  assert.equal(read("f32[8, 6"), "f32[8, 6", "while it is being typed it is looked for as it stands");
});

test("arrows join steps, with or without spaces, both ways and far", () => {
  assert.equal(read("layer_norm -> linear->gelu"), "layer_norm --> linear --> gelu");
  assert.equal(read("silu → mul ← linear"), "silu --> mul <-- linear");
  assert.equal(read("mul <- linear"), "mul <-- linear");
  assert.equal(read("layer_norm -> ... -> gelu"), "layer_norm ~~> gelu");
  assert.equal(read("a -> * -> b"), "a --> * --> b");
  assert.equal(read("bytes:>1M -> bytes:<4K"), "bytes:>1m --> bytes:<4k");
});

test("what is being typed is no step yet", () => {
  assert.equal(read("linear ->"), "linear");
  assert.equal(read("-> linear"), "linear");
  assert.deepEqual(parseQuery("op:", FIELD_NAMES).steps, [{ terms: [] }]);
  assert.deepEqual(parseQuery("   ", FIELD_NAMES).steps, []);
});

test("a pattern has an end", () => {
  assert.equal(parseQuery(Array(50).fill("add").join(" -> "), FIELD_NAMES).steps.length, 12);
});

test("the word itself before its whole parts, those before anything else", () => {
  assert.ok(hasPart("native_layer_norm", "layer_norm") && hasPart("h.3.attn", "h.3") && hasPart("aten.add.tensor", "add"));
  assert.ok(!hasPart("h.30.attn", "h.3") && !hasPart("addmm", "add"));
  assert.deepEqual([...matching(["addmm", "add", "add_relu"], "add")], [0, 1, 0]);
  assert.deepEqual([...matching(["addmm", "my_add", "add_relu"], "add")], [0, 1, 1]);
  assert.deepEqual([...matching(["convolution", "relu"], "conv")], [1, 0]);
  assert.deepEqual(
    [...matching(["addmm", "add"], "add", Uint8Array.of(1, 0))],
    [1, 0],
    "texts that do not count decide nothing",
  );
});

test("stars and question marks stand for the whole text", () => {
  const fits = (/** @type {string} */ pattern, /** @type {string} */ text) => globOf(pattern)(text);
  assert.ok(fits("linear_*", "linear_12") && fits("*mm", "addmm") && fits("a?b*", "axbcd") && fits("*", ""));
  assert.ok(!fits("linear_*", "my_linear_1") && !fits("a?", "a") && !fits("*mm", "mmx"));
  assert.ok(!fits(`${"a*".repeat(40)}b`, "a".repeat(5000)), "no pattern takes for ever");
});

test("shapes: whole ones, any dimension, any number of them, one anywhere", () => {
  const [{ dtype, dims }] = tensorsOf("bf16[8, s0, 64]");
  assert.equal(dtype, "bf16");
  for (const good of ["[8, s0, 64]", "8xs0x64", "[8,*,64]", "8x*x64", "[8, ...]", "[..., 64]", "...x64", "64", "s0", "[...]"])
    assert.ok(shapeTest(good)(dims), good);
  for (const bad of ["[8, 64]", "8x64", "[8, *, 65]", "6", "[]", "[8, s0, 64, ...,1]"]) assert.ok(!shapeTest(bad)(dims), bad);
  assert.ok(shapeTest("[]")([]), "a scalar");
  assert.deepEqual(
    tensorsOf("(f32[2, 1], i64[max(1, s3)])").map((each) => each.dims),
    [["2", "1"], ["max(1,s3)"]],
  );
});
