// What is lit on the other side of a mirror.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kinAcross } from "../../../static/js/main/mirror/lit.js";
import { given, transformerHalves } from "./halves.js";

const mirror = transformerHalves(2);
const numbers = (/** @type {string} */ gid) => given.get(mirror)?.[gid].nodes.name ?? [];

test("a node of the forward lights what differentiates it, and what reads it where it is saved", () => {
  const { cut, kin } = mirror.answer;
  const reader = mirror.sides.backward.usersOf(cut.saved[3].backward)[0];
  const saved = cut.saved.map((each, i) => (i === 3 ? { ...each, readers: [reader] } : each));
  const answer = { ...mirror.answer, cut: { ...cut, saved } };
  const found = kinAcross(/** @type {any} */ (Object.assign(Object.create(mirror), { answer })), mirror.forward, [
    saved[3].forward,
  ]);
  const wanted = kin.flatMap((node, j) => (node === saved[3].forward ? [j + mirror.offset] : []));
  assert.deepEqual([...found].sort(), [...new Set([...wanted, reader + mirror.offset])].sort());
  assert.ok(wanted.length > 1);
});

test("a node of the backward lights the one it belongs to, by its number in its own graph", () => {
  const back = numbers("backward.0");
  back.slice(0, -1).forEach((name, number) => {
    const node = mirror.answer.kin[mirror.indexOf("backward.0", name) - mirror.offset];
    assert.deepEqual(kinAcross(mirror, mirror.backward, [number]), node >= 0 ? [node] : []);
  });
  assert.deepEqual(kinAcross(mirror, mirror.backward, [back.length - 1]), [], "the output is not drawn");
});
