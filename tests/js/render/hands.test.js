import assert from "node:assert/strict";
import { test } from "node:test";
import { Pointers } from "../../../static/js/render/input/hands/pointers.js";
import { Wheel } from "../../../static/js/render/input/hands/wheel.js";

/** @param {Partial<import("../../../static/js/render/input/hands/wheel.js").Turn>} turn */
const turn = (turn) => ({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false, ...turn });

/** @param {Partial<import("../../../static/js/render/input/hands/wheel.js").Turn>[]} turns each 16 ms after the one before */
function read(...turns) {
  const wheel = new Wheel();
  return turns.map((each, at) => wheel.read(turn(each), 16 * at));
}

/** What the browsers send: a notch of a mouse wheel, and a step of two fingers on a trackpad. */
/** @type {{[name: string]: {deltaY: number, deltaMode?: number, wheelDeltaY?: number}}} */
const NOTCHES = {
  "Chrome on Windows": { deltaY: 100, wheelDeltaY: -120 },
  "Chrome on Linux": { deltaY: 53, wheelDeltaY: -120 },
  "Chrome on a Mac, slowly": { deltaY: 4, wheelDeltaY: -120 },
  "lines": { deltaY: 3, deltaMode: 1 },
  "pages": { deltaY: 1, deltaMode: 2 },
  "without the old numbers": { deltaY: 120 },
};
const FINGERS = {
  "slowly": { deltaY: 3, wheelDeltaY: -9 },
  "fast": { deltaY: 180, wheelDeltaY: -540 },
  "aslant": { deltaX: 2, deltaY: 180 },
  "sideways": { deltaX: 12 },
  "without the old numbers": { deltaY: 7 },
};

for (const [name, notch] of Object.entries(NOTCHES)) {
  test(`a wheel zooms: ${name}`, () => {
    const [meaning] = read(notch);
    assert.ok("factor" in meaning && meaning.factor < 1 && meaning.factor >= 0.5, JSON.stringify(meaning));
    assert.deepEqual(read({ ...notch, shiftKey: true })[0], { pan: { dx: -notch.deltaY * (notch.deltaMode === 1 ? 16 : notch.deltaMode === 2 ? 400 : 1), dy: 0 } });
  });
}

for (const [name, step] of Object.entries(FINGERS)) {
  test(`two fingers pan: ${name}`, () => {
    const { deltaX = 0, deltaY = 0 } = /** @type {{deltaX?: number, deltaY?: number}} */ (step);
    assert.deepEqual(read(step)[0], { pan: { dx: -deltaX, dy: -deltaY } });
  });
}

test("a pinch zooms as far as the fingers go, both ways alike", () => {
  const [out, back] = read({ deltaY: 12, ctrlKey: true, wheelDeltaY: -36 }, { deltaY: -12, ctrlKey: true, wheelDeltaY: 36 });
  assert.ok("factor" in out && "factor" in back);
  assert.ok(out.factor < 0.9);
  assert.ok(Math.abs(out.factor * back.factor - 1) < 1e-9);
});

test("a device does not change in the middle of a turn, but after a pause", () => {
  const wheel = new Wheel();
  const coasting = { deltaY: 120 };
  assert.ok("pan" in wheel.read(turn({ deltaX: 1, deltaY: 90 }), 0));
  assert.ok("pan" in wheel.read(turn(coasting), 16));
  assert.ok("factor" in wheel.read(turn(coasting), 1000));
});

test("a click may wander: a finger further than a mouse", () => {
  for (const [isTouch, most] of /** @type {[boolean, number][]} */ ([[false, 4], [true, 10]])) {
    const pointers = new Pointers();
    pointers.press(1, { x: 0, y: 0 }, isTouch, 0);
    pointers.move(1, { x: most - 1, y: 0 }, 5);
    assert.ok(!pointers.hasSlipped());
    pointers.move(1, { x: most, y: 0 }, 10);
    assert.ok(pointers.hasSlipped());
    pointers.down.clear();
    pointers.press(1, { x: 50, y: 50 }, isTouch, 100);
    assert.ok(!pointers.hasSlipped(), "the next press begins anew");
  }
});

test("two fingers move by their middle and their spread", () => {
  const pointers = new Pointers();
  pointers.press(1, { x: 0, y: 0 }, true, 0);
  pointers.press(2, { x: 100, y: 0 }, true, 0);
  assert.deepEqual(pointers.move(2, { x: 200, y: 40 }, 5), { dx: 50, dy: 20, factor: Math.hypot(200, 40) / 100, middle: { x: 100, y: 20 } });
  assert.equal(pointers.most, 2);
});

test("a hand that rests before it lets go throws nothing", () => {
  const pointers = new Pointers();
  pointers.press(1, { x: 0, y: 0 }, true, 0);
  for (let i = 1; i <= 5; i++) pointers.move(1, { x: 0, y: 16 * i }, 16 * i);
  const { vx, vy } = pointers.speed(80);
  assert.ok(vx === 0 && Math.abs(vy - 1.25) < 0.3, `${vy}`);
  assert.deepEqual(pointers.speed(400), { vx: 0, vy: 0 });
});
