// Bridges: which boxes they join, what they carry, how thick they are, and where the pointer meets them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { allClosed } from "../../../static/js/model/groups.js";
import { Bridges, thickness } from "../../../static/js/render/mirror/bridges.js";
import { markItems } from "../../../static/js/render/mirror/marked.js";
import { distanceTo, pointAt, traceBridge } from "../../../static/js/render/mirror/path.js";
import { bridgeTip } from "../../../static/js/render/mirror/tips.js";
import { Drawing } from "../../../static/js/render/drawing.js";
import { laidOut, randomHalves, transformerHalves } from "./halves.js";

/** @typedef {import("../../../static/js/model/mirror/mirror.js").MirrorModel} MirrorModel */

/** @param {MirrorModel} mirror @param {Uint8Array} [open] @param {boolean} [compared] */
function drawn(mirror, open, compared = false) {
  const out = laidOut(mirror, open);
  const drawing = new Drawing(mirror.model, mirror.tree, out.scene);
  return { out, drawing, bridges: new Bridges(drawing, mirror, out, compared) };
}

/** Storages by hand: saved value i lies in storage `storageOf[i]`. @param {MirrorModel} mirror @param {(i: number) => number} storageOf @param {(number|null)[]} bytes */
function withStorages(mirror, storageOf, bytes) {
  const { cut } = mirror.answer;
  cut.saved = cut.saved.map((each, i) => ({ ...each, storage: storageOf(i), bytes: bytes[storageOf(i)] ?? null }));
  cut.storages = bytes.map((size, s) => ({
    name: `s${s}`,
    bytes: size,
    held: false,
    saved: cut.saved.flatMap((each, i) => (each.storage === s ? [i] : [])),
  }));
  return mirror;
}

test("every saved value runs on one bridge, from its box in the forward to its box in the backward", () => {
  for (const mirror of [transformerHalves(3), ...Array.from({ length: 20 }, (_, seed) => randomHalves(seed + 1, 50))]) {
    for (const open of [mirror.tree.open, mirror.ledBy(allClosed(mirror.tree))]) {
      const { out, drawing, bridges } = drawn(mirror, open);
      const carried = bridges.all.flatMap((bridge) => bridge.saved);
      const seen = mirror.answer.cut.saved.flatMap((each, i) =>
        drawing.itemsOf(each.forward).length && drawing.itemsOf(each.backward + mirror.offset).length ? [i] : [],
      );
      assert.deepEqual(
        [...carried].sort((a, b) => a - b),
        seen,
      );
      const { items } = out.scene;
      for (const { from, to, x0, y0, x1, y1 } of bridges.all) {
        assert.ok(from < out.items && to >= out.items);
        assert.ok(Math.abs(x0 - items.x[from] - items.w[from]) < 0.01 && Math.abs(x1 - items.x[to]) < 0.01);
        assert.ok(y0 > items.y[from] && y0 < items.y[from] + items.h[from]);
        assert.ok(y1 > items.y[to] && y1 < items.y[to] + items.h[to]);
      }
    }
  }
});

test("bridges go with their boxes, and come back to where they were", () => {
  const { drawing, bridges } = drawn(transformerHalves(2));
  const { items } = drawing.scene;
  const ends = () => bridges.all.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]);
  const before = ends();
  bridges.place({ ...items, x: items.x.map((x) => x + 100), y: items.y.map((y) => y + 7) });
  ends().forEach((end, at) => end.forEach((value, side) => assert.ok(Math.abs(value - before[at][side] - (side % 2 ? 7 : 100)) < 0.05)));
  bridges.place(items);
  assert.deepEqual(ends(), before);
});

test("closed modules gather their bridges into one, and a storage counts once", () => {
  const mirror = withStorages(transformerHalves(2), (i) => (i % 2 ? 0 : 1), [1000, 500]);
  const { bridges, drawing } = drawn(mirror, mirror.ledBy(allClosed(mirror.tree)));
  const block = drawing.itemOfGroup[mirror.tree.shown[mirror.tree.path.indexOf("h")]];
  const own = bridges.endingAt([block]).filter((bridge) => bridge.from === block && bridge.saved.length > 4);
  assert.equal(own.length, 1);
  assert.equal(own[0].bytes, 1500);
  const open = drawn(mirror).bridges;
  assert.ok(open.all.length > bridges.all.length);
});

test("thickness grows with the logarithm, within bounds", () => {
  const widths = [0, 1, 256, 4096, 1 << 20, 2 ** 30, 2 ** 60].map(thickness);
  assert.deepEqual(
    widths,
    [...widths].sort((a, b) => a - b),
  );
  assert.ok(Math.abs(thickness(4096) - thickness(1024) - 1) < 1e-9);
  assert.equal(thickness(0), thickness(256));
  assert.equal(thickness(2 ** 60), 13);
});

