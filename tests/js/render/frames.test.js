import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames } from "../../../static/js/render/lens/frames.js";

/** A clock that stands still until told. */
class FakeClock {
  constructor() {
    this.now = 0;
    this.next = 1;
    /** @type {Map<number, (now: number) => void>} */ this.frames = new Map();
    /** @type {Map<number, {at: number, run: () => void}>} */ this.timers = new Map();
  }

  /** @param {(now: number) => void} run */
  frame(run) {
    this.frames.set(this.next, run);
    return this.next++;
  }

  /** @param {number} id */
  cancelFrame(id) { this.frames.delete(id); }

  /** @param {() => void} run @param {number} ms */
  later(run, ms) {
    this.timers.set(this.next, { at: this.now + ms, run });
    return this.next++;
  }

  /** @param {number} id */
  cancelLater(id) { this.timers.delete(id); }

  /** @param {number} ms until the next animation frame */
  tick(ms) {
    this.now += ms;
    for (const [id, { at, run }] of [...this.timers]) {
      if (at > this.now) continue;
      this.timers.delete(id);
      run();
    }
    const due = [...this.frames.values()];
    this.frames.clear();
    for (const run of due) run(this.now);
  }
}

function setUp() {
  const clock = new FakeClock();
  /** @type {boolean[]} */
  const drawn = [];
  let rests = 0;
  const frames = new Frames((coarse) => drawn.push(coarse), () => rests++, clock);
  return { clock, frames, drawn, rests: () => rests };
}

test("many requests make one frame, and none comes by itself", () => {
  const { clock, frames, drawn } = setUp();
  frames.request();
  frames.request();
  clock.tick(16);
  clock.tick(16);
  assert.deepEqual(drawn, [false]);
});

test("a fast machine is never coarse, and draws once more when the move rests", () => {
  const { clock, frames, drawn, rests } = setUp();
  for (let i = 0; i < 20; i++) {
    frames.move();
    clock.tick(16);
  }
  assert.equal(rests(), 0);
  clock.tick(150);
  assert.equal(rests(), 1);
  assert.deepEqual(drawn, new Array(21).fill(false));
});

test("a slow machine becomes coarse while it moves and sharp at rest, until another graph comes", () => {
  const { clock, frames, drawn } = setUp();
  for (let i = 0; i < 10; i++) {
    frames.move();
    clock.tick(60);
  }
  assert.equal(drawn[0], false);
  assert.equal(drawn.at(-1), true);
  clock.tick(150);
  assert.equal(drawn.at(-1), false, "sharp at rest");
  frames.move();
  clock.tick(16);
  assert.equal(drawn.at(-1), true, "coarse from the first frame of the next move");
  frames.forget();
  frames.move();
  clock.tick(16);
  assert.equal(drawn.at(-1), false);
});

test("one late frame is no slow machine, and a pause is no late frame", () => {
  const { clock, frames, drawn } = setUp();
  for (const ms of [16, 16, 90, 16, 16, 16, 16]) {
    frames.move();
    clock.tick(ms);
  }
  for (let i = 0; i < 6; i++) {
    frames.request();
    clock.tick(1000);
  }
  assert.ok(!drawn.includes(true));
});

test("an animation draws every frame until it has arrived, then rests once", () => {
  const { clock, frames, drawn, rests } = setUp();
  let left = 3;
  frames.animation = () => --left > 0;
  frames.move();
  for (let i = 0; i < 6; i++) clock.tick(200);
  assert.equal(left, 0);
  assert.equal(drawn.length, 4, "three of the animation, one sharp at rest");
  assert.equal(rests(), 1);
});

test("what is broken off while no frames come rests all the same", () => {
  const { clock, frames, drawn, rests } = setUp();
  frames.transition = () => true;
  frames.move();
  clock.tick(16);
  clock.cancelFrame(frames.pending); // a page that is hidden gets no frames
  frames.pending = 0;
  clock.tick(500);
  frames.transition = null;
  clock.tick(150);
  clock.tick(16);
  assert.equal(rests(), 1);
  assert.equal(frames.moving, false);
  assert.equal(drawn.length, 2);
});

test("after the end nothing is drawn", () => {
  const { clock, frames, drawn } = setUp();
  frames.move();
  frames.end();
  clock.tick(500);
  assert.deepEqual(drawn, []);
});
