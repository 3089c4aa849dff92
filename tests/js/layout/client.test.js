import assert from "node:assert/strict";
import { test } from "node:test";

import { LayoutClient, LayoutError } from "../../../static/js/layout/client.js";
import { LayoutDesk } from "../../../static/js/layout/desk.js";
import { layout } from "../../../static/js/layout/layout.js";
import { sceneBuffers } from "../../../static/js/layout/messages.js";
import { allClosed, allOpen, groupTree } from "../../../static/js/model/groups.js";
import { faults } from "./faults.js";
import { jointGraph, mlp, transformer } from "./samples.js";

/** A worker in the same thread: messages are cloned and come later, as in a real one. */
class NearWorker {
  /** @param {number} tickMs how much later it is at every look at the clock */
  constructor(tickMs) {
    /** @type {((event: {data: any}) => void)|null} */
    this.onmessage = null;
    /** @type {((event: {message: string}) => void)|null} */
    this.onerror = null;
    /** @type {any[]} */
    this.received = [];
    this.ended = false;
    let clock = 0;
    this.desk = new LayoutDesk(
      (answer) => {
        const transfer = answer.type === "scene" ? sceneBuffers(answer.scene) : [];
        const data = structuredClone(answer, { transfer });
        setImmediate(() => !this.ended && this.onmessage?.({ data }));
      },
      () => new Promise((resolve) => void setImmediate(resolve)),
      () => (clock += tickMs),
    );
  }

  /** @param {any} message */
  postMessage(message) {
    this.received.push(message);
    const data = structuredClone(message);
    setImmediate(() => void this.desk.take(data));
  }

  terminate() {
    this.ended = true;
  }
}

/** @param {number} [tickMs] 5: every third step looks at messages */
function clientWith(tickMs = 5) {
  /** @type {NearWorker[]} */
  const workers = [];
  const client = new LayoutClient(() => /** @type {any} */ (workers[workers.push(new NearWorker(tickMs)) - 1]));
  return { client, workers };
}

test("the scene of the worker is the scene laid out here", async () => {
  const { client } = clientWith();
  const model = transformer(2);
  const tree = groupTree(model);
  assert.deepEqual(await client.layout("a", model, tree.open), layout(model, tree, tree.open));
});

test("a model is sent once, later requests send the open groups only", async () => {
  const { client, workers } = clientWith();
  const model = mlp();
  const tree = groupTree(model);
  await client.layout("a", model, allOpen(tree));
  await client.layout("a", model, allClosed(tree));
  await client.layout("b", model, allOpen(tree));
  assert.deepEqual(
    workers[0].received.map(({ type }) => type),
    ["model", "layout", "layout", "layout"],
  );
  assert.equal(workers[0].received[0].model.name, undefined, "names stay on the page");
});

test("groups made by the worker are those made here, and are not sent back to it", async () => {
  const { client, workers } = clientWith();
  const model = transformer(2);
  const tree = await client.groups(model, "op");
  assert.ok(tree);
  assert.deepEqual(tree, groupTree(model, "op"));
  assert.deepEqual(await client.layout("a", model, tree.open, { by: "op" }, tree), layout(model, tree, tree.open));
  assert.deepEqual(
    workers[0].received.map(({ type, tree }) => [type, tree !== undefined]),
    [
      ["model", false],
      ["groups", false],
      ["layout", false],
    ],
  );
});

test("groups are made of a model that the worker gave up, and fail where the worker fails", async () => {
  const { client, workers } = clientWith();
  const model = mlp();
  await client.groups(model, "module");
  workers[0].desk.models.clear();
  assert.deepEqual(await client.groups(model, "op"), groupTree(model, "op"));
  const asked = client.groups(mlp(), "op");
  workers[0].onerror?.({ message: "out of memory" });
  await assert.rejects(asked, LayoutError);
  const last = client.groups(model, "op");
  client.close();
  assert.equal(await last, null);
});