test("symbolic sizes are counted, not guessed", () => {
  const mirror = withStorages(transformerHalves(1), (i) => i % 3, [100, null, 50]);
  const { bridges } = drawn(mirror, mirror.ledBy(allClosed(mirror.tree)));
  const [most] = [...bridges.all].sort((a, b) => b.saved.length - a.saved.length);
  assert.equal(most.unknown, 1);
  assert.equal(most.bytes, 150);
});

test("ends on one box stand in the order of where they lead, and cross as little as they can", () => {
  const { bridges, out } = drawn(transformerHalves(3), undefined);
  const { items } = out.scene;
  for (let item = 0; item < items.count; item++) {
    const leaving = (bridges.at.get(item) ?? []).filter((bridge) => bridge.from === item);
    leaving.sort((a, b) => a.y0 - b.y0);
    for (let i = 1; i < leaving.length; i++) {
      const middle = (/** @type {number} */ box) => items.y[box] + items.h[box] / 2;
      assert.ok(middle(leaving[i].to) >= middle(leaving[i - 1].to));
      assert.ok(leaving[i].y0 > leaving[i - 1].y0);
    }
  }
});

test("what only one partitioner keeps stands apart", () => {
  const mirror = transformerHalves(2);
  const { cut } = mirror.answer;
  const twin = cut.recomputed[0];
  const other = {
    ...cut,
    partitioner: /** @type {const} */ ("default"),
    saved: [{ ...cut.saved[0], name: twin.name, forward: twin.forward }],
  };
  const plain = { type: "", again_here: false, again_there: false, same_memory: false };
  mirror.answer = {
    ...mirror.answer,
    other,
    difference: [
      ...cut.saved.map((each, i) => ({ ...plain, name: each.name, here: i, there: i < 5 ? -1 : i, same_memory: i < 2 })),
      { ...plain, name: twin.name, here: -1, there: 0, again_here: true },
    ],
  };
  const { bridges, drawing } = drawn(mirror, undefined, true);
  const fresh = bridges.all.filter((bridge) => bridge.fresh).flatMap((bridge) => bridge.saved);
  assert.deepEqual(
    fresh.sort((a, b) => a - b),
    [2, 3, 4],
  );
  const [ghost, ...more] = bridges.all.filter((bridge) => bridge.ghost);
  assert.deepEqual(more, []);
  assert.equal(ghost.from, drawing.itemOfNode[twin.forward]);
  assert.equal(ghost.to, drawing.itemOfNode[twin.backward + mirror.offset]);
  assert.equal(bridgeTip(mirror, ghost)[0].text, "Saved by the default partitioner only");
  assert.ok(!drawn(mirror).bridges.all.some((bridge) => bridge.ghost || bridge.fresh), "not compared");
});

test("what both halves compute is marked on both, and gradients on the backward", () => {
  const mirror = transformerHalves(2);
  const { drawing } = drawn(mirror);
  const marks = markItems(drawing, mirror, false);
  for (const each of mirror.answer.cut.recomputed) {
    for (const node of [each.forward, each.backward + mirror.offset])
      assert.ok((marks.get(drawing.itemOfNode[node])?.again ?? 0) > 0);
  }
  const named = [...marks.values()].flatMap((mark) => mark.gradients);
  assert.deepEqual(named.sort(), mirror.answer.cut.gradients.map((each) => each.name).sort());
  const closed = drawn(mirror, mirror.ledBy(allClosed(mirror.tree)));
  const whole = [...markItems(closed.drawing, mirror, false).values()].reduce((sum, mark) => sum + mark.again, 0);
  assert.equal(whole, 2 * mirror.answer.cut.recomputed.length);
});

test("a point is as far from a bridge as from the line that is drawn", () => {
  const bridge = { x0: 10, y0: 20, x1: 400, y1: 90 };
  const whole = /** @type {import("../../../static/js/render/mirror/bridges.js").Bridge} */ ({ ...bridge });
  /** @type {number[][]} */
  const drawnPoints = [];
  traceBridge(
    {
      moveTo: (x, y) => drawnPoints.push([x, y]),
      lineTo: (x, y) => drawnPoints.push([x, y]),
      bezierCurveTo: (ax, ay, bx, by, x, y) => {
        const [x0, y0] = drawnPoints[drawnPoints.length - 1];
        for (let step = 1; step <= 20; step++) {
          const t = step / 20;
          const at = (/** @type {number[]} */ [p, q, r, s]) =>
            (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t * t * r + t ** 3 * s;
          drawnPoints.push([at([x0, ax, bx, x]), at([y0, ay, by, y])]);
        }
      },
    },
    whole,
    100,
    300,
  );
  for (const [x, y] of drawnPoints) assert.ok(distanceTo(whole, 100, 300, x, y) < 1, `${x},${y}`);
  assert.ok(Math.abs(distanceTo(whole, 100, 300, 50, 26) - 6) < 1e-6);
  assert.ok(distanceTo(whole, 100, 300, 200, 20) > 15);
  assert.deepEqual(pointAt(bridge, 100, 300, 0), { x: 100, y: 20 });
  assert.deepEqual(pointAt(bridge, 100, 300, 1), { x: 300, y: 90 });
});
