import assert from "node:assert/strict";
import test from "node:test";

import { choicesOf, constructText, missing, signatureText, valuesOf } from "../../../static/js/panels/landing/model/construct.js";

/**
 * @param {string} name @param {Api.Parameter["kind"]} [kind] @param {string} [value] @param {boolean} [required]
 * @returns {Api.Parameter}
 */
const parameter = (name, kind = "usual", value = "", required = value === "") => {
  return { name, kind, annotation: "", default: value, required };
};
const parameters = [
  parameter("size", "positional"),
  parameter("deep", "usual", "2"),
  parameter("rest", "rest", "", false),
  parameter("wide", "keyword", "8"),
  parameter("more", "words", "", false),
];
/** @type {Pick<Api.Look, "classes"|"functions">} */
const look = {
  classes: [{ name: "Net", line: 1, forward: [], constructor: parameters }],
  functions: [{ name: "loss", line: 9, parameters: [parameter("x"), parameter("scale", "usual", "2")] }],
};
const [net, loss] = choicesOf(look);

test("what is left empty keeps its default", () => {
  assert.equal(constructText(net, {}), "Net()");
  assert.equal(constructText(net, { size: "3", deep: " ", wide: "4" }), "Net(3, wide=4)");
  assert.equal(constructText(net, { size: "3", deep: "1" }), "Net(3, deep=1)");
});

test("before *args everything goes by place", () => {
  assert.equal(constructText(net, { size: "3", deep: "1", rest: "5, 6", more: "a=1" }), "Net(3, 1, 5, 6, a=1)");
});

test("a construct taken apart is written as it was", () => {
  const args = [["size", "3"], ["deep", "1"], ["", "5"], ["", "6"], ["wide", "Config(2)"], ["a", "1"], ["**", "rest"]];
  const made = { name: "Net", arguments: args.map(([name, text]) => ({ name, text })), called: true };
  assert.equal(constructText(net, valuesOf(net, made)), "Net(3, 1, 5, 6, wide=Config(2), a=1, **rest)");
});

test("signatures as Python shows them, and what is missing", () => {
  assert.equal(signatureText(net), "Net(size, deep=2, *rest, wide=8, **more)");
  assert.deepEqual(missing(net, {}), ["size"]);
  assert.deepEqual(missing(net, { size: "1" }), []);
});

test("a function is captured as it is, by its name", () => {
  assert.equal(signatureText(loss), "loss(x, scale=2)");
  assert.equal(constructText(loss, {}), "loss");
  assert.deepEqual(missing(loss, {}), []);
});