test("groups that are at hand are sent along once for each grouping, and used", async () => {
  const { client, workers } = clientWith();
  const model = transformer(2);
  const tree = groupTree(model);
  const closed = { ...tree, title: tree.title.map(() => "a title that makes every closed group wider than by its own") };
  const scene = await client.layout("a", model, allClosed(tree), {}, closed);
  assert.deepEqual(scene, layout(model, closed, allClosed(tree)));
  assert.notDeepEqual(scene, layout(model, tree, allClosed(tree)));
  const byOp = groupTree(model, "op");
  await client.layout("a", model, allOpen(tree), { flow: "right" }, tree);
  await client.layout("a", model, byOp.open, { by: "op" }, byOp);
  assert.deepEqual(
    workers[0].received.filter(({ type }) => type === "layout").map((message) => "tree" in message),
    [true, false, true],
  );
  for (let i = 0; i < 6; i++) await client.layout("b", mlp(), new Uint8Array(9));
  assert.deepEqual(await client.layout("a", model, allClosed(tree), {}, closed), scene, "sent again with the model");
});

test("a newer request of a slot supersedes an older one, another slot's is served", async () => {
  const { client } = clientWith();
  const model = jointGraph(3);
  const tree = groupTree(model);
  const first = client.layout("a", model, allOpen(tree));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve))); // let it start
  const other = client.layout("b", model, allClosed(tree));
  const second = client.layout("a", model, allClosed(tree));
  assert.equal(await first, null);
  assert.deepEqual(await second, layout(model, tree, allClosed(tree)));
  assert.deepEqual(await other, layout(model, tree, allClosed(tree)));
});

test("a large group does not keep the worker from hearing that something else is wanted", async () => {
  const { client } = clientWith();
  const flat = jointGraph(20, false);
  const tree = groupTree(flat);
  const first = client.layout("a", flat, allOpen(tree));
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  const other = mlp();
  const second = client.layout("a", other, allOpen(groupTree(other)));
  assert.equal(await first, null);
  assert.equal((await second)?.items.count, layout(other, groupTree(other), allOpen(groupTree(other))).items.count);
});

test("when time is up the rest is laid out roughly, and said so; asked to be thorough it is laid out neatly", async () => {
  const { client } = clientWith(40);
  const model = jointGraph(3);
  const tree = groupTree(model);
  const open = allOpen(tree);
  const rough = await client.layout("a", model, open);
  assert.ok(rough?.rough);
  assert.deepEqual(faults(model, tree, open, rough), []);
  const neat = await client.layout("a", model, open, { thorough: true });
  assert.deepEqual(neat, layout(model, tree, open));
  assert.equal(neat?.rough, 0);
  assert.equal((await client.layout("a", model, open))?.rough, 0, "neat layouts are kept");
});

test("what takes far too long is given up, with the reason and what can be done", async () => {
  const { client } = clientWith(10_000);
  const model = jointGraph(3);
  await assert.rejects(
    client.layout("a", model, allOpen(groupTree(model))),
    /laying out \d+ nodes took more than 60 s and was stopped. Close some groups/,
  );
  assert.ok(await client.layout("a", model, allOpen(groupTree(model)), { thorough: true }), "unless asked to go on");
});

test("a model that the worker no longer keeps is sent again", async () => {
  const { client, workers } = clientWith();
  const models = Array.from({ length: 7 }, () => mlp());
  for (const model of models) await client.layout("a", model, groupTree(model).open);
  assert.ok(await client.layout("a", models[0], groupTree(models[0]).open));
  assert.equal(workers[0].received.filter(({ type }) => type === "model").length, 8);
});

test("a failing layout says so, and the next one works", async () => {
  const { client } = clientWith();
  const model = mlp();
  const tree = groupTree(model);
  await assert.rejects(client.layout("a", Object.assign(Object.create(model), { label: null }), tree.open), LayoutError);
  assert.ok(await client.layout("a", model, tree.open));
});

test("a worker that breaks fails what was asked for; the next request starts another", async () => {
  const { client, workers } = clientWith();
  const model = mlp();
  const tree = groupTree(model);
  const lost = client.layout("a", model, tree.open);
  workers[0].onerror?.({ message: "out of memory" });
  await assert.rejects(lost, /The layout worker stopped: out of memory/);
  assert.ok(await client.layout("a", model, tree.open));
  assert.equal(workers.length, 2);
});

test("where no worker can be started the reason is given", async () => {
  const client = new LayoutClient(() => {
    throw new Error("refused by policy");
  });
  const model = mlp();
  await assert.rejects(client.layout("a", model, groupTree(model).open), /could not be started: Error: refused by policy/);
});

test("closing answers what is still asked for", async () => {
  const { client } = clientWith();
  const model = mlp();
  const open = client.layout("a", model, groupTree(model).open);
  client.close();
  assert.equal(await open, null);
});
